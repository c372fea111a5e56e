import PluginKit
import TrailStores

/// What became of the rows of a store that was opened.
enum StoreAccount {
    /// The account of a store of hikes or waypoints; `nil` for other kinds, and for one that cannot be read, which its commands report.
    static func account(of entry: OpenStores.Entry) -> SourceAccount? {
        switch entry.kind {
        case .waypoints: account(of: entry, WaypointStore.self) { try $0.readable() }
        case .hikes: account(of: entry, HikeStore.self) { try $0.readable() }
        default: nil
        }
    }

    private static func account<Store: TrailStore, Row>(
        of entry: OpenStores.Entry, _ type: Store.Type, _ rows: (Store) throws -> ([Row], [RowProblem])
    ) -> SourceAccount? {
        guard let store = try? Store(entry.url, access: .foreign), let (read, problems) = try? rows(store)
        else { return nil }
        var account = UnreadableRows(problems).account(used: read.count)
        account.source = entry.name
        return account
    }
}
