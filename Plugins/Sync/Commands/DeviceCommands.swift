import Foundation
import PluginKit

/// A device as a value.
struct DeviceObject: FieldedObject {
    static let name = Parameter.positional("name", ParameterType<String>.text, "name of the device")
        .completing(
            .known("device"))
    let device: DeviceEntry
    let isInUse: Bool
    /// What came of the sync when its app started; `nil` without one.
    let sync: String?

    init(_ device: DeviceEntry, sync: String? = nil, _ context: Context) {
        self.device = device
        self.sync = sync
        isInUse = context.activeWorkspace.name == device.name
    }

    var typeName: String { "device" }
    var summary: String { device.name }

    static let fields = FieldTable<Self> {
        Field(column: "name") { .text($0.device.name) }
        Field(column: "kind") { .text($0.device.kind.rawValue) }
        Field(column: "state") { .text($0.device.state.rawValue) }
        Field(column: "online") { .boolean($0.device.isOnline) }
        Field(column: "clock") { .quantity(.seconds(Double($0.device.offset) / 1000)) }
        Field(column: "inUse") { .boolean($0.isInUse) }
        Field("rule") { .text($0.device.rule.rawValue) }
        Field("sync", where: { $0.sync != nil }) { Value($0.sync, Value.text) }
    }
}

/// `device add`
struct AddDevice: CommandProvider {
    let service: SyncService

    var name: String { "device add" }

    var command: Command {
        Command(
            name, "add a device and use it",
            details:
                "A device is a folder in the workspace with its own stores. Other commands work on the device in use.",
            .positional("kind", .choice(of: DeviceEntry.Kind.self), "kind of device"),
            .positional("name", .text, "name of the device"),
            output: .value("device"), effect: .changes,
            examples: [
                .init("a phone", "device add phone anna | select name kind inUse | get name", gives: "anna")
            ],
            searchTerms: [
                "second phone", "tablet", "pair", "phone", "watch", "mac", "simulate phones", "two phones",
                "new tablet",
            ]
        ) { context, kind, name in
            let register = try service.register(context)
            let isPlain = name.utf8.allSatisfy {
                ($0 | 32 >= 97 && $0 | 32 <= 122) || ($0 >= 48 && $0 <= 57) || $0 == 45 || $0 == 95
            }
            guard !name.isEmpty, isPlain, name.utf8.count <= 64 else {
                throw SyncErrors.deviceName("`\(name)` is not a valid device name", at: .parameter("name"))
            }
            if try register.all().contains(where: { $0.name.lowercased() == name.lowercased() }) {
                throw SyncErrors.deviceName("a device \(name) already exists", at: .parameter("name"))
            }
            let device = DeviceEntry(
                name: name, kind: kind, identifier: context.random.next() | 1)
            try register.save(device)
            try LinkStore(register).setQueued(name, upTo: 0)
            try service.use(device, context)
            return .object(DeviceObject(device, context))
        }
    }
}

/// `device use`
struct UseDevice: CommandProvider {
    let service: SyncService

    var name: String { "device use" }

    var command: Command {
        Command(
            name, "set the device that other commands work on",
            details: "Commands also use the device's clock.",
            .optional("name", .text, "name of the device; default: the session's own workspace").completing(
                .known("device")),
            output: .value("text"), effect: .reads,
            examples: [
                .init(
                    "back and forth", "device use anna",
                    after: ["device add phone anna", "device add watch wrist"],
                    gives: "anna, a phone")
            ],
            searchTerms: [
                "switch device", "change the device", "act as another phone", "switch to the other phone",
            ]
        ) { context, name in
            guard let name else {
                try service.use(nil, context)
                return .text("the session's own workspace")
            }
            let device = try service.register(context).device(name)
            try service.use(device, context)
            return .text("\(device.name), a \(device.kind.rawValue)")
        }
    }
}

/// `device list`
struct ListDevices: CommandProvider {
    let service: SyncService

    var name: String { "device list" }

    var command: Command {
        Command(
            name, "list the devices of the session",
            output: .rows(DeviceObject.columns), effect: .reads,
            examples: [
                .init(
                    "device names", "device list | get name",
                    after: ["device add phone anna", "device add mac desk"],
                    gives: "anna\ndesk")
            ], searchTerms: ["my devices", "which phones", "which devices"]
        ) { context in
            .table(
                objects: try service.register(context).all().map { DeviceObject($0, context) },
                columns: DeviceObject.columns)
        }
    }
}

/// `device set`
struct SetDevice: CommandProvider {
    let service: SyncService

    /// What can happen to a device's app.
    enum State: String, CaseIterable {
        case running, suspended, killed, restarted, reinstalled

        var words: String {
            switch self {
            case .running: "the app runs on after a suspension"
            case .suspended: "the app is suspended; only queues continue"
            case .killed: "the app is terminated"
            case .restarted: "the app is started again, which frees its queues"
            case .reinstalled: "the app and its data are deleted, and it is installed again"
            }
        }
    }

    var name: String { "device set" }

    var command: Command {
        Command(
            name, "set a device's network, clock or app state",
            details: """
                Without an option the device is shown. --clock is the offset ahead of true time, negative behind, 0s right. A reinstallation \
                loses unsent changes, as on a real phone, and cannot be undone; the next sync fetches everything. With \
                `set sync.at-launch true` an app that starts syncs with the workspace's cloud, and the result says what came of it.
                """,
            DeviceObject.name,
            .option("network", .choice([.init("on"), .init("off")]), "connect or disconnect the device"),
            .option(
                "clock", .quantity(.duration, in: -3.2e9...3.2e9), "offset of its clock from true time"),
            .option("state", .choice(of: State.self) { $0.words }, "state of its app"),
            output: .value("device"), effect: .changes,
            examples: [
                .init(
                    "without a network", "device set anna --network off | get online",
                    after: ["device add phone anna"], gives: "false"),
                .init(
                    "five minutes ahead", "device set anna --clock 5min | get clock",
                    after: ["device add phone anna"], gives: "5min"),
                .init(
                    "a suspended app", "device set anna --state suspended | get state",
                    after: ["device add phone anna"], gives: "suspended"),
                .init(
                    "a reinstallation deletes waypoints",
                    "device set anna --state reinstalled; waypoint list | count",
                    after: ["device add phone anna", "waypoint add 46.5,7.9 --label Hut | get label"]),
            ],
            searchTerms: [
                "erase one device", "delete everything on one device",
                "simulate offline", "offline phone", "airplane mode", "no signal",
                "offline", "online", "suspend", "resume", "kill", "restart", "reinstall", "clock",
                "flight mode", "no network", "go offline", "switch off the network",
                "wrong clock",
            ]
        ) { context, name, network, clock, state in
            let register = try service.register(context)
            var device = try register.device(name)
            let wasRunning = device.state == .running
            if let network { device.isOnline = network == "on" }
            if let clock { device.offset = Int64((clock * 1000).rounded()) }
            switch state {
            case .running, .restarted: device.state = .running
            case .suspended: device.state = .suspended
            case .killed: device.state = .killed
            case .reinstalled: try reinstall(&device, register, context)
            case nil: break
            }
            try register.save(device)
            if state == .restarted { try LinkStore(register).free(device.name) }
            let isInUse = context.activeWorkspace.name == device.name
            if isInUse, state == .reinstalled { try service.use(device, context) }
            if isInUse, clock != nil { context.clock.offset = device.offset }
            if state == .reinstalled { FileManager.default.discard(Self.removed(device, register)) }
            let starts = state == .restarted || state == .reinstalled || (state == .running && !wasRunning)
            var sync: String?
            if starts, try context.value(of: SyncRun.atLaunch) {
                sync = try await SyncRun(service: service, context: context, device: device).launch()
            }
            return .object(DeviceObject(device, sync: sync, context))
        }
    }

    /// The old folder is renamed whole before the new one exists, so that a crash leaves no half-deleted folder.
    private func reinstall(
        _ device: inout DeviceEntry, _ register: DeviceRegister, _ context: Context
    ) throws {
        let folder = register.folder(device.name)
        let old = Self.removed(device, register)
        FileManager.default.discard(old)
        if FileManager.default.fileExists(atPath: folder.path) {
            try FileManager.default.moveItem(at: folder, to: old)
        }
        device.identifier = context.random.next() | 1
        device.state = .running
    }

    /// The folder of a removed app.
    private static func removed(_ device: DeviceEntry, _ register: DeviceRegister) -> URL {
        register.folder(device.name).deletingLastPathComponent().appendingPathComponent(
            ".\(device.name)-removed")
    }
}

/// Names of devices, for completion.
struct DeviceCompletions: CompletionSource {
    let service: SyncService
    var kind: String { "device" }

    func words(context: Context) -> [ParameterKind.Choice] {
        // If the register cannot be read, no names are offered; the command reports the reason.
        let devices = (try? service.register(context).all()) ?? []
        return devices.map { ParameterKind.Choice($0.name, $0.kind.rawValue) }
    }
}
