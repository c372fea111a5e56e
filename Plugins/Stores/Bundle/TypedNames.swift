import Foundation
import GRDB
import PluginKit
import TrailStores

/// Names that were typed into entries: they are in no file that is packed, and remain in the entries.
enum TypedNames {
    /// Options whose value names something, or says something about it.
    private static let options: Set<String> = [
        "label", "name", "note", "comment", "title", "description", "keywords", "author",
    ]

    /// The values of such options in an entry.
    static func values(in entry: String) -> [String] {
        let pattern = #/--([A-Za-z-]+)[ =]+(?:'([^']*)'|"([^"]*)"|([^\s;|]+))/#
        return entry.matches(of: pattern).compactMap { match in
            guard options.contains(String(match.1)),
                let text = (match.2 ?? match.3 ?? match.4).map(String.init)
            else { return nil }
            // A word in lower case may be one of the language elsewhere in the entries.
            return text.allSatisfy({ $0.isLowercase || $0.isNumber }) ? nil : text
        }
    }

    /// The texts in quotes of an entry; of a statement of SQL, those inside it.
    static func literals(in entry: String) -> [String] {
        quoted(in: entry).flatMap { text in
            let word = text.uppercased().split { !$0.isLetter }.first
            return word.map { statements.contains(String($0)) } ?? false ? quoted(in: text) : [text]
        }
    }

    private static func quoted(in text: String) -> [String] {
        text.matches(of: #/'([^']*)'|"([^"]*)"/#).compactMap { ($0.1 ?? $0.2).map(String.init) }
    }

    private static let statements: Set = [
        "SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "EXPLAIN", "PRAGMA",
    ]

    /// The names in the session's own stores as they are now, also in those that are not packed.
    static func stored(in workspace: URL, _ columns: [(table: String, column: String)]) -> [String] {
        let kinds: [StoreKind] = [.waypoints, .hikes]
        return kinds.flatMap { kind -> [String] in
            // A store that is missing or cannot be read has no names to replace; what is typed is remarked all the same.
            guard let connection = try? StoreConnection(kind.url(in: workspace), access: .ownReading) else {
                return []
            }
            return columns.flatMap { table, column -> [String] in
                let sql =
                    "SELECT DISTINCT \(column.sqlIdentifier) FROM \(table.sqlIdentifier) WHERE typeof(\(column.sqlIdentifier)) = 'text'"
                return (try? connection.read { db in try String.fetchAll(db, sql: sql) }) ?? []
            }
        }
    }

    /// A remark on the texts that are left in blanked entries; `nil` if there are none. Texts without letters and names of
    /// files are none; replaced names neither.
    static func remark(_ entries: [String], _ names: NameTable, files: [String]) -> String? {
        let replaced = Set(names.pairs.map(\.new))
        let left = Set(entries.flatMap { literals(in: $0) }).filter { text in
            text.contains(where: \.isLetter) && !replaced.contains(text)
                && !files.contains { text.contains($0) }
        }
        guard !left.isEmpty else { return nil }
        return
            "\(left.count, of: "typed text") \(left.count == 1 ? "remains" : "remain") in the entries as typed: names among them are not blanked"
    }
}
