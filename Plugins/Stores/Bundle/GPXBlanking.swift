/// Replaces names and notes in a GPX file, and keeps the rest byte for byte.
enum GPXBlanking {
    private static let nameElements: Set<String> = ["name", "author", "copyright"]
    private static let noteElements: Set<String> = ["desc", "cmt", "keywords", "text"]

    /// The file with replaced names; `note` masks the notes.
    static func blank(_ text: String, _ names: inout NameTable, note: (String) -> String) -> String {
        var out = ""
        var rest = Substring(text)
        while let open = rest.firstIndex(of: "<") {
            guard let close = rest[open...].firstIndex(of: ">") else { break }
            let tag = rest[rest.index(after: open)..<close]
            let element = String(tag.prefix { !$0.isWhitespace && $0 != "/" })
            out += rest[...close]
            rest = rest[rest.index(after: close)...]
            let isName = nameElements.contains(element)
            guard isName || noteElements.contains(element), !tag.hasSuffix("/"),
                let end = rest.firstRange(of: "</\(element)>")
            else { continue }
            let content = String(rest[..<end.lowerBound])
            // An element with child elements, such as an author with a name, is visited child by child.
            if content.contains("<"), !content.contains("<![CDATA[") { continue }
            if isName, !content.contains("<") {
                out += names.name(for: content)
            } else {
                out += note(content.replacing("<![CDATA[", with: "").replacing("]]>", with: ""))
            }
            rest = rest[end.lowerBound...]
        }
        return out + rest
    }
}
