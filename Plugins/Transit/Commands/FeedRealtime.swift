import CivilTime
import Foundation
import PluginKit

/// `feed realtime FILE …`
struct FeedRealtime: CommandProvider {
    let library: FeedLibrary
    let realtime: RealtimeState
    private static let columns = [
        "file", "time", "age", "updates", "applied", "unknownTrips", "cancelled", "added", "vehicles",
        "alerts",
    ]

    var name: String { "feed realtime" }

    var command: Command {
        Command(
            name, "use GTFS-realtime messages",
            details: """
                Reads trip updates, vehicle positions and alerts from files, from all messages of a folder, or from addresses \
                (http or https; notebooks need --allow-network), in the binary form (protobuf), as JSON or in the text form of \
                Protocol Buffers. Of several \
                messages the newest at the session's time is used, so a folder replays as the clock advances. Boards, the \
                drawer and trips then show expected times beside scheduled ones, and state the age of the information; after 10 \
                minutes they return to the schedule and report that. `trace departures` shows the update behind each time. An address is \
                fetched once: repeat the command for a newer message. --off returns to the schedule. In a timetable of several feeds --prefix names the feed of \
                the messages; those of other feeds stay in use.
                """,
            .rest(
                "sources", .text, minimum: 0,
                "messages, folders with messages, or addresses; default: show those in use"
            ).completing(.files),
            .option("prefix", .text, "identifier prefix of the messages' feed"),
            .flag("off", "use only the schedule"),
            output: .rows(Self.columns), effect: .changes,
            examples: [
                .init(
                    "not a message", "expect-error E-TRANSIT-REALTIME feed realtime notes.txt",
                    after: FeedExamples.feed + ["'no message' | save notes.txt"],
                    gives: "notes.txt: not a GTFS-realtime message: an unknown wire type at byte 0"),
                .init(
                    "an invalid address", "expect-error E-TRANSIT-NETWORK feed realtime 'https://'",
                    after: FeedExamples.feed),
            ],
            searchTerms: [
                "live data", "gtfs-rt", "delay", "live", "protobuf", "cancelled", "delays", "late",
                "realtime", "delays now",
            ]
        ) { context, sources, prefix, off in
            let feed = try library.feed(context)
            if off || !sources.isEmpty {
                let before = realtime.all
                let prefix = prefix ?? ""
                guard prefix.isEmpty || feed.origins.contains(where: { $0.prefix == prefix }) else {
                    throw TransitErrors.realtime(
                        "no feed of the timetable has the prefix `\(prefix)`", at: .parameter("prefix"),
                        fix: "feed show | get feeds")
                }
                var new: [RealtimeSnapshot] = []
                for source in off ? [] : sources {
                    new += try await RealtimeSource(context: context, prefix: prefix).messages(source)
                }
                realtime.use((off ? [] : before.filter { $0.prefix != prefix }) + new)
                context.journal.record(off ? "stopped using realtime" : "used realtime messages") {
                    [realtime] in
                    realtime.use(before)
                }
            }
            let now = context.clock.now
            let cells = try realtime.all.map { try Self.row(realtime.fresh($0, at: now), feed, now) }
            return .table(
                columns: Self.columns, cells: cells,
                note: try Self.note(feed, realtime.view(at: context.clock.now), realtime.all))
        }
    }

    /// The age of the information, and the updates that are not applied or not for their identifiers alone.
    private static func note(
        _ feed: Feed, _ view: RealtimeView?, _ all: [RealtimeSnapshot]
    ) throws -> String {
        guard let view else { return "no realtime messages are in use" }
        let verdicts = try view.usable.map { try LiveTimetableMaker.timetable(feed, $0).verdicts } ?? []
        let notable = verdicts.filter(\.isNotable)
        let listed = notable.prefix(TransitSettings.listedReasons).map(\.sentence)
        let rest = notable.count - listed.count
        let units = all.filter(\.feed.isInMilliseconds).prefix(TransitSettings.listedReasons).map {
            "\($0.file) gives its times in milliseconds, not in seconds as the format does"
        }
        let undated = all.filter { $0.feed.time == nil }.prefix(TransitSettings.listedReasons).map {
            "\($0.file) has no time of its own: that of its newest part is taken"
        }
        let unread = all.flatMap { snapshot in snapshot.feed.unread.map { "\(snapshot.file): \($0)" } }
        let few = TransitSettings.listedReasons
        let unreadRest = unread.count - few
        let notRead: [String] =
            Array(unread.prefix(few))
            + (unreadRest > 0
                ? ["\(unreadRest) more \(unreadRest == 1 ? "entity is" : "entities are") not used"] : [])
        return
            ([view.note(in: feed.zone, of: feed)] + units + undated + notRead + listed
            + (rest > 0 ? ["\(rest) more: feed updates"] : []))
            .joined(separator: "; ")
    }

    private static func row(_ snapshot: RealtimeSnapshot, _ feed: Feed, _ now: Timestamp) throws -> [Value] {
        let timetable = try LiveTimetableMaker.timetable(feed, snapshot)
        let verdicts = timetable.verdicts.filter { $0.relationship != UpdateVerdict.position }
        let adding = ["ADDED", "NEW", "DUPLICATED"]
        let added = verdicts.count { $0.outcome == .applied && adding.contains($0.relationship) }
        let age = Int(now.seconds.rounded(.down)) - snapshot.time
        return [
            .text(snapshot.file), .date(Timestamp(milliseconds: Int64(snapshot.time) * 1000)),
            .quantity(.seconds(Double(age))), .integer(verdicts.count),
            .integer(verdicts.count { $0.outcome == .applied }),
            .integer(verdicts.count { $0.outcome == .unknownTrip }),
            .integer(timetable.runs.count { [.cancelled, .deleted].contains($0.kind) }), .integer(added),
            .integer(snapshot.feed.vehicles.count), .integer(snapshot.feed.alerts.count),
        ]
    }
}

/// `feed updates`
struct FeedUpdates: CommandProvider {
    let library: FeedLibrary
    let realtime: RealtimeState
    private static let columns = ["update", "trip", "kind", "outcome", "run", "why"]

    var name: String { "feed updates" }

    var command: Command {
        Command(
            name, "list the trip updates in use, with the run of each",
            details: """
                The updates of the newest message at the session's time: the run that each is about and why, or why it \
                is not applied. A run is found by trip_id and start_date, else by route, direction and start, if they are those of \
                one run alone. Vehicles that make their runs late by their positions are listed too. Updates that contradict themselves, each other or the timetable are not applied.
                """,
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init("without messages", "feed updates | count", after: FeedExamples.feed, gives: "0")
            ],
            searchTerms: [
                "skipped stops", "stops that are left out",
                "cancelled trips", "late trips", "delay", "match", "unknown", "refused", "cancelled",
                "delay of a trip", "which trips are late",
            ]
        ) { context in
            let feed = try library.feed(context)
            let view = realtime.view(at: context.clock.now)
            let verdicts = try view?.usable.map { try LiveTimetableMaker.timetable(feed, $0).verdicts } ?? []
            let cells = verdicts.map { verdict -> [Value] in
                [
                    .text(verdict.update), .text(verdict.trip), .text(verdict.relationship),
                    .text(verdict.outcome.rawValue), Value(verdict.run, Value.text), .text(verdict.why),
                ]
            }
            return .table(
                columns: Self.columns, cells: cells,
                note: view?.note(in: feed.zone, of: feed) ?? "no realtime messages are in use")
        }
    }
}

/// `feed alerts`
struct FeedAlerts: CommandProvider {
    let library: FeedLibrary
    let realtime: RealtimeState
    private static let columns = [
        "header", "effect", "cause", "severity", "lines", "stops", "scope", "until", "text", "url",
    ]

    var name: String { "feed alerts" }

    var command: Command {
        Command(
            name, "list the service alerts in force",
            details: """
                The alerts of the newest message at the session's time whose periods include it. `scope` has what they are about \
                beside whole lines and stops: agencies, modes, directions, single runs, and what the timetable does not have.
                """,
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init("without messages", "feed alerts | count", after: FeedExamples.feed, gives: "0")
            ],
            searchTerms: [
                "cancelled", "closed stop",
                "strike", "closed",
                "disruption", "notice", "service alerts", "warnings", "closure", "lift", "elevator",
                "escalator", "out of order", "broken", "lift out of order", "construction works",
                "planned works",
            ]
        ) { context in
            let feed = try library.feed(context)
            let view = realtime.view(at: context.clock.now)
            let names = Dictionary(
                feed.routes.values.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
            let active = (view?.alerts?.feed.alerts ?? []).filter { $0.isActive(at: view?.now ?? 0) }
            let cells = try active.map { written -> [Value] in
                let alert = written.told(in: feed.translation?.language)
                let missing = try Self.missing(alert, feed, names)
                let ends = alert.periods.compactMap(\.end).max()
                let lines = alert.entities.map(\.route).filter { !$0.isEmpty }.map { names[$0] ?? $0 }
                let stops = alert.entities.map(\.stop).filter { !$0.isEmpty }
                return [
                    .text(alert.header), Value(alert.effectWord, Value.text),
                    Value(alert.causeWord, Value.text), Value(alert.severityWord, Value.text),
                    .text(Self.unique(lines)), .text(Self.unique(stops)),
                    .text(
                        Self.unique(
                            alert.entities.compactMap { $0.scope(names) } + missing + alert.openScope
                                + [alert.unreadablePeriod].compactMap(\.self))),
                    Value(ends) { .date(Timestamp(milliseconds: Int64($0) * 1000)) }, .text(alert.text),
                    .text(alert.url),
                ]
            }
            return .table(
                columns: Self.columns, cells: cells, note: view?.alerts == nil ? "no alert data" : nil)
        }
    }

    /// The lines, stops and trips of an alert that the timetable does not have: nothing shows it there.
    private static func missing(
        _ alert: RealtimeFeed.Alert, _ feed: Feed, _ names: [String: String]
    ) throws -> [String] {
        try alert.entities.flatMap { entity -> [String] in
            var found: [String] = []
            if !entity.route.isEmpty, names[entity.route] == nil { found.append("line \(entity.route)") }
            if !entity.stop.isEmpty, try feed.stops.with(id: entity.stop) == nil {
                found.append("stop \(entity.stop)")
            }
            if !entity.trip.isEmpty, try feed.trips.with(id: entity.trip) == nil {
                found.append("trip \(entity.trip)")
            }
            return found.map { "\($0) is not in the timetable" }
        }
    }

    private static func unique(_ texts: [String]) -> String {
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }.joined(separator: ", ")
    }
}

/// `feed vehicles`
struct FeedVehicles: CommandProvider {
    let library: FeedLibrary
    let realtime: RealtimeState

    var name: String { "feed vehicles" }

    var command: Command {
        Command(
            name, "list the positions of vehicles",
            details: """
                The positions of the newest message at the session's time, each with its own age, if that is known. The line and the \
                stop are those of its trip where the message does not name them. \
                `… | map` draws them.
                """,
            output: .rows(VehicleObject.columns), effect: .reads,
            examples: [
                .init("without messages", "feed vehicles | count", after: FeedExamples.feed, gives: "0")
            ],
            searchTerms: [
                "where is the bus now", "bus position", "position", "where is", "where is the bus",
                "live positions", "how many vehicles", "moving", "where are the buses",
            ]
        ) { context in
            let feed = try library.feed(context)
            let view = realtime.view(at: context.clock.now)
            let vehicles = try view?.vehicles.map {
                try VehicleObject.all($0.feed.vehicles, in: feed, at: view?.now ?? 0)
            }
            return .table(
                objects: vehicles ?? [], columns: VehicleObject.columns(of: vehicles ?? []),
                note: view?.vehicles == nil ? "no position data" : nil)
        }
    }
}
