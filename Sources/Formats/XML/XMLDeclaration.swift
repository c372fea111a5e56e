import Archives
import Core

/// The declaration of a file of XML.
enum XMLDeclaration {
    /// A file that declares characters of two or four bytes and has none.
    struct Contradicted {
        /// The file without the declared encoding.
        let source: SourceBytes
        /// What is said of it.
        let words: String
    }

    /// Beginnings of the names of such encodings. Programs write them that make a text in memory, and then save it as UTF-8.
    private static let wide = ["utf-16", "utf16", "ucs-2", "utf-32", "iso-10646-ucs"]
    /// Bytes in which a declaration ends.
    private static let length = 200

    /// A file whose first bytes contradict its declaration, which begins at an offset; `nil` for any other.
    static func contradicted(_ source: SourceBytes, at offset: Int) throws(RutterError) -> Contradicted? {
        let head = try source.bytes(at: offset, count: length)
        guard head.starts(with: Array("<?xml".utf8)),
            let end = head.firstRange(of: Array("?>".utf8)), !head[..<end.lowerBound].contains(0),
            let start = head[..<end.lowerBound].firstRange(of: Array("encoding".utf8))
        else { return nil }
        let value = head[start.upperBound..<end.lowerBound].drop { " =\t\"'".utf8.contains($0) }
            .prefix { !" \t\"'".utf8.contains($0) }
        let name = String(decoding: value, as: UTF8.self)
        guard wide.contains(where: name.lowercased().hasPrefix) else { return nil }
        var bytes = try source.all()
        // Blanks keep lines and columns.
        for index in start.lowerBound..<min(value.endIndex + 1, end.lowerBound) {
            bytes[offset + index] = UInt8(ascii: " ")
        }
        return Contradicted(
            source: SourceBytes(bytes, name: source.name, cut: source.cut),
            words: "the file declares \(name), but its characters are no \(name): read as UTF-8")
    }
}
