import PluginKit
import TrailStores

/// Stores: opens, inspects, checks, compares, repairs and queries the databases of apps.
public struct StoresPlugin: Plugin {
    /// Its name.
    public let name = "stores"
    /// What it is for.
    public let summary = "stores of apps: open, inspect, check, compare, query, repair"
    /// Its version.
    public let version = "1.0"
    /// Libraries loaded on first use.
    public let libraries: [NativeLibrary] = [.archive, .zlib, .photos]

    private let registry = StoreRegistry()

    private let checks: [any StoreChecking]

    /// A plugin for one session.
    public init() { self.init(checks: FormatChecks.all) }

    init(checks: [any StoreChecking]) { self.checks = checks }

    /// What its commands are for.
    public var commandGroup: CommandGroup { .stores }

    /// Its commands.
    public var commands: [any CommandProvider] {
        [
            OpenStore(registry: registry), ListStores(), UseStore(), ShowStore(registry: registry),
            CheckStore(registry: registry, checks: checks), DiffStores(registry: registry),
            RepairStore(registry: registry), FixStore(registry: registry), ShowContainer(registry: registry),
            ListContainers(),
            RefreshStore(registry: registry), ListDeleted(registry: registry),
            StoreHistory(registry: registry), StoreAt(registry: registry),
            WatchStore(registry: registry),
            CopyStore(registry: registry), AdoptStore(),
            ExportTables(registry: registry), ImportTables(registry: registry),
            CloseStore(registry: registry),
            SQLCommand(registry: registry),
            ListRows(registry: registry), ShowBlob(registry: registry),
            BugBundle(), BugOpen(), BugRerun().grouped(.testing),
        ]
    }

    /// The names of commands before they were merged.
    public var formerCommands: [String: String] {
        ["store info": "store show", "store schema": "store show --schema", "store query": "sql --read-only"]
    }

    /// Its kinds of error and finding.
    public var errors: [ErrorKind] {
        StoreErrors.all + StoreSessionErrors.all + ExchangeErrors.all + BundleErrors.all
            + (SQLiteFindings.all + FormatChecks.findings).map(\.explained)
    }

    /// The names of tables and columns, for completing SQL.
    public var capabilities: [any Capability] { [SQLNames(registry: registry)] }

    /// Closes the stores that are open.
    public func close() async { registry.clear() }
}
