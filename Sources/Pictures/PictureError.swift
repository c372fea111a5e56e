/// Why a picture could not be drawn.
public enum PictureError: Error, Sendable, Hashable {
    /// The size is not positive and finite, or has more pixels than allowed.
    case badSize(width: Double, height: Double)
    /// The drawing library failed; its message.
    case drawing(String)
}

extension PictureError: CustomStringConvertible {
    /// The reason as a sentence.
    public var description: String {
        switch self {
        case .badSize(let width, let height):
            let size = "\(NumberText.decimal(width, places: 1)) × \(NumberText.decimal(height, places: 1))"
            return "a picture of \(size) pixels cannot be drawn"
        case .drawing(let reason): return "the picture could not be drawn: \(reason)"
        }
    }
}
