/// Escapes a line of output as an expected line that matches exactly it.
enum OutputEscaping {
    /// The expected line. Text that would parse as a pattern, `...`, or a prompt, and control characters not
    /// allowed in a document, are written as `<<re:…>>`.
    static func expected(_ output: String) -> String {
        let line = output.trimmedAtEnd
        let scalars = Array(line.unicodeScalars)
        let special = marks(scalars, line)
        guard special.contains(true) else { return line }
        var text = ""
        var index = 0
        while index < scalars.count {
            guard special[index] else {
                text.unicodeScalars.append(scalars[index])
                index += 1
                continue
            }
            text += "<<re:"
            while index < scalars.count, special[index] {
                text += escaped(scalars[index])
                index += 1
            }
            text += ">>"
        }
        return text
    }

    /// The scalars that must be escaped.
    private static func marks(_ scalars: [Unicode.Scalar], _ line: String) -> [Bool] {
        if TextBytes.equal(line, OutputPattern.gap) { return scalars.map { _ in true } }
        var marks = scalars.map(isControl)
        if PromptedLine.isPrompted(line) { marks[0] = true }
        for index in scalars.indices.reversed() where scalars[index] == "<" {
            // A single `<` is literal, unless another one follows.
            let isFollowed = index + 1 < scalars.count && (scalars[index + 1] == "<" || marks[index + 1])
            let isPreceded = index > 0 && scalars[index - 1] == "<"
            if isFollowed || isPreceded { marks[index] = true }
        }
        return marks
    }

    /// Control characters except tab, and characters that some software treats as line ends.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        let isLineEnd = scalar == "\u{2028}" || scalar == "\u{2029}" || scalar == "\u{FEFF}"
        return isLineEnd || (scalar != "\t" && scalar.properties.generalCategory == .control)
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        if isControl(scalar) { return "\\x{\(String(scalar.value, radix: 16))}" }
        return scalar == "." ? "\\." : String(scalar)
    }
}
