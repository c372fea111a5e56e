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
        guard let wanted = sender.kind.linked else {
            throw LinkErrors.peers("a \(sender.kind.rawValue) has no watch link")
        }
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
    /// Waypoints that an ambiguous name lists.
    private static let mostCandidates = 5

    var name: String { "link send" }

    var command: Command {
        Command(
            name, "send a waypoint, dictionary or file to a device",
            details: """
                Edits and deletions on a phone or watch are queued automatically. A waypoint is sent as its transfer dictionary, from the phone with its thumbnail (under 10 KB), never with its \
                photo. userInfo is queued, context holds only the newest, a message is delivered at once or fails. Files have \
                their own queue; the receiver moves the file to its folder before its handler returns.
                """,
            .optional("what", .text, "waypoint by label or id, or a dictionary as JSON"),
            .option("file", .inputFile, "send a file: the JSON of a planned route, or a region"),
            .option(
                "type", .choice([.init("plannedRoute"), .init("region")]), default: "plannedRoute",
                "type of the file"),
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
                    ], gives: "queued for wrist"),
                .init(
                    "a missing file", "expect-error E-FILE-MISSING link send --file nothing.json",
                    after: ["device add watch wrist", "device add phone anna"]),
            ],
            searchTerms: [
                "send to my watch", "transfer to the watch", "transfer", "route", "region", "watch",
                "transfer to watch", "apple watch", "phone to watch",
            ]
        ) { context, what, file, type, channel, to in
            let (sender, receiver) = try links.peers(to, context)
            if let file {
                if what != nil {
                    throw LinkErrors.payload("a file is sent alone", at: .parameter("what"))
                }
                return try send(file, type, from: sender, to: receiver, context)
            }
            guard let what else {
                throw LinkErrors.payload(
                    "nothing to send", at: .parameter("what"),
                    fix: "link send LABEL, or link send --file FILE")
            }
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
            if case .text(let id)? = payload["id"], payload["type"] == .text("waypoint") {
                SyncEvents.queued(id, for: receiver.kind, context)
            }
            guard channel == .message, let item = try link.items(queuedOnly: true).last else {
                return .text("queued for \(receiver.name)")
            }
            return .text(
                "\(receiver.name) answers: \(try LinkDelivery(service: links.service, link: link, context: context).apply(item))"
            )
        }
    }

    private func send(
        _ file: URL, _ type: String, from sender: DeviceEntry, to receiver: DeviceEntry, _ context: Context
    ) throws -> Value {
        let link = try links.link(context)
        let message = context.random.uuid().uuidString
        try FileManager.default.createDirectory(at: link.files, withIntermediateDirectories: true)
        let data = try Data(contentsOf: file)
        var payload: [String: TransferDictionary.Primitive] = [
            "type": .text(type), "name": .text(file.lastPathComponent),
        ]
        // A damaged route is sent as it is: its receiver reports why it cannot be used.
        if type == LinkItem.plannedRoute, let route = try? PlannedRouteJSON.route(data) {
            payload["routeId"] = .text(route.id.uuidString)
            payload["name"] = .text(route.name)
        }
        try data.write(to: link.files.appendingPathComponent(message), options: .atomic)
        try link.add(
            message, from: sender.name, to: receiver.name, .file, try LinkPayload.text(payload),
            file: file.lastPathComponent, at: context.clock.now)
        return .text("queued for \(receiver.name)")
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
        let labelled = try store.waypoints(label: what)
        let found =
            labelled.isEmpty && NameMatch.mayBeginIdentifier(what)
            ? try store.waypoints(idPrefix: what, limit: Self.mostCandidates) : labelled
        guard found.count < 2 else {
            throw LinkErrors.payload(
                "`\(what)` matches \(found.count) waypoints on \(sender.name)", at: .parameter("what"),
                fix: "use an id: " + found.prefix(Self.mostCandidates).map(\.shortID).joined(separator: ", "))
        }
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
            let begins = key.name.text.lowercased().hasPrefix(what.lowercased())
            if begins, NameMatch.mayBeginIdentifier(what) { return true }
            return try store.lastLive(key)?.value("label") == .text(what)
        }?.key
    }
}

/// `link list`
struct LinkList: CommandProvider {
    let links: LinkService
    private static let columns = ["id", "from", "to", "channel", "type", "state", "detail"]

    var name: String { "link list" }

    var command: Command {
        let queued = [
            "device add watch wrist", "device add phone anna",
            "waypoint add 46.5,7.9 --label Hut | get label", "link send Hut",
        ]
        return Command(
            name, "list queued items of the link, or all",
            .flag("all", "list everything sent over the link"),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init("one waypoint", "link list | get state", after: queued, gives: "queued"),
                .init(
                    "after its delivery", "link list --all | get state",
                    after: queued + ["link deliver | get outcome"], gives: "applied"),
            ], searchTerms: ["queue", "status", "log", "history", "message queue", "not delivered"]
        ) { context, all in
            let link = try links.linkWithEdits(context)
            return .table(
                columns: Self.columns,
                cells: try link.items(queuedOnly: !all).map { item in
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
            examples: [.init("the default", "link mode", gives: "strict")],
            searchTerms: [
                "link is broken", "broken link between watch and phone", "out of reach", "offline",
                "no connection", "bluetooth", "airplane",
            ]
        ) { context, mode in
            let link = try links.link(context)
            if let mode { try link.set(mode: mode) }
            return .text(try link.mode())
        }
    }
}
