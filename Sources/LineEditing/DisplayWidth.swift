import CLibEdit

/// The width of text in columns, as counted by libedit. Requires a UTF-8 locale.
enum DisplayWidth {
    /// The columns of a scalar; 0 for combining, nil for nonprinting ones.
    static func columns(of scalar: Unicode.Scalar) -> Int? {
        let width = cle_columns(scalar.value)
        return width < 0 ? nil : Int(width)
    }

    static func columns(of text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + (columns(of: $1) ?? 0) }
    }

    /// Text without nonprinting scalars, truncated to a width with an ellipsis.
    static func fitted(_ text: String, to width: Int) -> String {
        let scalars = text.unicodeScalars.filter { columns(of: $0) != nil }
        let printable = String(String.UnicodeScalarView(scalars))
        guard columns(of: printable) > width else { return printable }
        guard width > 0 else { return "" }
        var result = ""
        var used = 0
        for character in printable {
            let columns = columns(of: String(character))
            if used + columns > width - 1 { break }
            result.append(character)
            used += columns
        }
        return result + "…"
    }

    /// Text padded with spaces to a width.
    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - columns(of: text)))
    }
}
