import PluginKit

/// Sync: devices, the watch link, the cloud, and a simulator that hunts for lost data.
public struct SyncPlugin: Plugin {
    /// The name of the area.
    public let name = "sync"
    /// What it is for.
    public let summary = "devices, the watch link, the cloud with conflict resolution, a simulator of faults"
    /// Its version.
    public let version = "1.0"

    /// A plugin for one session.
    public init() {}

    /// Its commands.
    public var commands: [any Command] { [] }
}
