/// Texts that are fragments of HTML, as planners write instructions and makers of tiles their names: the words without tags.
package enum HTMLFragment {
    /// Tags that separate words.
    private static let breaks: Set<Substring> = [
        "br", "p", "div", "li", "tr", "td", "ul", "ol", "hr", "h1", "h2", "h3",
    ]

    /// The words of a fragment: tags removed, references replaced. A `<` that begins no tag, and a `&` that begins no
    /// reference, stay.
    package static func plain(_ html: String) -> String {
        guard html.contains(where: { $0 == "<" || $0 == "&" }) else { return html }
        let tags = /<!--.*?-->|<\/?([A-Za-z][A-Za-z0-9]*)[^<>]*>/
        let references = /&(#?[A-Za-z0-9]{1,10});/
        var text = ""
        var rest = html[...]
        while let character = rest.first {
            if character == "<", let tag = rest.prefixMatch(of: tags) {
                if tag.1.map({ breaks.contains(Substring($0.lowercased())) }) == true { text += " " }
                rest = rest[tag.range.upperBound...]
            } else if character == "&", let found = rest.prefixMatch(of: references),
                let scalar = scalar(found.1)
            {
                text.unicodeScalars.append(scalar)
                rest = rest[found.range.upperBound...]
            } else {
                text.append(character)
                rest = rest.dropFirst()
            }
        }
        return text
    }

    private static func scalar(_ name: Substring) -> Unicode.Scalar? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        guard name.hasPrefix("#") else { return HTMLEntities.character(String(name)) }
        let digits = name.dropFirst()
        let number =
            digits.hasPrefix("x") || digits.hasPrefix("X")
            ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init).flatMap { $0.value >= 0x20 ? $0 : nil }
    }
}
