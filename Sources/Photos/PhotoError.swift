/// Why bytes are not accepted as a photo.
public enum PhotoError: Error, Sendable, Hashable {
    /// The bytes do not begin with the signature of a JPEG, PNG or HEIC file.
    case notAnImage
    /// The file ends within its picture.
    case truncated
    /// More pixels than the limit, according to the header; nothing was allocated.
    case tooLarge(pixels: Int)
    /// The file is damaged; with the decoder's message.
    case corrupt(String)
    /// A valid but unsupported kind of file, such as a lossless JPEG.
    case unsupported(String)
    /// Decoding would take more memory than allowed.
    case outOfMemory
}

extension PhotoError: CustomStringConvertible {
    /// The reason as a sentence.
    public var description: String {
        switch self {
        case .notAnImage: "not a JPEG, PNG or HEIC image"
        case .truncated: "the image file is truncated"
        case .tooLarge(let pixels):
            "the image has \(pixels / 1_000_000) megapixels, more than \(PhotoSettings.maximumPixels / 1_000_000)"
        case .corrupt(let reason): "the image file is damaged: \(reason)"
        case .unsupported(let what): "unsupported kind of image: \(what)"
        case .outOfMemory: "the image requires more memory than allowed"
        }
    }
}
