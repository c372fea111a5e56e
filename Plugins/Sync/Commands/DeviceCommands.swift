import Foundation
import PluginKit

/// A device as a value.
struct DeviceObject: DomainObject {
    static let columns = ["name", "kind", "state", "online", "clock", "inUse"]
    static let name = Parameter.positional("name", ParameterType<String>.text, "name of the device")
        .completing(
            .known("device"))
    let device: DeviceEntry
    let isInUse: Bool

    init(_ device: DeviceEntry, _ context: Context) {
        self.device = device
        isInUse = context.activeWorkspace.name == device.name
    }

    var typeName: String { "device" }
    var fieldNames: [String] { Self.columns + ["rule"] }
    var summary: String { device.name }

    func field(_ name: String) -> Value? {
        switch name {
        case "name": .text(device.name)
        case "kind": .text(device.kind.rawValue)
        case "state": .text(device.state.rawValue)
        case "online": .boolean(device.isOnline)
        case "clock": .quantity(.seconds(Double(device.offset) / 1000))
        case "inUse": .boolean(isInUse)
        case "rule": .text(device.rule.rawValue)
        default: nil
        }
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
            ], searchTerms: ["phone", "watch", "mac"]
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
            ]
        ) { context in
            .table(
                objects: try service.register(context).all().map { DeviceObject($0, context) },
                columns: DeviceObject.columns)
        }
    }
}

/// `device offline`, `device online`, `device suspend`, `device resume`, `device kill`, `device restart`
struct ChangeDevice: CommandProvider {
    /// The change made to a device.
    enum Change: String, CaseIterable {
        case offline, online, suspend, resume, kill, restart

        var summary: String {
            switch self {
            case .offline: "disconnect a device"
            case .online: "reconnect a device"
            case .suspend: "suspend a device's app; only queues continue"
            case .resume: "resume a suspended app"
            case .kill: "terminate a device's app"
            case .restart: "restart a device's app"
            }
        }
    }

    let service: SyncService
    let change: Change

    var name: String { "device \(change.rawValue)" }

    var command: Command {
        Command(
            name, change.summary,
            DeviceObject.name,
            output: .value("device"), effect: .changes,
            examples: [
                .init(
                    "a phone", "\(name) anna | get name", after: ["device add phone anna"],
                    gives: "anna")
            ]
        ) { context, name in
            let register = try service.register(context)
            var device = try register.device(name)
            switch change {
            case .offline: device.isOnline = false
            case .online: device.isOnline = true
            case .suspend: device.state = .suspended
            case .resume, .restart: device.state = .running
            case .kill: device.state = .killed
            }
            try register.save(device)
            if change == .restart { try LinkStore(register).free(device.name) }
            return .object(DeviceObject(device, context))
        }
    }
}

/// `device reinstall`
struct ReinstallDevice: CommandProvider {
    let service: SyncService

    var name: String { "device reinstall" }

    var command: Command {
        Command(
            name, "delete a device's app and data and install it again",
            details: """
                Unsent changes are lost, as on a real phone. The next sync fetches everything. Cannot be undone.
                """,
            DeviceObject.name,
            output: .value("device"), effect: .changes,
            examples: [
                .init(
                    "reinstall deletes waypoints", "device reinstall anna; waypoint list | count",
                    after: ["device add phone anna", "waypoint add 46.5,7.9 --label Hut | get label"])
            ]
        ) { context, name in
            let register = try service.register(context)
            var device = try register.device(name)
            let folder = register.folder(device.name)
            // The old folder is renamed whole before the new one exists, so that a crash leaves no half-deleted folder.
            let old = folder.deletingLastPathComponent().appendingPathComponent(".\(device.name)-removed")
            FileManager.default.discard(old)
            if FileManager.default.fileExists(atPath: folder.path) {
                try FileManager.default.moveItem(at: folder, to: old)
            }
            device.identifier = context.random.next() | 1
            device.state = .running
            try register.save(device)
            if context.activeWorkspace.name == device.name { try service.use(device, context) }
            FileManager.default.discard(old)
            return .object(DeviceObject(device, context))
        }
    }
}

/// `device clock`
struct DeviceClock: CommandProvider {
    let service: SyncService

    var name: String { "device clock" }

    var command: Command {
        Command(
            name, "set the error of a device's clock; 0s corrects it",
            DeviceObject.name,
            .positional(
                "offset", .quantity(.duration, in: -3.2e9...3.2e9),
                "offset ahead of true time; negative is behind"),
            output: .value("device"), effect: .changes,
            examples: [
                .init(
                    "five minutes ahead", "device clock anna 5min | get clock",
                    after: ["device add phone anna"],
                    gives: "5min")
            ]
        ) { context, name, offset in
            let register = try service.register(context)
            var device = try register.device(name)
            device.offset = Int64((offset * 1000).rounded())
            try register.save(device)
            if context.activeWorkspace.name == device.name { context.clock.offset = device.offset }
            return .object(DeviceObject(device, context))
        }
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
