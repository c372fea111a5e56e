import CivilTime
import Foundation
import PluginKit
import Synchronization
import TrailStores

/// The state that a session's commands share: the devices, and the cloud in use.
final class SyncService: Sendable {
    private let opened = Mutex<DeviceRegister?>(nil)

    /// A cloud that the prompt watches.
    struct Subscription: Sendable {
        let device: String
        let watch: CloudWatcher
        /// The last number reported at the prompt.
        var reported: Int64
    }

    let subscription = Mutex<Subscription?>(nil)

    /// The devices of the workspace. Throws `E-STORE-KIND` while a foreign store is in use: devices have
    /// their own stores.
    func register(_ context: Context) throws -> DeviceRegister {
        _ = try context.ownStore(.link)
        return try opened.withLock { opened in
            if let opened { return opened }
            let register = try DeviceRegister(home: context.activeWorkspace.home)
            opened = register
            return register
        }
    }

    func close() {
        subscribe(nil)
        opened.withLock { $0 = nil }
    }

    /// Replaces the watched cloud.
    func subscribe(_ new: Subscription?) {
        let old = subscription.withLock { subscription in
            defer { subscription = new }
            return subscription
        }
        old?.watch.stop()
    }

    /// The device in use.
    func device(_ context: Context) throws -> DeviceEntry {
        let register = try register(context)
        guard let name = context.activeWorkspace.name else {
            throw SyncErrors.noDevice(
                "no device is in use",
                fix: try register.all().isEmpty
                    ? "device add phone NAME, then device use NAME" : "device use NAME")
        }
        return try register.device(name)
    }

    /// Uses a device: later commands work on its folder, with its clock.
    func use(_ device: DeviceEntry?, _ context: Context) throws {
        guard let device else {
            context.activeWorkspace.use(nil)
            context.clock.offset = 0
            return
        }
        context.activeWorkspace.use((device.name, try folder(device, context)))
        context.clock.offset = device.offset
    }

    /// A device's folder; created if missing.
    func folder(_ device: DeviceEntry, _ context: Context) throws -> URL {
        let folder = try register(context).folder(device.name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// A device's folder as the engine sees it, or another folder with records of the device.
    func store(_ device: DeviceEntry, in other: URL? = nil, _ context: Context) throws -> FolderStore {
        // Photos are named by their checksums.
        try NativeLibrary.crypto.require()
        let folder = try other ?? folder(device, context)
        do {
            return try FolderStore(
                folder, device: device.identifier, now: context.clock.trueNow,
                identity: { _ in context.random.next() | 1 })
        } catch { throw SyncMemory.explained(error, isOfMemory: false) }
    }

    /// A read-only view in which edits since the last sync are already captured, as the next sync would.
    func storeAsEdited(_ device: DeviceEntry, in other: URL? = nil, _ context: Context) throws -> FolderStore
    {
        var store = try store(device, in: other, context)
        for key in try store.changedKeys() {
            try LocalChangeDetector.record(key, in: &store, now: device.now(context), rule: device.rule)
        }
        return store
    }

    /// Throws if the network may not be used.
    func checkNetwork(_ context: Context, parameter: String) throws {
        guard context.files.allowsNetwork else {
            throw CommonErrors.confined("the network may not be used here", at: .parameter(parameter))
        }
    }

    /// The named cloud, or the workspace's own file.
    func cloud(_ name: String?, _ device: DeviceEntry, _ context: Context) throws -> any CloudBackend {
        let (kind, address) = try CloudKinds.kind(of: name)
        if kind.usesNetwork { try checkNetwork(context, parameter: "cloud") }
        let cloud = try kind.open(
            CloudAddress(
                text: address, epoch: context.random.next() | 1,
                file: {
                    try $0.map { try context.files.output($0) }
                        ?? StoreKind.cloud.url(in: context.activeWorkspace.home)
                }))
        return decorated(cloud, device)
    }

    /// The cloud decorated for the device's rule.
    private func decorated(_ cloud: some CloudBackend, _ device: DeviceEntry) -> any CloudBackend {
        device.rule == .seed ? SeedCloud.seed(cloud) : cloud
    }
}
