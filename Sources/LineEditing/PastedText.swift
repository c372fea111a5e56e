/// A paste, made fit to be typed.
enum PastedText {
    /// One line of a paste, and whether Enter follows it.
    struct Line: Equatable {
        var text: String
        var isEntered: Bool
    }

    /// Decodes what stood between the brackets of a paste.
    ///
    /// libedit's terminal mode swaps carriage return and line feed, so either order of a pair is one line's end.
    /// Control characters would act as keys, or as escape sequences when shown, and are dropped.
    static func clean(_ bytes: [UInt8]) -> String {
        var result = String.UnicodeScalarView()
        var lineEnd: Unicode.Scalar?
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if scalar == "\n" || scalar == "\r" {
                if let end = lineEnd, end != scalar {
                    lineEnd = nil
                    continue
                }
                lineEnd = scalar
                result.append("\n")
                continue
            }
            lineEnd = nil
            if scalar == "\t" || !isControl(scalar) { result.append(scalar) }
        }
        return String(result)
    }

    /// The lines to be typed one after another.
    static func lines(of text: String) -> [Line] {
        var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { Line(text: String($0), isEntered: true) }
        guard let last = lines.popLast() else { return [] }
        return last.text.isEmpty ? lines : lines + [Line(text: last.text, isEntered: false)]
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }
}
