import GRDB
import PluginKit
import TrailStores

/// Parts of a schema that no format has: they change or refuse what an app writes.
enum SchemaFindings {
    static let trigger = FindingKind(
        .warning, "F-SCHEMA-TRIGGER", "a trigger changes what is written",
        why:
            "The format has no triggers: this one runs whenever an app writes, and may change or delete other rows.",
        fix: "find out which program added it, and drop it in a copy: DROP TRIGGER name")
    static let unique = FindingKind(
        .warning, "F-SCHEMA-UNIQUE", "an index refuses rows that the format allows",
        why:
            "The format requires no unique values there: an app fails to write a second row with the same value.",
        fix: "find out which program added it, and drop it in a copy: DROP INDEX name")
    static let view = FindingKind(
        .warning, "F-SCHEMA-VIEW", "a view is in the place of a table",
        why: "Apps that write the table fail, and so may apps that look for its row numbers.",
        fix: "find out which program moved the table; `sql` reads the view")
    static let all = [trigger, unique, view] + DeclarationChecks.all

    /// Triggers of Rutter's own, and those that SQLite's modules create.
    private static let ownPrefix = "rutter_"

    /// Checks the schema of a database against its format.
    static func check(_ run: CheckRun, _ kind: StoreKind) throws {
        guard let format = StoreFormat.of(kind), [.waypoints, .hikes, .routing, .transit].contains(kind)
        else { return }
        for table in format.tables { try DeclarationChecks(run: run, table: table).check() }
        let names = Set(format.tables.map { $0.name.lowercased() })
        let isAppTable = { (name: String) in
            format.tables.contains { $0.hasUUIDKey && $0.name.lowercased() == name.lowercased() }
        }
        let sql = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"
        for row in try Row.fetchAll(run.db, sql: sql) {
            let cells = TypedRow(row, of: "sqlite_master")
            guard let type: String = try? cells.allow("type"), let name: String = try? cells.allow("name"),
                let table: String = try? cells.allow("tbl_name"), !name.hasPrefix(ownPrefix)
            else { continue }
            let text: String? = (try? cells.allow("sql")) ?? nil
            switch type {
            case "trigger" where names.contains(table.lowercased()):
                run.add(trigger, table: table, "trigger \(name) on \(table)\(effects(text ?? "", of: table))")
            case "view" where names.contains(name.lowercased()):
                run.add(view, table: name, "\(name) is a view, not a table")
            // Constraints of timetables are their format's own; apps' tables have none.
            case "index" where names.contains(text == nil ? "" : table.lowercased()) || isAppTable(table):
                try unique(run, name, table, format)
            default: break
            }
        }
    }

    /// The tables that a trigger deletes from, or writes.
    private static func effects(_ sql: String, of table: String) -> String {
        let body = sql.uppercased().range(of: "BEGIN").map { String(sql[$0.upperBound...]) } ?? sql
        let words = body.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        var effects: [String] = []
        for (word, verb) in [("delete", "deletes"), ("update", "changes"), ("insert", "adds")]
        where words.contains(Substring(word)) {
            effects.append(verb)
        }
        return effects.isEmpty ? "" : ", which \(effects.joined(separator: ", ")) rows"
    }

    /// An index that requires unique values without including the key.
    private static func unique(_ run: CheckRun, _ name: String, _ table: String, _ format: StoreFormat) throws
    {
        // Origin pk is the primary key's own index, u that of a constraint in the table.
        let isUnique: Int? = try run.value(
            "SELECT \"unique\" AND origin <> 'pk' FROM pragma_index_list(\(table.sqlLiteral)) WHERE name = \(name.sqlLiteral)"
        )
        guard isUnique == 1 else { return }
        let columns = try String.fetchAll(
            run.db, sql: "SELECT coalesce(name, 'an expression') FROM pragma_index_info(?)", arguments: [name]
        )
        let key = format.tables.first { $0.name.lowercased() == table.lowercased() }?.key ?? []
        if !key.isEmpty, Set(columns.map { $0.lowercased() }).isSuperset(of: key.map { $0.lowercased() }) {
            return
        }
        // Identifiers of other programs, such as the cloud's, are unique as well.
        run.add(unique, table: table, "unique index \(name) on \(table)(\(columns.joined(separator: ", ")))")
    }
}
