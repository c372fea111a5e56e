import Foundation
import PluginKit

/// One sync of a device: by `sync`, or when its app starts.
struct SyncRun {
    /// Whether devices sync when their app starts, as the app does.
    static let atLaunch = Setting(
        "sync.at-launch", .boolean, default: "false", "sync a device when its app starts, as the app does")

    let service: SyncService
    let context: Context
    let device: DeviceEntry

    /// Syncs, and logs the end. Throws `E-SYNC-OFFLINE` for a device that cannot reach the cloud, and the errors of the sync.
    func run(
        _ mode: SyncMachine.Mode, cloud address: String?, mayDeleteMany: Bool = false
    ) async throws -> SyncDriver.Result {
        try checkAvailability()
        let cloud = try service.cloud(address, device, context)
        let driver = SyncDriver(
            context: context, device: device, folder: try service.folder(device, context))
        let result = try await driver.run(
            mode, store: { try service.store(device, context) }, cloud: cloud, mayDeleteMany: mayDeleteMany)
        SyncEvents.completed(result, context)
        return result
    }

    private func checkAvailability() throws(RutterError) {
        guard device.isOnline, device.state == .running else {
            throw SyncErrors.offline(
                "\(device.name) is \(device.isOnline ? device.state.rawValue : "offline")",
                fix: device.isOnline
                    ? "device set \(device.name) --state restarted" : "device set \(device.name) --network on"
            )
        }
    }

    /// Syncs with the workspace's cloud, as the app does when it starts; returns what came of it. A sync that fails does not keep
    /// an app from starting.
    func launch() async throws -> String {
        do {
            let counts = try await run(.now, cloud: nil).counts
            return "pushed \(counts.pushed), pulled \(counts.pulled), deleted \(counts.deleted)"
        } catch let error as RutterError where error.kind != CommonErrors.interrupted {
            context.log.error("sync at launch of \(device.name) failed: \(error.message)")
            return "failed: \(error.message) (\(error.kind.code))"
        }
    }
}
