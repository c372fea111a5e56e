extension String {
    /// A name of a table or column as SQL writes it, whatever characters it has.
    package var sqlIdentifier: String { "\"" + replacing("\"", with: "\"\"") + "\"" }

    /// A text as SQL writes it.
    package var sqlLiteral: String { "'" + replacing("'", with: "''") + "'" }
}
