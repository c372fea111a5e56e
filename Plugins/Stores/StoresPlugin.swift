import PluginKit
import TrailStores

/// Stores: opening the databases of apps, looking into them, checking them, asking them questions in SQL.
public struct StoresPlugin: Plugin {
    /// Its name.
    public let name = "stores"
    /// What it is for.
    public let summary = "the stores of apps: open, look into, check, compare, query, mend, bundle"
    /// Its version.
    public let version = "1.0"
    /// What is loaded when it is first used.
    public let libraries: [NativeLibrary] = [.archive, .zlib, .photos]

    private let shelf = StoreShelf()

    /// A plugin for one session.
    public init() {}

    /// Its commands.
    public var commands: [any Command] {
        [
            OpenStore(shelf: shelf), ListStores(), UseStore(), ShowStore(shelf: shelf),
            StoreSchema(shelf: shelf),
            CheckStore(shelf: shelf), DiffStores(shelf: shelf), RepairStore(shelf: shelf),
            CopyStore(shelf: shelf), AdoptStore(),
            ExportTables(shelf: shelf), ImportTables(shelf: shelf), CloseStore(shelf: shelf),
            SQLCommand(shelf: shelf),
            BugBundle(), BugOpen(), BugRerun(),
        ]
    }

    /// The kinds of error and finding it knows.
    public var errors: [ErrorKind] {
        StoreErrors.all + StoreSessionErrors.all + ExchangeErrors.all + BundleErrors.all
            + (SQLiteFindings.all + FormatChecks.findings).map(\.explained)
    }

    /// The names of tables and columns, for completing SQL.
    public var capabilities: [any Capability] { [SQLNames(shelf: shelf)] }

    /// Closes the stores that are open.
    public func close() async { shelf.clear() }
}
