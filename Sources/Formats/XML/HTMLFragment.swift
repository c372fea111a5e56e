/// Texts that are fragments of HTML, as planners write instructions, makers of tiles their names, and agencies their alerts: the
/// words without tags.
package enum HTMLFragment {
    /// Tags that end a line, and others that separate words.
    private static let lineBreaks: Set<String> = [
        "br", "p", "div", "li", "tr", "ul", "ol", "hr", "h1", "h2", "h3", "h4", "h5", "h6",
    ]
    private static let wordBreaks: Set<String> = ["td", "th"]

    /// Other tags of texts; further words in angle brackets are those of a text that is no HTML.
    private static let others: Set<String> = [
        "a", "abbr", "b", "big", "body", "center", "code", "em", "font", "head", "html", "i", "img", "pre",
        "s",
        "small", "span", "strike", "strong", "sub", "sup", "table", "tbody", "thead", "tt", "u",
    ]

    /// The words of a fragment in one line: tags and comments removed, references replaced. A `<` that begins no tag, and a `&`
    /// that begins no reference, stay.
    package static func plain(_ html: String) -> String {
        var scanner = Scanner(html[...], isSurelyHTML: true)
        return scanner.text(lineBreak: " ")
    }

    /// The text of a fragment, or of a text that may be none: paragraphs and breaks are lines. A text without a tag or a reference
    /// stays as it is: `A < B & C`, `Use <Exit B>`.
    package static func lines(_ text: String) -> String {
        var scanner = Scanner(text[...], isSurelyHTML: false)
        let plain = scanner.text(lineBreak: "\n")
        guard scanner.isChanged else { return text }
        return String(plain.prefix(plain.count - plain.reversed().prefix { $0.isWhitespace }.count))
    }

    /// The first tag or reference of a text that may be no HTML; `nil` if it has none.
    package static func mark(in text: String) -> Substring? {
        var rest = text[...]
        while let start = rest.firstIndex(where: { $0 == "<" || $0 == "&" }) {
            rest = rest[start...]
            if let end = rest.first == "<" ? tag(rest, false)?.end : reference(rest)?.end {
                return rest[..<end]
            }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// Removes tags and replaces references, in time linear in the length of the text.
    private struct Scanner {
        private var rest: Substring
        private let isSurelyHTML: Bool
        /// Whether no comment that begins from here on has an end.
        private var hasOpenComment = false
        private(set) var isChanged = false

        init(_ text: Substring, isSurelyHTML: Bool) { (rest, self.isSurelyHTML) = (text, isSurelyHTML) }

        mutating func text(lineBreak: String) -> String {
            guard rest.contains(where: { $0 == "<" || $0 == "&" }) else { return String(rest) }
            var plain = ""
            while let next = rest.first {
                let end: Substring.Index
                if next == "<", let comment = commentEnd() {
                    end = comment
                } else if next == "<", let tag = HTMLFragment.tag(rest, isSurelyHTML) {
                    if lineBreaks.contains(tag.name) {
                        if lineBreak == " " || plain.last.map({ !$0.isNewline }) ?? false {
                            plain += lineBreak
                        }
                    } else if wordBreaks.contains(tag.name), plain.last.map({ !$0.isWhitespace }) ?? false {
                        plain += " "
                    }
                    end = tag.end
                } else if next == "&", let reference = HTMLFragment.reference(rest) {
                    plain.unicodeScalars.append(reference.scalar)
                    end = reference.end
                } else {
                    plain.append(next)
                    rest = rest.dropFirst()
                    continue
                }
                isChanged = true
                rest = rest[end...]
            }
            return plain
        }

        /// The index after the comment at the start of the rest.
        private mutating func commentEnd() -> Substring.Index? {
            guard !hasOpenComment, rest.hasPrefix("<!--") else { return nil }
            let end = rest.firstRange(of: "-->")?.upperBound
            hasOpenComment = end == nil
            return end
        }
    }

    /// The name of the tag at the start of a text, and the index after it.
    private static func tag(_ text: Substring, _ isSurelyHTML: Bool) -> (name: String, end: Substring.Index)?
    {
        guard let close = text.dropFirst().firstIndex(where: { $0 == ">" || $0 == "<" }), text[close] == ">"
        else { return nil }
        var inner = text[..<close].dropFirst()
        if inner.first == "/" { inner = inner.dropFirst() }
        let name = inner.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }.lowercased()
        guard name.first?.isLetter ?? false else { return nil }
        let end = text.index(after: close)
        if isSurelyHTML { return (name, end) }
        let rest = inner.dropFirst(name.count)
        guard lineBreaks.contains(name) || wordBreaks.contains(name) || others.contains(name),
            rest.first.map({ $0 == "/" || $0.isWhitespace }) ?? true,
            // `<a href="…">`, but not `<Center Street>`.
            rest.contains("=") || rest.allSatisfy({ $0 == "/" || $0.isWhitespace })
        else { return nil }
        return (name, end)
    }

    /// Characters of the longest reference that is read, with its signs.
    private static let longest = 12

    /// The character of the reference at the start of a text, and the index after it.
    private static func reference(_ text: Substring) -> (scalar: Unicode.Scalar, end: Substring.Index)? {
        guard let close = text.prefix(longest).firstIndex(of: ";") else { return nil }
        return scalar(text[..<close].dropFirst()).map { ($0, text.index(after: close)) }
    }

    private static func scalar(_ name: Substring) -> Unicode.Scalar? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        // It is a space between words here.
        case "nbsp": return " "
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
