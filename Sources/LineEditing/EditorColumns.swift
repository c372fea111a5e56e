import CLibEdit

/// The columns of scalars as libedit counts them, which determines where it puts the cursor. Requires a UTF-8 locale.
enum EditorColumns {
    /// The columns of a scalar; 0 for combining, nil for nonprinting ones.
    static func of(_ scalar: Unicode.Scalar) -> Int? {
        let width = cle_columns(scalar.value)
        return width < 0 ? nil : Int(width)
    }

    /// A text without its nonprinting scalars.
    static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { of($0) != nil }))
    }
}
