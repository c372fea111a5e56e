import PluginKit
import TrailStores

/// `store diff`
struct DiffStores: CommandProvider {
    let registry: StoreRegistry

    private static let columns = ["table", "key", "change", "field", "first", "second"]

    var name: String { "store diff" }

    var command: Command {
        Command(
            name, "list the differences between two stores",
            details: """
                Rows are matched by the key of their table, UUIDs in either case; all fields are compared, blobs byte by \
                byte. Returns a row for each field that differs, and for each row that only one store has. Columns that only one of \
                the stores has are named in the note. Two containers are compared store by store, those at the same path or of the same \
                kind. --ignore-sync skips modified_at and cloudkit_record_id.
                """,
            .positional("first", .text, "open store by name, or a file").completing(.openStoresAndFiles),
            .positional("second", .text, "store to compare with").completing(.openStoresAndFiles),
            .flag("ignore-sync", "skip columns that only synchronisation writes"),
            .option("table", .text, "compare this table only").completing(.known(SQLNames.word)),
            .flag("markdown", "return Markdown text, for a bug report"),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init("a store and itself", "store diff :memory: :memory: | count", gives: "0")
            ],
            searchTerms: [
                "compare", "difference", "changes", "compare databases", "before and after",
                "two versions of a database", "what did the app change",
            ]
        ) { context, first, second, sync, table, markdown in
            let containers = [
                try registry.container(first, parameter: "first", context),
                try registry.container(second, parameter: "second", context),
            ].compactMap(\.self)
            if containers.count == 2 {
                let report = try await compare(containers[0], containers[1], sync, context)
                report.trace(context)
                return markdown ? .text(report.markdown) : report.table(Self.columns)
            }
            let first = try registry.chosen(first, parameter: "first", context)
            let second = try registry.chosen(second, parameter: "second", context)
            let comparison = StoreComparison(
                first.connection, second.connection,
                ignoring: sync ? CompareSettings.syncColumns : [],
                table: table)
            let difference = try await comparison.run(progress: context.progress)
            let report = DifferenceReport(difference: difference, first: first.name, second: second.name)
            report.trace(context)
            return markdown ? .text(report.markdown) : report.table(Self.columns)
        }.deciding("store diff waypoints.db broken.db", after: StoreExample.broken)
    }

    /// The differences of two containers, store by store; a table is named after its store.
    private func compare(
        _ first: AppContainer, _ second: AppContainer, _ sync: Bool, _ context: Context
    ) async throws -> DifferenceReport {
        var sum = StoreDifference()
        var rest = second.stores
        for item in first.stores {
            let same =
                rest.firstIndex { $0.path == item.path } ?? rest.firstIndex { $0.storeKind == item.storeKind }
            guard let same else {
                sum.counts.append(Self.alone(item, "not in \(second.name)"))
                continue
            }
            let other = rest.remove(at: same)
            let comparison = StoreComparison(
                try StoreConnection.reading(item.url), try StoreConnection.reading(other.url),
                ignoring: sync ? CompareSettings.syncColumns : [])
            sum.append(try await comparison.run(progress: context.progress), of: item.path)
        }
        for item in rest { sum.counts.append(Self.alone(item, "not in \(first.name)")) }
        return DifferenceReport(difference: sum, first: first.name, second: second.name)
    }

    private static func alone(_ item: ContainerItem, _ remark: String) -> StoreDifference.Count {
        var count = StoreDifference.Count(table: item.path)
        count.remarks = [remark]
        return count
    }
}
