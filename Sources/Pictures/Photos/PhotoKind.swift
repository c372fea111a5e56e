/// The kinds of image file that are read, told apart by content and never by name.
public enum PhotoKind: String, Sendable, Hashable, CaseIterable {
    /// Joint Photographic Experts Group.
    case jpeg
    /// Portable Network Graphics.
    case png

    /// The kind that the first bytes tell; `nil` for anything else.
    public init?(sniffing bytes: some Collection<UInt8>) {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: PNGFile.signature) {
            self = .png
        } else {
            return nil
        }
    }

    /// The name of the kind on the web.
    public var mediaType: String { "image/" + rawValue }
}
