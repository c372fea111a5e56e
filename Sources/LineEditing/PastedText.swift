/// Converts pasted text to input.
enum PastedText {
    /// Decodes the text of a bracketed paste.
    ///
    /// libedit's terminal mode swaps carriage return and line feed, so either order of the pair is one line end.
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

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }
}
