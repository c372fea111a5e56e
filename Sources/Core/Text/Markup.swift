/// Escapes text for XML and HTML, between tags and in attributes in double quotes.
public enum Markup {
    /// Text in XML 1.0. Characters that it cannot represent become U+FFFD.
    public static func xml(_ text: some StringProtocol) -> String {
        escaped(text) { isAllowed($0) ? $0 : "\u{FFFD}" }
    }

    /// Text in HTML. Control characters other than line ends and tabs become U+FFFD.
    public static func html(_ text: some StringProtocol) -> String {
        escaped(text) { isAllowed($0) && !(0x7F...0x9F).contains($0.value) ? $0 : "\u{FFFD}" }
    }

    /// The reference that stands for a scalar; `nil` for one that is written as it is.
    public static func reference(for scalar: Unicode.Scalar) -> StaticString? {
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        // A parser would read it as a line feed.
        case "\r": "&#13;"
        default: nil
        }
    }

    /// Whether XML 1.0 can represent a scalar (section 2.2, Char).
    public static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: true
        case 0..<0x20, 0xFFFE, 0xFFFF: false
        default: true
        }
    }

    private static func escaped(
        _ text: some StringProtocol, _ written: (Unicode.Scalar) -> Unicode.Scalar
    ) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if let reference = reference(for: scalar) {
                result += reference.description
            } else {
                result.unicodeScalars.append(written(scalar))
            }
        }
        return result
    }
}
