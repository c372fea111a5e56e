import Foundation
import PluginKit
import TrailStores

/// `store repair`
struct RepairStore: CommandProvider {
    let registry: StoreRegistry

    private static let columns = ["part", "name", "outcome", "saved", "lost", "detail"]

    var command: Command {
        Command(
            "store repair", "saves what can be read of a damaged store into a new one",
            details: """
                Each table is read by SQLite from both ends, and page by page, where a bad page costs only itself. Rows that \
                the table's own rules refuse are kept in `lost_TABLE`, those of pages that belong to no table any more in \
                `lost_and_found`. Indexes are made anew (`rebuilt` where they were damaged); search tables and R*Trees only from \
                rows that were read whole. `lost` counts the rows that are known to be lost. The damaged store is not touched.
                """,
            .positional("store", .text, "a damaged store: a file, or an open store by name").completing(
                .openStoresAndFiles),
            .option("into", .outputFile, "the file to make; required"),
            output: .rows(Self.columns), effect: .changes,
            examples: [
                .init(
                    "a sound one", "store repair copy.db --into mended.db | count",
                    after: ["store copy :memory: copy.db"], gives: "0")
            ], searchTerms: ["recover", "rescue", "corrupt", "salvage", "mend"]
        ) { context, store, into in
            let url = try registry.location(store, parameter: "store", context)
            guard let target = into else {
                throw CommonErrors.argumentRange(
                    "say where to: --into FILE", at: .parameter("store"), fix: "--into FILE")
            }
            let report =
                DocumentFiles.mayBe(url)
                ? try DocumentRepair.repair(url, into: target)
                : try await StoreRepair.repair(url, into: target, progress: context.progress)
            let rows = report.parts.map { part -> [Value] in
                [
                    .text(part.kind), .text(part.name), .text(part.outcome.rawValue),
                    part.kind == "index" || part.kind == "view" || part.kind == "trigger"
                        ? .nothing : .integer(part.saved + part.aside),
                    part.lost > 0 ? .integer(part.lost) : .nothing, .text(part.detail),
                ]
            }
            return .table(
                columns: Self.columns, cells: rows, note: "\(report.verdict), in \(target.lastPathComponent)")
        }
    }
}
