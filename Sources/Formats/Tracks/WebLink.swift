/// A link of a GPX element.
public struct WebLink: Sendable, Hashable, Codable {
    /// The address.
    public var address: String
    /// The text of the link (in GPX 1.0 `urlname`).
    public var text: String?
    /// Its media type.
    public var type: String?

    /// A link.
    public init(_ address: String, text: String? = nil, type: String? = nil) {
        self.address = address
        self.text = text
        self.type = type
    }
}

/// The copyright of a GPX file.
public struct FileCopyright: Sendable, Hashable, Codable {
    /// The holder.
    public var author: String
    /// The year, unparsed.
    public var year: String?
    /// The address of the licence.
    public var license: String?

    /// A copyright.
    public init(author: String, year: String? = nil, license: String? = nil) {
        self.author = author
        self.year = year
        self.license = license
    }
}
