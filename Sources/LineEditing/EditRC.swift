import Foundation

/// One line of an editrc(5) file, parsed as far as the editor needs.
///
/// libedit executes the lines. But `bind -v` and `bind -e` reset all bindings, including ours, which must
/// then be restored; and a key that the user binds must reach libedit as the terminal sent it.
struct EditRCLine: Equatable {
    var text: String
    /// Whether it resets every binding.
    var resetsBindings = false
    /// The keys it binds, as the terminal sends them.
    var boundKeys: [String] = []

    /// Parses a line; nil for a comment or an empty one.
    init?(_ line: String, programName: String) {
        text = line.trimmingCharacters(in: .whitespaces)
        guard !text.isEmpty, !text.hasPrefix("#") else { return nil }
        var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard Self.isBind(words.removeFirst(), programName: programName) else { return }
        var namesKey = false
        while let option = words.first, option.hasPrefix("-"), option.count > 1 {
            if option == "-v" || option == "-e" {
                resetsBindings = true
                return
            }
            namesKey = namesKey || option == "-k"
            words.removeFirst()
        }
        guard words.count > 1 else { return }
        let key = words[0].trimmingCharacters(in: CharacterSet(charactersIn: "\"'"))
        if namesKey {
            boundKeys = NamedKey.all.first { $0.name == key }?.sequences.map { "\u{1B}" + $0 } ?? []
        } else {
            boundKeys = [KeyNotation.decode(key)]
        }
    }

    /// The significant lines of a file.
    static func lines(of text: String, programName: String) -> [EditRCLine] {
        text.split(separator: "\n").compactMap { EditRCLine(String($0), programName: programName) }
    }

    /// Whether a word is `bind`, alone or for programs whose name matches.
    private static func isBind(_ word: String, programName: String) -> Bool {
        let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return word == "bind" }
        let pattern = String(parts[0])
        guard parts[1] == "bind", !pattern.isEmpty else { return false }
        return programName.contains(pattern)
            || programName.range(of: pattern, options: .regularExpression) != nil
    }
}

/// The notation of keys in editrc(5): `^[[A`, `\e[A`, `\033[A`, `M-x`.
enum KeyNotation {
    static func decode(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "^":
                guard let next = rest.popFirst() else { return String(result) }
                result.append(next == "?" ? "\u{7F}" : Unicode.Scalar(UInt8(next.value & 0x1F)))
            case "\\":
                if let escaped = decodeEscape(&rest) { result.append(escaped) }
            case "M" where rest.first == "-" && rest.count > 1:
                rest.removeFirst()
                result.append("\u{1B}")
            default:
                result.append(scalar)
            }
        }
        return String(result)
    }

    private static let letters: [Unicode.Scalar: Unicode.Scalar] = [
        "a": "\u{07}", "b": "\u{08}", "t": "\u{09}", "n": "\u{0A}", "v": "\u{0B}", "f": "\u{0C}",
        "r": "\u{0D}", "e": "\u{1B}",
    ]

    private static func decodeEscape(_ rest: inout Substring.UnicodeScalarView) -> Unicode.Scalar? {
        guard let first = rest.first else { return nil }
        let digits = rest.prefix(3).prefix { ("0"..."7").contains($0) }
        if let value = UInt8(String(digits), radix: 8) {
            rest.removeFirst(digits.count)
            return Unicode.Scalar(value)
        }
        rest.removeFirst()
        return letters[first] ?? first
    }
}
