/// SQLite's affinity of a column, by its declared type: https://www.sqlite.org/datatype3.html#determination_of_column_affinity
package enum ColumnAffinity: Sendable {
    case integer, text, blob, real, numeric

    /// The affinity of a declared type; empty without one. In a STRICT table ANY keeps every value as it is written, while in
    /// another it converts texts that look like numbers: https://www.sqlite.org/stricttables.html
    package init(_ type: String, isStrict: Bool) {
        let type = type.uppercased()
        if isStrict, type == "ANY" {
            self = .blob
        } else if type.contains("INT") {
            self = .integer
        } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
            self = .text
        } else if type.isEmpty || type.contains("BLOB") {
            self = .blob
        } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
            self = .real
        } else {
            self = .numeric
        }
    }

    /// A type of this affinity.
    package var word: String {
        switch self {
        case .integer: "INTEGER"
        case .text: "TEXT"
        case .blob: "BLOB"
        case .real: "REAL"
        case .numeric: "NUMERIC"
        }
    }
}
