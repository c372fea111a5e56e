extension String {
    /// A quoted SQL identifier.
    package var sqlIdentifier: String { "\"" + replacing("\"", with: "\"\"") + "\"" }

    /// A quoted SQL string literal.
    package var sqlLiteral: String { "'" + replacing("'", with: "''") + "'" }
}
