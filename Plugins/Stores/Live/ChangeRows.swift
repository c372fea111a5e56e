import PluginKit
import TrailStores

/// Changed rows as values.
enum ChangeRows {
    static let columns = ["commit", "table", "row", "change", "field", "before", "after"]
    /// Maximum number of commits listed.
    static let mostCommits = 100_000

    static func values(
        _ change: RowChange, commit: Int, store: String? = nil, note: String? = nil
    ) -> [Value] {
        let prefix: [(String, Value)] = store.map { [("store", .text($0))] } ?? []
        return change.fields.map { field in
            .record(
                Record(
                    prefix + [
                        ("commit", .integer(commit)),
                        ("table", .text(change.table)),
                        ("row", .integer(Int(change.number))), ("change", .text(change.change.word)),
                        ("field", .text(field.name)), ("before", value(field.before)),
                        ("after", value(field.after)),
                        ("id", Value(change.id) { .text($0) }), ("note", Value(note) { .text($0) }),
                    ]))
        }
    }

    static func value(_ cell: StoredCell) -> Value {
        switch cell {
        case .null: .nothing
        case .integer(let number): .integer(Int(number))
        case .real(let number): .number(number)
        case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
        case .blob: .text(cell.shown)
        }
    }
}
