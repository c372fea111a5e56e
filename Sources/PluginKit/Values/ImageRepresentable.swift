import Foundation

/// A domain object that is an image, such as a stored photo.
public protocol ImageRepresentable: DomainObject {
    /// The image as a JPEG or PNG file; `nil` if it has none. Throws if it cannot be read.
    func imageFile() throws -> ImageFile?
}

/// An image file in a format that every browser supports.
public struct ImageFile: Sendable, Hashable {
    /// The kinds of file.
    public enum Kind: String, Sendable {
        /// Joint Photographic Experts Group.
        case jpeg = "image/jpeg"
        /// Portable Network Graphics.
        case png = "image/png"
    }

    /// The kind of file, whose raw value is its media type.
    public let kind: Kind
    /// The bytes.
    public let bytes: Data

    /// A file of an image.
    public init(_ kind: Kind, _ bytes: Data) { (self.kind, self.bytes) = (kind, bytes) }
}
