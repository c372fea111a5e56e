/// Double-quoted YAML text.
enum QuotedYAML {
    /// The text in quotes, in one line.
    static func text(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case _ where mustBeEscaped(scalar):
                let digits = String(scalar.value, radix: 16)
                let length = digits.utf8.count <= 4 ? 4 : 8
                quoted += length == 4 ? "\\u" : "\\U"
                quoted += String(repeating: "0", count: length - digits.utf8.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// Control characters, line ends, byte order marks, and noncharacters.
    private static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar.properties.isNoncharacterCodePoint
            || [0x2028, 0x2029, 0xFEFF].contains(scalar.value)
    }
}
