import Foundation
import PluginKit
import TrailStores

/// What the commands of the link share.
struct LinkDesk {
    let service: SyncService

    static let to = Parameter.option(
        "to", .text, default: "", "the other device; without it, the only one there is"
    )
    .completing(.known("device"))

    func link(_ context: Context) throws -> LinkStore { try LinkStore(service.register(context)) }

    /// The device in use and the one it is linked with.
    func peers(_ to: String, _ context: Context) throws -> (sender: DeviceEntry, receiver: DeviceEntry) {
        let sender = try service.device(context)
        let wanted: DeviceEntry.Kind? = sender.kind == .phone ? .watch : sender.kind == .watch ? .phone : nil
        guard let wanted else { throw LinkErrors.peers("a \(sender.kind.rawValue) has no watch link") }
        let others = try service.register(context).all().filter { $0.kind == wanted }
        if to.isEmpty {
            guard others.count == 1, let other = others.first else {
                throw LinkErrors.peers(
                    "\(others.isEmpty ? "there is no" : "there is more than one") \(wanted.rawValue)",
                    fix: others.isEmpty ? "device add \(wanted.rawValue) NAME" : "--to NAME")
            }
            return (sender, other)
        }
        let receiver = try service.register(context).device(to, parameter: "to")
        guard receiver.kind == wanted else {
            throw LinkErrors.peers("\(sender.name) and \(receiver.name) have no link", at: .parameter("to"))
        }
        return (sender, receiver)
    }
}

/// `link send`
struct LinkSend: CommandProvider {
    let desk: LinkDesk

    var command: Command {
        Command(
            "link send", "sends a waypoint or a dictionary to the paired device",
            details: """
                A waypoint travels as its transfer dictionary, from the phone with its thumbnail (under 10 KB), never with its \
                photo. userInfo is queued, context has one slot that the newest takes, a message goes at once or not at all.
                """,
            .positional("what", .text, "a waypoint by label or id, or a dictionary as JSON"),
            .option(
                "channel",
                .choice([
                    .init("userInfo", LinkChannel.userInfo.words),
                    .init("context", LinkChannel.context.words), .init("message", LinkChannel.message.words),
                ]), default: "userInfo", "the channel"),
            LinkDesk.to,
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "a waypoint to the watch", "link send Hut",
                    after: [
                        "device add watch wrist", "device add phone anna",
                        "waypoint add 46.5,7.9 --label Hut | get label",
                    ], gives: "queued for wrist")
            ]
        ) { context, what, channel, to in
            let (sender, receiver) = try desk.peers(to, context)
            let link = try desk.link(context)
            let payload = try payload(what, sender, context)
            let text = try LinkPayload.text(payload)
            let channel = LinkChannel(rawValue: channel) ?? .userInfo
            if channel == .message {
                guard sender.isOnline, receiver.isOnline, sender.state == .running, receiver.state == .running
                else {
                    throw LinkErrors.unreachable(
                        "\(receiver.name) cannot be reached", fix: "link send … --channel userInfo")
                }
            }
            try link.add(
                context.random.uuid().uuidString, from: sender.name, to: receiver.name, channel, text,
                file: nil,
                at: context.clock.now)
            guard channel == .message, let item = try link.items(queuedOnly: true).last else {
                return .text("queued for \(receiver.name)")
            }
            return .text(
                "\(receiver.name) answers: \(try LinkDelivery(link: link, context: context).apply(item))")
        }
    }

    private func payload(
        _ what: String, _ sender: DeviceEntry, _ context: Context
    ) throws -> [String: TransferDictionary.Primitive] {
        if what.hasPrefix("{") {
            guard let payload = LinkPayload.read(what) else {
                throw LinkErrors.payload("this is no flat JSON object", at: .parameter("what"))
            }
            return payload
        }
        let store = try WaypointStore(own: try desk.service.register(context).folder(sender.name))
        let found = try store.waypoints(label: what) + store.waypoints(idPrefix: what, limit: 2)
        guard let waypoint = found.first else {
            throw LinkErrors.payload("there is no waypoint \(what) on \(sender.name)", at: .parameter("what"))
        }
        let thumbnail = sender.kind == .phone ? try store.photo(of: waypoint.id).thumbnail : nil
        let fits = thumbnail.map { $0.count <= StoreSettings.largestThumbnail } ?? false
        return TransferDictionary.make(waypoint, thumbnail: fits ? thumbnail : nil)
    }
}

/// `link file`
struct LinkFile: CommandProvider {
    let desk: LinkDesk

    var command: Command {
        Command(
            "link file", "sends a file to the paired device",
            details:
                "Files have a queue of their own. The receiver moves the file to its place before its handler returns.",
            .positional("file", .inputFile, "a planned route's JSON file, or a region's file"),
            .option(
                "type", .choice([.init("plannedRoute"), .init("region")]), default: "plannedRoute",
                "what it is"),
            LinkDesk.to,
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "there is none", "expect-error E-FILE-MISSING link file nothing.json",
                    after: ["device add watch wrist", "device add phone anna"])
            ]
        ) { context, file, type, to in
            let (sender, receiver) = try desk.peers(to, context)
            let link = try desk.link(context)
            let message = context.random.uuid().uuidString
            try FileManager.default.createDirectory(at: link.files, withIntermediateDirectories: true)
            try Data(contentsOf: file).write(to: link.files.appendingPathComponent(message), options: .atomic)
            let payload: [String: TransferDictionary.Primitive] = [
                "type": .text(type), "name": .text(file.lastPathComponent),
            ]
            try link.add(
                message, from: sender.name, to: receiver.name, .file, try LinkPayload.text(payload),
                file: file.lastPathComponent, at: context.clock.now)
            return .text("queued for \(receiver.name)")
        }
    }
}

/// `link status` and `link log`
struct LinkList: CommandProvider {
    let desk: LinkDesk
    let isLog: Bool
    private static let columns = ["id", "from", "to", "channel", "type", "state", "detail"]

    var command: Command {
        Command(
            isLog ? "link log" : "link status",
            isLog
                ? "lists everything that was ever sent over the link"
                : "lists what is on its way over the link",
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "one waypoint", "\(isLog ? "link log" : "link status") | get state",
                    after: [
                        "device add watch wrist", "device add phone anna",
                        "waypoint add 46.5,7.9 --label Hut | get label", "link send Hut",
                    ], gives: "queued")
            ]
        ) { context in
            let link = try desk.link(context)
            return .table(
                columns: Self.columns,
                cells: try link.items(queuedOnly: !isLog).map { item in
                    let isStuck = item.state == .queued ? try link.isStuck(item) : false
                    return [
                        .integer(Int(item.id)), .text(item.sender), .text(item.receiver),
                        .text(item.channel.rawValue), .text(item.type),
                        .text(isStuck ? "stuck" : item.state.rawValue), .text(item.detail),
                    ]
                })
        }
    }
}

/// `link deliver`
struct LinkDeliver: CommandProvider {
    let desk: LinkDesk

    var command: Command {
        Command(
            "link deliver", "delivers what is on its way over the link",
            details: """
                Only between devices that are connected. Queues wake an app that does not run. Delivering twice changes nothing.
                """,
            .positional("count", .integer(1...1_000_000), default: "1000000", "how many at most"),
            output: .rows(["id", "to", "channel", "type", "outcome"]), effect: .changes,
            examples: [
                .init(
                    "a waypoint", "link deliver | get outcome",
                    after: [
                        "device add watch wrist", "device add phone anna",
                        "waypoint add 46.5,7.9 --label Hut | get label", "link send Hut",
                    ], gives: "applied")
            ]
        ) { context, count in
            let link = try desk.link(context)
            let done = try LinkDelivery(link: link, context: context).deliver(count)
            return .table(
                columns: ["id", "to", "channel", "type", "outcome"],
                cells: done.map {
                    [
                        .integer(Int($0.item.id)), .text($0.item.receiver), .text($0.item.channel.rawValue),
                        .text($0.item.type), .text($0.outcome),
                    ]
                })
        }
    }
}

/// `link drop`, `link duplicate`, `link reorder`
struct LinkFault: CommandProvider {
    /// What happens to the queue.
    enum Fault: String, CaseIterable {
        case drop, duplicate, reorder

        var summary: String {
            switch self {
            case .drop: "loses what would be delivered next"
            case .duplicate: "lets what would be delivered next arrive twice"
            case .reorder: "lets something overtake what was sent before it"
            }
        }
    }

    let desk: LinkDesk
    let fault: Fault

    var command: Command {
        let overtaken = fault == .reorder ? ["link send '{\"type\": \"first\"}' --channel context"] : []
        return Command(
            "link \(fault.rawValue)", fault.summary,
            details: fault == .reorder
                ? "Each channel keeps its own order; across channels there is none. In the field also a queue may lose its order."
                : "",
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "a waypoint", "link \(fault.rawValue)",
                    after: ["device add watch wrist", "device add phone anna"] + overtaken + [
                        "waypoint add 46.5,7.9 --label Hut | get label", "link send Hut",
                    ], gives: "\(fault.rawValue): waypoint for wrist")
            ]
        ) { context in
            let link = try desk.link(context)
            let queued = try link.items(queuedOnly: true)
            guard let first = queued.first else { throw LinkErrors.item("nothing is on its way") }
            let item =
                fault == .reorder ? try overtaking(first, queued, isField: try link.mode() == "field") : first
            switch fault {
            case .drop: try link.set(item, .dropped, "lost on the way")
            case .duplicate: try link.duplicate(item)
            case .reorder: try link.moveToFront(item)
            }
            return .text("\(fault.rawValue): \(item.type) for \(item.receiver)")
        }
    }

    /// What may overtake the first: the documented contract promises an order within a channel, and none across.
    private func overtaking(_ first: LinkItem, _ queued: [LinkItem], isField: Bool) throws -> LinkItem {
        let other = queued.first {
            $0.channel != first.channel || $0.sender != first.sender || $0.receiver != first.receiver
        }
        if let found = isField ? queued.last : other { return found }
        throw LinkErrors.order(
            "all that is on its way is in one channel, which keeps its order", fix: "link mode field")
    }
}

/// `link mode`
struct LinkMode: CommandProvider {
    let desk: LinkDesk

    var command: Command {
        Command(
            "link mode", "tells or sets how the link behaves",
            details:
                "In the field a queue now and then gets stuck until the next send or a restart of the sender.",
            .optional(
                "mode",
                .choice([
                    .init("strict", "the documented contract"),
                    .init("field", "also what happens in the wild: stuck queues"),
                ]), "how the link behaves"),
            output: .value("text"), effect: .changes,
            examples: [.init("the default", "link mode", gives: "strict")]
        ) { context, mode in
            let link = try desk.link(context)
            if let mode { try link.set(mode: mode) }
            return .text(try link.mode())
        }
    }
}
