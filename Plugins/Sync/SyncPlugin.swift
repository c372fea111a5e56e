import PluginKit

/// Sync: devices, the watch link, the cloud, and a simulator that searches for data loss.
public struct SyncPlugin: Plugin {
    /// The plugin's name.
    public let name = "sync"
    /// The summary shown by `plugins`.
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

    /// The commands of devices, the cloud, the simulator and the watch link.
    public var commands: [any CommandProvider] {
        let devices: [any CommandProvider] = [
            AddDevice(service: service), UseDevice(service: service), ListDevices(service: service),
            DeviceClock(service: service), ReinstallDevice(service: service),
        ]
        let states = ChangeDevice.Change.allCases.map { ChangeDevice(service: service, change: $0) }
        let runs = SyncMachine.Mode.allCases.map { RunSync(service: service, mode: $0) }
        let cloud: [any CommandProvider] = [
            SyncStatus(service: service), SyncPlan(service: service), SyncLog(service: service),
            SyncConflicts(service: service), RestoreConflict(service: service),
            ExplainRecord(service: service),
            SyncRuleCommand(service: service), Subscribe(service: service), SyncAccount(service: service),
            SyncCompare(service: service), SyncAside(service: service), SetUpCloud(service: service),
            CloudRestored(service: service),
        ]
        let simulator: [any CommandProvider] = [Simulate(service: service), Replay(service: service)]
        return devices + states + runs + cloud + simulator + linkCommands
    }

    private var linkCommands: [any CommandProvider] {
        let links = LinkService(service: service)
        return [
            LinkSend(links: links), LinkFile(links: links), LinkList(links: links, isLog: false),
            LinkList(links: links, isLog: true), LinkDeliver(links: links), LinkMode(links: links),
        ] + LinkFault.Fault.allCases.map { LinkFault(links: links, fault: $0) }
    }

    /// The kinds of error its commands throw.
    public var errors: [ErrorKind] { SyncErrors.all + LinkErrors.all }

    /// Completion of device names; notifications of cloud changes.
    public var capabilities: [any Capability] {
        [DeviceCompletions(service: service), CloudNotifications(service: service)]
    }

    /// Closes its files.
    public func close() async { service.close() }
}
