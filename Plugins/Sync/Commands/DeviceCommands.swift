import Foundation
import PluginKit

/// A device as a value.
struct DeviceObject: DomainObject {
    static let columns = ["name", "kind", "state", "online", "clock", "inUse"]
    static let name = Parameter.positional("name", ParameterType<String>.text, "the device").completing(
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

    var command: Command {
        Command(
            "device add", "adds a device to the session and uses it",
            details:
                "A device is a folder below the workspace with stores of its own. Other commands work on the one in use.",
            .positional("kind", .choice(of: DeviceEntry.Kind.self), "what kind of device"),
            .positional("name", .text, "what it is called"),
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
                throw SyncErrors.deviceName("`\(name)` is no name for a folder", at: .parameter("name"))
            }
            if try register.all().contains(where: { $0.name.lowercased() == name.lowercased() }) {
                throw SyncErrors.deviceName("there is a device \(name) already", at: .parameter("name"))
            }
            let device = DeviceEntry(
                name: name, kind: kind, identifier: context.random.next() | 1)
            try register.save(device)
            try service.use(device, context)
            return .object(DeviceObject(device, context))
        }
    }
}

/// `device use`
struct UseDevice: CommandProvider {
    let service: SyncService

    var command: Command {
        Command(
            "device use", "chooses the device that other commands work on",
            details: "Also the clock that they see is that of the device.",
            .optional("name", .text, "the device; without it, the session's own workspace").completing(
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

    var command: Command {
        Command(
            "device list", "lists the devices of the session",
            output: .rows(DeviceObject.columns), effect: .reads,
            examples: [
                .init(
                    "their names", "device list | get name",
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
    /// What is done to a device.
    enum Change: String, CaseIterable {
        case offline, online, suspend, resume, kill, restart

        var summary: String {
            switch self {
            case .offline: "takes a device's connection away"
            case .online: "gives a device its connection back"
            case .suspend: "suspends a device's app: queues go on, nothing else does"
            case .resume: "lets a suspended app go on"
            case .kill: "ends a device's app"
            case .restart: "starts a device's app again"
            }
        }
    }

    let service: SyncService
    let change: Change

    var command: Command {
        Command(
            "device \(change.rawValue)", change.summary,
            DeviceObject.name,
            output: .value("device"), effect: .changes,
            examples: [
                .init(
                    "a phone", "device \(change.rawValue) anna | get name", after: ["device add phone anna"],
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

    var command: Command {
        Command(
            "device reinstall", "takes a device's app and all its data away and installs it anew",
            details: """
                What the device had not sent is lost with it, as on a real phone. The next sync fetches everything. There is no \
                `undo`.
                """,
            DeviceObject.name,
            output: .value("device"), effect: .changes,
            examples: [
                .init(
                    "its waypoints are gone", "device reinstall anna; waypoint list | count",
                    after: ["device add phone anna", "waypoint add 46.5,7.9 --label Hut | get label"])
            ]
        ) { context, name in
            let register = try service.register(context)
            var device = try register.device(name)
            let folder = register.folder(device.name)
            // The old folder is moved out of the way whole, then a new one is there: a crash between leaves no half of it.
            let old = folder.deletingLastPathComponent().appendingPathComponent(".\(device.name)-removed")
            try? FileManager.default.removeItem(at: old)
            if FileManager.default.fileExists(atPath: folder.path) {
                try FileManager.default.moveItem(at: folder, to: old)
            }
            device.identifier = context.random.next() | 1
            device.state = .running
            try register.save(device)
            if context.activeWorkspace.name == device.name { try service.use(device, context) }
            try? FileManager.default.removeItem(at: old)
            return .object(DeviceObject(device, context))
        }
    }
}

/// `device clock`
struct DeviceClock: CommandProvider {
    let service: SyncService

    var command: Command {
        Command(
            "device clock", "makes a device's clock wrong, or right again with 0s",
            DeviceObject.name,
            .positional(
                "offset", .quantity(.duration, in: -3.2e9...3.2e9),
                "how far it is ahead; less than nothing is behind"),
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
struct DeviceWords: KnownWords {
    let service: SyncService
    var kind: String { "device" }

    func words(context: Context) -> [ParameterKind.Choice] {
        let devices = (try? service.register(context).all()) ?? []
        return devices.map { ParameterKind.Choice($0.name, $0.kind.rawValue) }
    }
}
