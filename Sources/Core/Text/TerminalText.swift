/// Sanitises text from data for a terminal: it cannot move the cursor, set colours, or reorder adjacent text.
/// Harmful characters are shown as `·`.
public enum TerminalText {
    /// The text as one line.
    public static func withoutControls(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 32 && $0 < 127 }) { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isHarmful($0) ? "·" : $0 }))
    }

    /// Text of several lines, ended by LF or CR LF, with its tabs, otherwise harmless.
    public static func lines(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
            .map { line in
                line.split(separator: "\t", omittingEmptySubsequences: false)
                    .map { withoutControls(String($0)) }.joined(separator: "\t")
            }
            .joined(separator: "\n")
    }

    /// Sanitises the program's own terminal output: colours are kept, other harmful characters are removed.
    /// The last check before the terminal, after each value was sanitised.
    public static func styled(_ text: String) -> String {
        if text.utf8.allSatisfy({ ($0 >= 32 && $0 < 127) || $0 == 10 || $0 == 9 }) { return text }
        var out = ""
        let scalars = Array(text.unicodeScalars)
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            if scalar == "\u{1B}", let end = styleEnd(scalars, from: index) {
                for part in scalars[index...end] { out.unicodeScalars.append(part) }
                index = end + 1
                continue
            }
            let isLineEnd = scalar == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n"
            if !isLineEnd {
                out.unicodeScalars.append(
                    scalar != "\n" && scalar != "\t" && isHarmful(scalar) ? "·" : scalar)
            }
            index += 1
        }
        return out
    }

    /// The last scalar of `ESC [ digits and semicolons m`.
    private static func styleEnd(_ scalars: [Unicode.Scalar], from start: Int) -> Int? {
        guard start + 1 < scalars.count, scalars[start + 1] == "[" else { return nil }
        var index = start + 2
        while index < scalars.count, scalars[index] == ";" || ("0"..."9").contains(scalars[index]) {
            index += 1
        }
        return index < scalars.count && scalars[index] == "m" ? index : nil
    }

    /// C0 and C1 controls, the marks that change the direction of text (UAX #9: embeddings, overrides, isolates, implicit
    /// marks), and separators of lines and paragraphs.
    public static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
