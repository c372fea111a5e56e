import PluginKit

/// Sync: devices, the watch link, the cloud, and a simulator that searches for data loss.
public struct SyncPlugin: Plugin {
    /// The plugin's name.
    public let name = "sync"
    /// The summary shown by `plugin list`.
    public let summary = "devices, the watch link, the cloud with conflict resolution, a simulator of faults"
    /// Its version.
    public let version = "1.0"
    /// Libraries loaded on first use.
    public let libraries: [NativeLibrary] = CloudKinds.libraries + [.crypto]

    /// Servers that notebooks may require.
    public var servers: [NotebookServer] { CloudKinds.notebookServers }

    private let service = SyncService()

    /// A plugin for one session.
    public init() {}

    /// What its commands are for.
    public var commandGroup: CommandGroup { .sync }

    /// The commands of devices, the cloud, the simulator and the watch link.
    public var commands: [any CommandProvider] {
        let links = LinkService(service: service)
        return [
            AddDevice(service: service), UseDevice(service: service), ListDevices(service: service),
            SetDevice(service: service),
            RunSync(service: service), SyncPlan(service: service), SyncStatus(service: service),
            SyncLog(service: service), SyncConflicts(service: service), RestoreConflict(service: service),
            ExplainRecord(service: service), SyncRuleCommand(service: service), Subscribe(service: service),
            SyncAccount(service: service), SyncCompare(service: service), SetUpCloud(service: service),
            CloudRestored(service: service), CloudChecklist(), Simulate(service: service).grouped(.testing),
            LinkSend(links: links), LinkList(links: links), LinkDeliver(links: links), LinkMode(links: links),
        ]
    }

    /// The names of commands before they were merged.
    public var formerCommands: [String: String] {
        [
            "sync aside": "sync conflicts --aside", "sync replay": "sync simulate",
            "link file": "link send --file", "link status": "link list", "link log": "link list --all",
            "link drop": "link deliver --drop", "link duplicate": "link deliver --twice",
            "link reorder": "link deliver --last", "device offline": "device set NAME --network off",
            "device online": "device set NAME --network on", "device clock": "device set NAME --clock",
            "device suspend": "device set NAME --state suspended",
            "device resume": "device set NAME --state running",
            "device kill": "device set NAME --state killed",
            "device restart": "device set NAME --state restarted",
            "device reinstall": "device set NAME --state reinstalled",
        ]
    }

    /// The kinds of error its commands throw.
    public var errors: [ErrorKind] { SyncErrors.all + LinkErrors.all }

    /// When a device syncs.
    public var settings: [SettingSpec] { [SyncRun.atLaunch.spec] }

    /// Completion of device names; notifications of cloud changes.
    public var capabilities: [any Capability] {
        [DeviceCompletions(service: service), CloudNotifications(service: service)]
    }

    /// Closes its files.
    public func close() async { service.close() }
}
