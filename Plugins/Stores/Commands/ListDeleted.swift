import Foundation
import PluginKit
import TrailStores

/// `store deleted`
struct ListDeleted: CommandProvider {
    let registry: StoreRegistry

    private static let columns = ["table", "row", "confidence", "what", "place", "remark"]

    var name: String { "store deleted" }

    var command: Command {
        Command(
            name, "list deleted rows that are still in the file",
            details: """
                Searches free pages, free space inside pages and overwritten pages of the log for rows that are no longer in a table, including those of \
                dropped tables. `confidence` is high if the whole cell is intact, medium if its start was overwritten (the row's \
                number is then unknown), low if a value is cut off or the row fits several tables. Each row has a field for each column, and all of them in `values`. \
                Apps that open their stores with `secure_delete` leave nothing.
                """,
            StoreOptions.store,
            .option("table", .text, "only rows of this table").completing(.known(SQLNames.word)),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "a store without any", "store deleted copy.db | count",
                    after: ["store copy :memory: copy.db"],
                    gives: "0")
            ],
            searchTerms: [
                "get back deleted data",
                "forensics", "undelete", "recover", "dropped", "freelist", "carve", "deleted rows",
                "lost data", "recover deleted", "removed rows", "recover messages", "erased",
            ]
        ) { context, name, table in
            let (label, url) = try StoreHistory.target(registry, name, context)
            guard let search = try DeletedRows.search(url, check: { try context.checkCancelled() }) else {
                throw StoreSessionErrors.notADatabase(url)
            }
            let rows = search.rows.filter { table == nil || $0.table == table }
            let counts = RecordCarver.Confidence.allCases.map { level in
                (level.rawValue, rows.count { $0.confidence == level })
            }.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
            let words = counts.isEmpty ? "no deleted rows" : "deleted rows: \(counts.joined(separator: ", "))"
            return .table(
                columns: Self.columns, rows: rows.map { .object(DeletedRowObject(row: $0)) },
                note: "\(words) in \(label)")
        }
    }
}

/// A deleted row as a value of the workbench, with a field for each of its columns.
struct DeletedRowObject: DomainObject {
    let row: DeletedRows.Row

    private static let own = ["table", "row", "confidence", "what", "place", "remark", "values"]

    var typeName: String { "deleted row" }
    var fieldNames: [String] { Self.own + row.columns.filter { !Self.own.contains($0) } }

    func field(_ name: String) -> Value? {
        switch name {
        case "table": Value(row.table) { .text($0) }
        case "row": Value(row.number) { .integer(Int($0)) }
        case "confidence": .text(row.confidence.rawValue)
        case "what": .text(summary)
        case "place": .text(row.location)
        case "remark": Value(row.remark) { .text($0) }
        case "values": .record(Record(keys: row.columns, values: row.cells.map(ChangeRows.value)))
        default: row.columns.firstIndex(of: name).map { ChangeRows.value(row.cells[$0]) }
        }
    }

    /// The first text values of the row.
    var summary: String {
        let texts = row.cells.compactMap(\.text).filter { !$0.isEmpty }
        return texts.isEmpty
            ? row.cells.map(\.shown).joined(separator: ", ") : texts.prefix(3).joined(separator: ", ")
    }
}
