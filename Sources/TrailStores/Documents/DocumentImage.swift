import Formats
import Foundation
import GRDB

/// Documents as a table in memory, so that database code works on them: a row per document, a column per key.
/// Numbers, strings and booleans are stored directly; objects and arrays as JSON text, for SQLite's json
/// functions.
package enum DocumentImage {
    /// Columns in addition to the keys: the document's location, and why it cannot be read.
    static let file = "file"
    package static let position = "position"
    static let fault = "fault"
    /// Unknown keys, as one JSON object.
    static let others = "others"

    /// Whether a table with these columns represents documents.
    package static func isTable(_ name: String, _ columns: [String]) -> Bool {
        DocumentLayout.kinds.contains { DocumentLayout.table(of: $0) == name } && columns.contains(fault)
            && columns.contains("id")
    }

    static func fill(_ db: Database, _ documents: DocumentFiles) throws {
        let kind = documents.recognition.kind
        let keys = DocumentLayout.keys(of: kind)
        let known = keys.needed + keys.further
        if known.isEmpty { return }
        let table = DocumentLayout.table(of: kind)
        let columns = [file, position] + known + [others, fault]
        let list = columns.map(\.sqlIdentifier).joined(separator: ", ")
        try db.execute(sql: "CREATE TABLE \(table)(\(list))")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        let insert = try db.makeStatement(sql: "INSERT INTO \(table)(\(list)) VALUES (\(marks))")
        for document in documents.documents {
            var values: [DatabaseValue] = [
                // The file name of an array depends on the path it was opened from.
                document.position == nil ? document.file.databaseValue : .null,
                document.position?.databaseValue ?? .null,
            ]
            var fault: String?
            switch document.content {
            case .success(let tree):
                values += known.map { cell(tree[$0]) }
                if case .object(let members) = tree {
                    let rest = members.filter { !known.contains($0.key) }
                    values.append(rest.isEmpty ? .null : JSONTree.object(rest).compactText.databaseValue)
                } else {
                    values.append(.null)
                    fault = "it is not an object"
                }
            case .failure(let why):
                values += known.map { _ in .null } + [.null]
                fault = why.description
            }
            values.append(fault?.databaseValue ?? .null)
            try insert.execute(arguments: StatementArguments(values))
        }
    }

    private static func cell(_ tree: JSONTree?) -> DatabaseValue {
        switch tree {
        case nil, .null?: .null
        case .boolean(let flag)?: (flag ? 1 : 0).databaseValue
        case .number(let text)?:
            Int64(text)?.databaseValue ?? Double(text)?.databaseValue ?? text.databaseValue
        case .text(let text)?: text.databaseValue
        case let other?: other.compactText.databaseValue
        }
    }
}
