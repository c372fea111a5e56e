import PluginKit
import TrailStores

/// `store diff`
struct DiffStores: LegacyCommand {
    let registry: StoreRegistry

    private static let first = Parameter.positional("first", .text, "an open store by name, or a file")
        .completing(.openStoresAndFiles)
    private static let second = Parameter.positional("second", .text, "what to compare it with")
        .completing(.openStoresAndFiles)
    private static let sync = Parameter.flag("ignore-sync", "leave out what only synchronisation writes")
    private static let table = Parameter.option("table", .text, "compare this table only")
        .completing(.known(SQLNames.word))
    private static let markdown = Parameter.flag("markdown", "the same as Markdown text, for a bug report")
    private static let columns = ["table", "key", "change", "field", "first", "second"]

    let spec = CommandSpec(
        "store diff", "tells what differs between two stores",
        details: """
            Rows are told apart by the key of their table, UUIDs in either case; all fields are compared, a blob byte by \
            byte. A row for each field that differs, and for each row that is in one store only. Columns that only one of \
            the stores has are named in the line below. --ignore-sync leaves out modified_at and cloudkit_record_id.
            """,
        parameters: [first.spec, second.spec, sync.spec, table.spec, markdown.spec], output: .rows(columns),
        effect: .reads,
        examples: [
            .init("a store and itself", "store diff :memory: :memory: | count", gives: "0")
        ], searchTerms: ["compare", "difference", "changes"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let first = try registry.chosen(try arguments[Self.first], parameter: "first", context)
        let second = try registry.chosen(try arguments[Self.second], parameter: "second", context)
        let comparison = StoreComparison(
            first.connection, second.connection,
            ignoring: try arguments[Self.sync] ? CompareSettings.syncColumns : [],
            table: try arguments[Self.table])
        let difference = try await comparison.run(progress: context.progress)
        let report = DifferenceReport(difference: difference, first: first.name, second: second.name)
        return try arguments[Self.markdown] ? .text(report.markdown) : report.table(Self.columns)
    }
}
