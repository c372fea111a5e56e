import Formats
import Foundation
import PluginKit
import TrailStores

/// JSON: a row is an object with a key for each column. Reals have a point or an exponent; values without a
/// JSON notation are objects: `{"blob": "base64"}`, `{"real": "inf"}`, `{"text": "base64"}` for text that is
/// not UTF-8.
enum JSONTable {
    static func tree(_ cell: StoredCell) -> JSONTree {
        switch cell {
        case .null: .null
        case .integer(let number): .number(String(number))
        case .real(let number):
            number.isInfinite
                ? .object([.init("real", .text(CellNumber.text(number)))]) : .number(CellNumber.text(number))
        case .text(let bytes):
            if let text = String(validating: bytes, as: UTF8.self) {
                .text(text)
            } else {
                .object([.init("text", .text(Data(bytes).base64EncodedString()))])
            }
        case .blob(let bytes): .object([.init("blob", .text(Data(bytes).base64EncodedString()))])
        }
    }

    static func row(_ columns: [String], _ cells: [StoredCell]) -> JSONTree {
        .object(zip(columns, cells).map { .init($0, tree($1)) })
    }

    static func cell(_ tree: JSONTree) throws(RutterError) -> StoredCell {
        switch tree {
        case .null: return .null
        case .boolean(let flag): return .integer(flag ? 1 : 0)
        case .number(let text):
            if let whole = Int64(text) { return .integer(whole) }
            guard let number = Double(text) else { throw ExchangeErrors.text("\(text) is not a number") }
            return .real(number)
        case .text(let text): return .text(Array(text.utf8))
        case .object(let members):
            if members.count == 1, let special = special(members[0]) { return special }
            return .text(Array(tree.compactText.utf8))
        case .list: return .text(Array(tree.compactText.utf8))
        }
    }

    private static func special(_ member: JSONTree.Member) -> StoredCell? {
        guard let text = member.value.text else { return nil }
        switch member.key {
        case "blob": return Data(base64Encoded: text).map { .blob(Array($0)) }
        case "text": return Data(base64Encoded: text).map { .text(Array($0)) }
        case "real" where text == "inf": return .real(.infinity)
        case "real" where text == "-inf": return .real(-.infinity)
        default: return nil
        }
    }

    /// The rows of each table; a document without table names has one table, named "".
    static func tables(_ data: Data) throws(RutterError) -> [(table: String, rows: [JSONTree])] {
        let tree: JSONTree
        do {
            tree = try JSONTree(parsing: data)
        } catch {
            throw ExchangeErrors.text("not JSON: \(error)")
        }
        switch tree {
        case .list(let rows): return [("", rows)]
        case .object(let members):
            var tables: [(String, [JSONTree])] = []
            for member in members {
                guard let rows = member.value.items else {
                    throw ExchangeErrors.text("`\(member.key)` is not an array of rows")
                }
                tables.append((member.key, rows))
            }
            return tables
        default: throw ExchangeErrors.text("neither an array of rows nor an object of tables")
        }
    }
}
