/// Makes text from data harmless for a terminal: it cannot move the cursor, set colours, or reorder what stands beside
/// it. Every character that could is shown as `·`.
public enum TerminalText {
    /// The text as one line.
    public static func withoutControls(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 32 && $0 < 127 }) { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "·" : $0 }))
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

    /// C0 and C1 controls, and the marks that override the direction of text (UAX #9: embeddings, overrides, isolates).
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
