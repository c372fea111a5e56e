import Foundation

/// The beginning of a file as text, and what it begins with.
package struct HeadText {
    /// What a text begins with.
    package enum Start: Equatable {
        /// XML with this root element, without its prefix; empty if the root is not in sight.
        case element(String)
        /// A JSON object.
        case object
        /// Anything else.
        case other
    }

    /// The text; bytes that are no text are replaced.
    package let text: String
    /// What it begins with.
    package let start: Start

    /// Decodes the first bytes of a file: UTF-16 by its mark or by the zero beside its first character, otherwise UTF-8, or
    /// Windows-1252 where they cannot be that.
    package init(_ head: [UInt8]) {
        text = Self.decoded(head)
        // The separator of records begins each text of a sequence (RFC 8142).
        let rest = text.unicodeScalars.drop {
            $0.properties.isWhitespace || $0 == "\u{FEFF}" || $0 == "\0" || $0 == "\u{1E}"
        }
        switch rest.first {
        case "<": start = Self.root(rest)
        case "{": start = .object
        default: start = .other
        }
    }

    /// Whether it is a web page, which a server gives in place of a file, such as for a login or with an error.
    package var isWebPage: Bool {
        if case .element(let root) = start, root.lowercased() == "html" { return true }
        return text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.prefix(Self.page.count).lowercased()
            == Self.page
    }

    private static let page = "<!doctype html"

    private static func decoded(_ head: [UInt8]) -> String {
        let even = head.prefix(head.count / 2 * 2)
        if even.starts(with: [0xFF, 0xFE]) || even.count > 1 && even[0] != 0 && even[1] == 0 {
            return units(even) { UInt16($0) | UInt16($1) << 8 }
        }
        if even.starts(with: [0xFE, 0xFF]) || even.count > 1 && even[0] == 0 && even[1] != 0 {
            return units(even) { UInt16($0) << 8 | UInt16($1) }
        }
        if case .windows1252 = DataEncoding(head: head, isWhole: false),
            let text = String(bytes: head, encoding: .windowsCP1252)
        {
            return text
        }
        return String(decoding: head, as: UTF8.self)
    }

    private static func units(_ bytes: ArraySlice<UInt8>, _ unit: (UInt8, UInt8) -> UInt16) -> String {
        String(
            decoding: stride(from: 0, to: bytes.count, by: 2).map { unit(bytes[$0], bytes[$0 + 1]) },
            as: UTF16.self)
    }

    /// The name of the first element after declarations, comments and instructions.
    private static func root(_ text: Substring.UnicodeScalarView) -> Start {
        var rest = text
        while let open = rest.firstIndex(of: "<") {
            rest = rest[rest.index(after: open)...]
            if rest.starts(with: "!--".unicodeScalars) {
                guard let end = Substring(rest).firstRange(of: "-->") else { return .element("") }
                rest = rest[end.upperBound...]
            } else if rest.first == "?" || rest.first == "!" {
                guard let end = rest.firstIndex(of: ">") else { return .element("") }
                rest = rest[rest.index(after: end)...]
            } else {
                let name = rest.prefix { !$0.properties.isWhitespace && $0 != ">" && $0 != "/" }
                guard name.endIndex < rest.endIndex else { return .element("") }
                return .element(String(String(name).split(separator: ":").last ?? ""))
            }
        }
        return .element("")
    }
}
