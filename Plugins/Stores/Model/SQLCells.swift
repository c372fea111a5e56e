import PluginKit
import TrailStores

/// Results of SQL as values of the workbench.
enum SQLCells {
    /// A cell as a value: a blob by its size.
    static func value(_ cell: SQLQuery.Cell) -> Value {
        switch cell {
        case .null: .nothing
        case .integer(let number): .integer(Int(number))
        case .real(let number): .number(number)
        case .text(let text): .text(text)
        case .blob(let bytes): .text("blob of \(bytes) bytes")
        }
    }

    /// SQL that returns the condition for a column to have the value of a row, in printable ASCII, so that it
    /// can be displayed unchanged. For a blob it tests the size.
    static func condition(_ column: String) -> String {
        let name = column.sqlLiteral
        return """
            CASE WHEN typeof(\(column)) = 'blob' THEN 'typeof(' || \(name) || ') = ''blob'' AND length(' || \(name) || ') = ' || length(\(column))
            WHEN typeof(\(column)) = 'text' AND \(column) GLOB '*[^ -~]*' THEN \(name) || ' IS CAST(x''' || hex(\(column)) || ''' AS TEXT)'
            ELSE \(name) || ' IS ' || quote(\(column)) END
            """
    }

    /// Makes column names unique: a join or expressions may repeat them.
    static func unique(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.map { name in
            var free = name
            var number = 2
            while !seen.insert(free).inserted {
                free = "\(name)_\(number)"
                number += 1
            }
            return free
        }
    }
}
