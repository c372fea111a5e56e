import PluginTestKit
import Testing

/// Cells of databases are read with their storage class checked.
struct RowAccessTests {
    /// GRDB's subscripts convert, and end the process where a cell is of another type. `TypedRow` and `fromDatabaseValue` do not.
    @Test func noSubscriptConverts() throws {
        for file in try SourceFile.all() where file.imports.contains("GRDB") && !file.isTypedRow {
            for line in file.text.split(separator: "\n") {
                var rest = line
                while let access = rest.firstMatch(of: /\brow\??\[(?:"[^"]*"|\d+)\]|\$0\["[^"]*"\]/) {
                    let isChecked =
                        rest[..<access.range.lowerBound].hasSuffix("fromDatabaseValue(")
                        || rest[access.range.upperBound...].hasPrefix(" as DatabaseValue")
                    #expect(isChecked, "\(file.path): \(line)")
                    rest = rest[access.range.upperBound...]
                }
            }
        }
    }
}

extension SourceFile {
    /// Whether its rows are those of the checks of stores, which hold every cell with its storage class.
    fileprivate var isTypedRow: Bool { path.hasPrefix("Plugins/Stores/Checks/") }
}
