import Foundation
import PluginKit
import TrailStores

/// `store repair`
struct RepairStore: CommandProvider {
    let registry: StoreRegistry

    private static let columns = ["part", "name", "outcome", "saved", "lost", "detail"]

    var name: String { "store repair" }

    var command: Command {
        Command(
            name, "recover readable rows into a new store",
            details: """
                Each table is read by SQLite from both ends, and page by page, so that a bad page costs only its own rows. Rows that \
                violate the table's constraints are kept in `lost_TABLE`, rows of pages that no table refers to in \
                `lost_and_found`; a row that no intact index names, read from wrong pointers, is kept beside its table, too; rows that refer to missing rows are kept and counted. Indexes are rebuilt (`rebuilt` marks the \
                damaged ones); search tables and R*Trees only from complete rows. `lost` counts rows known to be lost. Whether a value \
                may be wrong is said where the pages show it; SQLite keeps no checksums, so a changed byte within a value is not seen. Of a \
                folder or an archive the one store in it is repaired. The damaged store is not changed.
                """,
            .positional("store", .text, "damaged store: a file, or an open store by name").completing(
                .openStoresAndFiles),
            .requiredOption("out", .outputFile, "file to create"),
            output: .rows(Self.columns), effect: .changes,
            examples: [
                .init(
                    "an intact store", "store repair copy.db --out repaired.db | count",
                    after: ["store copy :memory: copy.db"], gives: "0")
            ],
            searchTerms: [
                "rescue data", "file is damaged", "cannot be opened",
                "recover", "rescue", "corrupt", "salvage", "fix", "mend", "repair database", "damaged sqlite",
                "malformed", "lost tables",
            ]
        ) { context, store, target in
            let named = try registry.location(store, parameter: "store", context)
            // An archive is unpacked for as long as its container lives.
            let container = try StoreRegistry.container(
                at: named, name: named.deletingPathExtension().lastPathComponent, context)
            defer { withExtendedLifetime(container) {} }
            let url = try container.map(Self.only) ?? named
            let report =
                DocumentFiles.mayBe(url)
                ? try DocumentRepair.repair(url, into: target)
                : try await StoreRepair.repair(url, into: target, progress: context.progress)
            context.tracing?.keep(
                "parts of the damaged store",
                from: .start(
                    [("store", .text(url.lastPathComponent))],
                    why:
                        "each table is read from both ends and page by page; indexes and search tables are rebuilt from it"
                ),
                candidates: report.parts.lazy.map { part in
                    .candidate(
                        [
                            ("part", .text(part.kind)), ("name", .text(part.name)),
                            ("saved", .integer(part.saved)), ("aside", .integer(part.aside)),
                            ("lost", .integer(part.lost)),
                        ], part.outcome == .lost ? .refused : part.outcome == .rebuilt ? .best : .kept,
                        why: part.detail.isEmpty
                            ? part.outcome.rawValue : "\(part.outcome.rawValue): \(part.detail)")
                }, to: .end([("rows", .integer(report.saved))], why: report.verdict))
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
        }.deciding("store repair broken.db --out repaired.db", after: StoreExample.broken)
    }

    /// The store of a container with one.
    private static func only(_ container: AppContainer) throws -> URL {
        let stores = container.items.filter { $0.storeKind != nil || $0.role == .damaged }
        guard stores.count == 1, let store = stores.first else {
            let first = stores.first.map {
                "`store repair` one of them, such as \(Literal.text($0.url.lastPathComponent))"
            }
            throw StoreErrors.folder(
                "\(container.name) contains \(stores.count, of: "store"): "
                    + stores.map(\.path).joined(separator: ", "),
                at: .parameter("store"), fix: first)
        }
        return store.url
    }
}
