import PluginKit

/// `link deliver`
struct LinkDeliver: CommandProvider {
    let links: LinkService

    /// A waypoint in the queue.
    private static let queued = [
        "device add watch wrist", "device add phone anna", "waypoint add 46.5,7.9 --label Hut | get label",
        "link send Hut",
    ]

    var name: String { "link deliver" }

    var command: Command {
        Command(
            name, "deliver queued items of the link",
            details: """
                Delivers only between connected devices. Queues wake an app that is not running. Repeated delivery has no effect. \
                The flags show what can go wrong on the way: they apply to the next item, before the delivery; with the count 0 \
                nothing else happens. Each channel keeps its order; different channels have no common order. In field mode any \
                queue may lose its order.
                """,
            .positional("count", .integer(0...1_000_000), default: "1000000", "maximum number of items"),
            .flag("drop", "lose the next item"),
            .flag("twice", "deliver the next item twice"),
            .flag("last", "let a later item overtake the next one"),
            output: .rows(["id", "to", "channel", "type", "outcome"]), effect: .changes,
            examples: [
                .init(
                    "a waypoint", "link deliver | get outcome",
                    after: Self.queued, gives: "applied"),
                .init(
                    "a lost one", "link deliver --drop | get outcome", after: Self.queued, gives: "dropped"),
                .init(
                    "the same twice", "link deliver --twice | get outcome", after: Self.queued,
                    gives: "applied\nduplicate"),
                .init(
                    "out of order", "link deliver --last | get type",
                    after: [
                        "device add watch wrist", "device add phone anna",
                        "link send '{\"type\": \"first\"}' --channel context",
                        "waypoint add 46.5,7.9 --label Hut | get label", "link send Hut",
                    ], gives: "waypoint\nfirst"),
            ],
            searchTerms: [
                "lose", "duplicate", "reorder", "fault", "message queue", "watch out of reach",
                "transfer again", "deliver again", "lost transfer",
            ]
        ) { context, count, drops, repeats, overtakes in
            let link = try links.linkWithEdits(context)
            let dropped = try disturb(link, drops: drops, repeats: repeats, overtakes: overtakes)
            let watch = context.tracing.map { MergeRecorder(limit: $0.limit, other: "sender") }
            watch?.record(MergeSteps.queued(try link.items(queuedOnly: true).count))
            let done = try MergeRecorder.$current.withValue(watch) {
                try LinkDelivery(service: links.service, link: link, context: context).deliver(count)
            }
            if let watch {
                watch.record(
                    MergeSteps.delivered(done.count { $0.outcome != LinkMerge.Outcome.waits.rawValue }))
                context.tracing?.keep(watch.steps, picture: MergeSteps.picture("sender"))
            }
            return .table(
                columns: ["id", "to", "channel", "type", "outcome"],
                cells: (dropped + done).map {
                    [
                        .integer(Int($0.item.id)), .text($0.item.receiver), .text($0.item.channel.rawValue),
                        .text($0.item.type), .text($0.outcome),
                    ]
                }, note: try Self.waiting(link))
        }.deciding(
            "link deliver",
            after: Self.queued + [
                "link deliver | get outcome",
                "device use wrist; waypoint edit Hut --note closed | get note",
                "device use anna; clock 1min; waypoint edit Hut --label Cabin | get label", "link send Cabin",
            ])
    }

    /// Which devices receive and send nothing because of their clock; `nil` if none.
    private static func waiting(_ link: LinkStore) throws -> String? {
        let names = try link.register.all().filter { $0.hasFarClock && $0.kind.linked != nil }.map(\.name)
        if names.isEmpty { return nil }
        return
            "\(names.joined(separator: ", ")): \(SyncErrors.clock.title) (\(SyncErrors.clock.code)); its items wait"
    }

    /// Applies faults to the next item; returns it if it was lost.
    private func disturb(
        _ link: LinkStore, drops: Bool, repeats: Bool, overtakes: Bool
    ) throws -> [(item: LinkItem, outcome: String)] {
        guard drops || repeats || overtakes else { return [] }
        func next() throws -> LinkItem {
            guard let item = try link.items(queuedOnly: true).first else {
                throw LinkErrors.item("no queued items")
            }
            return item
        }
        if overtakes {
            let item = try overtaking(
                next(), link.items(queuedOnly: true), isField: try link.mode() == "field")
            try link.moveToFront(item)
        }
        if repeats { try link.duplicate(next()) }
        if !drops { return [] }
        let item = try next()
        try link.set(item, .dropped, "lost on the way")
        return [(item, "dropped")]
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
