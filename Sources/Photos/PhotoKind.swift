import Core

/// The supported kinds of image files, detected by content, never by name.
public enum PhotoKind: String, Sendable, Hashable, CaseIterable {
    /// Joint Photographic Experts Group.
    case jpeg
    /// Portable Network Graphics.
    case png
    /// High Efficiency Image File Format with HEVC pictures.
    case heic

    /// The kind detected from the first bytes; `nil` for anything else.
    public init?(sniffing bytes: some Collection<UInt8>) {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: PNGFile.signature) {
            self = .png
        } else if HEIFFile.isHEIF(bytes) {
            self = .heic
        } else {
            return nil
        }
    }

    /// The name of the kind on the web.
    public var mediaType: String { "image/" + rawValue }

    /// Throws `E-LIBRARY-MISSING` if the library that reads this kind is not installed. All photos are
    /// written as JPEG.
    public func requireLibraries() throws(RutterError) {
        try NativeLibrary.photos.require()
        switch self {
        case .jpeg: break
        case .png: try NativeLibrary.cairo.require()
        case .heic: try NativeLibrary.heif.require()
        }
    }
}
