import Foundation
import PluginKit
import TrailStores

/// Helpers shared by the link commands.
struct LinkService {
    let service: SyncService

    static let to = Parameter.option(
        "to", .text, default: "", "receiving device; default: the only one"
    )
    .completing(.known("device"))

    func link(_ context: Context) throws -> LinkStore { try LinkStore(service.register(context)) }

    /// The queues, after edits made since the last call have been queued.
    func linkWithEdits(_ context: Context) throws -> LinkStore {
        let link = try link(context)
        try LinkSender(service: service, link: link, context: context).queueEdits()
        return link
    }

    /// The device in use and its peer on the link.
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
    let links: LinkService

    var name: String { "link send" }

    var command: Command {
        Command(
            name, "send a waypoint or dictionary to the paired device",
            details: """
                Edits and deletions on a phone or watch are queued automatically. A waypoint is sent as its transfer dictionary, from the phone with its thumbnail (under 10 KB), never with its \
                photo. userInfo is queued, context holds only the newest, a message is delivered at once or fails.
                """,
            .positional("what", .text, "waypoint by label or id, or a dictionary as JSON"),
            .option(
                "channel",
                .choice([
                    .init("userInfo", LinkChannel.userInfo.words),
                    .init("context", LinkChannel.context.words), .init("message", LinkChannel.message.words),
                ]), default: "userInfo", "channel to send on"),
            LinkService.to,
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
            let (sender, receiver) = try links.peers(to, context)
            let link = try links.linkWithEdits(context)
            let payload = try payload(what, sender, link, context)
            let text = try LinkPayload.text(payload)
            let channel = LinkChannel(rawValue: channel) ?? .userInfo
            // An edit that was just queued automatically is not queued twice.
            let isQueued =
                try channel == .userInfo
                && link.items(queuedOnly: true).contains {
                    $0.sender == sender.name && $0.receiver == receiver.name && $0.channel == channel
                        && $0.payload == payload
                }
            if isQueued { return .text("queued for \(receiver.name)") }
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
                "\(receiver.name) answers: \(try LinkDelivery(service: links.service, link: link, context: context).apply(item))"
            )
        }
    }

    private func payload(
        _ what: String, _ sender: DeviceEntry, _ link: LinkStore, _ context: Context
    ) throws -> [String: TransferDictionary.Primitive] {
        if what.hasPrefix("{") {
            guard let payload = LinkPayload.read(what) else {
                throw LinkErrors.payload("not a flat JSON object", at: .parameter("what"))
            }
            return payload
        }
        let folder = try links.service.folder(sender, context)
        let store = try WaypointStore(own: folder)
        let found = try store.waypoints(label: what) + store.waypoints(idPrefix: what, limit: 2)
        let key =
            try found.first.map { RecordKey(type: .waypoint, name: RecordName($0.id)) }
            ?? deleted(what, sender, context)
        let sending = LinkSender(service: links.service, link: link, context: context)
        guard let key, let payload = try sending.payload(key, of: sender) else {
            throw LinkErrors.payload("unknown waypoint `\(what)` on \(sender.name)", at: .parameter("what"))
        }
        return payload
    }

    /// A deleted waypoint, by the first letters of its id or by its former label.
    private func deleted(_ what: String, _ sender: DeviceEntry, _ context: Context) throws -> RecordKey? {
        let store = try links.service.store(sender, context)
        return try store.states.list().first { key, state in
            guard key.type == .waypoint, state.local.isDeleted else { return false }
            if key.name.text.lowercased().hasPrefix(what.lowercased()) { return true }
            return try store.lastLive(key)?.value("label") == .text(what)
        }?.key
    }
}

/// `link file`
struct LinkFile: CommandProvider {
    let links: LinkService

    var name: String { "link file" }

    var command: Command {
        Command(
            name, "send a file to the paired device",
            details:
                "Files have their own queue. The receiver moves the file to its folder before its handler returns.",
            .positional("file", .inputFile, "JSON file of a planned route, or file of a region"),
            .option(
                "type", .choice([.init("plannedRoute"), .init("region")]), default: "plannedRoute",
                "type of the file"),
            LinkService.to,
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "a missing one", "expect-error E-FILE-MISSING link file nothing.json",
                    after: ["device add watch wrist", "device add phone anna"])
            ]
        ) { context, file, type, to in
            let (sender, receiver) = try links.peers(to, context)
            let link = try links.link(context)
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
    let links: LinkService
    let isLog: Bool
    private static let columns = ["id", "from", "to", "channel", "type", "state", "detail"]

    var name: String { isLog ? "link log" : "link status" }

    var command: Command {
        Command(
            name,
            isLog
                ? "list everything sent over the link"
                : "list queued items of the link",
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
            let link = try links.linkWithEdits(context)
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
    let links: LinkService

    var name: String { "link deliver" }

    var command: Command {
        Command(
            name, "deliver queued items of the link",
            details: """
                Delivers only between connected devices. Queues wake an app that is not running. Repeated delivery has no effect.
                """,
            .positional("count", .integer(1...1_000_000), default: "1000000", "maximum number of items"),
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
            let link = try links.linkWithEdits(context)
            let watch = context.tracing.map { MergeRecorder(limit: $0.limit, other: "sender") }
            watch?.record(MergeSteps.queued(try link.items(queuedOnly: true).count))
            let done = try MergeRecorder.$current.withValue(watch) {
                try LinkDelivery(service: links.service, link: link, context: context).deliver(count)
            }
            if let watch {
                watch.record(MergeSteps.delivered(done.count))
                context.tracing?.keep(watch.steps, picture: MergeSteps.picture("sender"))
            }
            return .table(
                columns: ["id", "to", "channel", "type", "outcome"],
                cells: done.map {
                    [
                        .integer(Int($0.item.id)), .text($0.item.receiver), .text($0.item.channel.rawValue),
                        .text($0.item.type), .text($0.outcome),
                    ]
                })
        }.deciding(
            "link deliver",
            after: [
                "device add watch wrist", "device add phone anna",
                "waypoint add 46.5,7.9 --label Hut | get label", "link send Hut",
                "link deliver | get outcome",
                "device use wrist; waypoint edit Hut --note closed | get note",
                "device use anna; clock 1min; waypoint edit Hut --label Cabin | get label", "link send Cabin",
            ])
    }
}

/// `link drop`, `link duplicate`, `link reorder`
struct LinkFault: CommandProvider {
    /// The fault applied to the queue.
    enum Fault: String, CaseIterable {
        case drop, duplicate, reorder

        var summary: String {
            switch self {
            case .drop: "drop the next queued item"
            case .duplicate: "deliver the next queued item twice"
            case .reorder: "let a queued item overtake an earlier one"
            }
        }
    }

    let links: LinkService
    let fault: Fault

    var name: String { "link \(fault.rawValue)" }

    var command: Command {
        let overtaken = fault == .reorder ? ["link send '{\"type\": \"first\"}' --channel context"] : []
        return Command(
            name, fault.summary,
            details: fault == .reorder
                ? "Each channel keeps its order; different channels have no common order. In field mode any queue may lose its order."
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
            let link = try links.linkWithEdits(context)
            let queued = try link.items(queuedOnly: true)
            guard let first = queued.first else { throw LinkErrors.item("no queued items") }
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

    /// The item that may overtake the first: the documented contract orders items within a channel only.
    private func overtaking(_ first: LinkItem, _ queued: [LinkItem], isField: Bool) throws -> LinkItem {
        let other = queued.first {
            $0.channel != first.channel || $0.sender != first.sender || $0.receiver != first.receiver
        }
        if let found = isField ? queued.last : other { return found }
        throw LinkErrors.order(
            "all queued items are in one channel, which keeps its order", fix: "link mode field")
    }
}

/// `link mode`
struct LinkMode: CommandProvider {
    let links: LinkService

    var name: String { "link mode" }

    var command: Command {
        Command(
            name, "show or set how the link behaves",
            details:
                "In field mode a queue sometimes gets stuck until the next send or a restart of the sender.",
            .optional(
                "mode",
                .choice([
                    .init("strict", "the documented contract"),
                    .init("field", "the contract with real-world faults: stuck queues"),
                ]), "behaviour of the link"),
            output: .value("text"), effect: .changes,
            examples: [.init("the default", "link mode", gives: "strict")]
        ) { context, mode in
            let link = try links.link(context)
            if let mode { try link.set(mode: mode) }
            return .text(try link.mode())
        }
    }
}
