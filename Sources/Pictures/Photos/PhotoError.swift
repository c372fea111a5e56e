/// Why bytes are not taken as a photo.
public enum PhotoError: Error, Sendable, Hashable {
    /// The bytes begin like neither JPEG nor PNG nor HEIC.
    case notAnImage
    /// The file ends before its picture does.
    case truncated
    /// More pixels than are decoded; the header's word, nothing was allocated.
    case tooLarge(pixels: Int)
    /// The file is damaged; the decoder's own words.
    case corrupt(String)
    /// A valid kind of file that is not read, such as a lossless JPEG.
    case unsupported(String)
    /// Decoding would take more memory than allowed.
    case outOfMemory
}

extension PhotoError: CustomStringConvertible {
    /// The reason as a sentence.
    public var description: String {
        switch self {
        case .notAnImage: "this is neither a JPEG nor a PNG nor a HEIC"
        case .truncated: "the image file is cut off"
        case .tooLarge(let pixels):
            "the image has \(pixels / 1_000_000) megapixels, more than \(PhotoSettings.maximumPixels / 1_000_000)"
        case .corrupt(let reason): "the image file is damaged: \(reason)"
        case .unsupported(let what): "this kind of image is not read: \(what)"
        case .outOfMemory: "the image takes more memory than is allowed"
        }
    }
}
