import Geodesy
import PluginKit

/// `beacon route [ROUTE]`
struct BeaconRouteCommand: CommandProvider {
    private static let columns = ["beacon", "distance", "at", "what"]

    var name: String { "beacon route" }

    var command: Command {
        Command(
            name, "make the turns of a route a group of beacons",
            details: """
                Each turn of a planned route and its end become a beacon, named by the group and a number; of a file, the named \
                points of its route, else its waypoints in the order of its track; of rows such as waypoints, each with a place. Those within \
                \(Literal.number(BeaconSettings.arrivalRadius)) m of the one before are left out, which the note says. The first is \
                enabled. They are heard one after the other by `beacon next`, and on a walk by `beacon render --follow GROUP`. \
                distance is the straight line from the one before.
                """,
            .optional(
                "route", .text,
                "saved route by name or id, or a file with waypoints; default: the one in the pipe"
            ).completing(.referencesAndFiles("route")),
            .option("group", .text, "name of the group; default: the route's name"),
            BeaconOptions.toneOption,
            input: .optional(.value("route")), output: .rows(Self.columns), effect: .changes,
            examples: [
                .init(
                    "of beacons",
                    "beacon list --group old | beacon route --group trip | select beacon distance",
                    after: ["beacon add gate 0.51,0.49 --group old", "beacon add lake 0.51,0.5 --group old"],
                    gives: """
                        beacon  distance
                        trip 1
                        trip 2    1.11km
                        """),
                .init(
                    "nothing to follow", "expect-error E-BEACON-ROUTE beacon route",
                    gives: "`beacon route` requires a route"),
            ],
            searchTerms: [
                "waypoints", "follow", "turns", "next waypoint", "along", "trail", "beacon for each turn",
                "beacons at turns",
            ]
        ) { input, context, given, group, tone in
            let route = try await RouteForBeacons(given, input, context)
            let name = try BeaconSet.checkedGroup(group ?? route.name)
            let (kept, close) = route.apart()
            guard kept.count > 1 else {
                throw BeaconErrors.route("\(route.name) has fewer than two places to follow")
            }
            try BeaconStore(context).change(in: context) { set in
                try set.add(kept, group: name, tone: tone, context)
                return ((), "added \(kept.count, of: "beacon") of \(name)")
            }
            var last: Coordinate?
            let rows = kept.enumerated().map { index, stop in
                let distance = last.map { $0.distance(to: stop.coordinate) }
                last = stop.coordinate
                return [
                    Value.text(BeaconSet.name(of: index, in: name)),
                    Value(distance) { .quantity(.metres($0)) },
                    .coordinate(stop.coordinate), .text(stop.what),
                ]
            }
            let radius = Literal.number(BeaconSettings.arrivalRadius)
            let left = close > 0 ? "\(close, of: "place") within \(radius) m of the one before left out" : nil
            let notes = [route.note, left].compactMap(\.self)
            return .table(
                columns: Self.columns, cells: rows,
                note: notes.isEmpty ? nil : notes.joined(separator: "; "))
        }
    }
}

extension BeaconSet {
    /// The name of a beacon of a route, by its index.
    fileprivate static func name(of index: Int, in group: String) -> String { "\(group) \(index + 1)" }

    /// Adds the beacons of a route, of which the first is enabled. Throws `E-BEACON-GROUP` if the group exists.
    fileprivate mutating func add(
        _ stops: [RouteForBeacons.Stop], group: String, tone text: String?, _ context: Context
    ) throws {
        guard !beacons.contains(where: { $0.group?.lowercased() == group.lowercased() }) else {
            throw BeaconErrors.group(
                "a group `\(group)` already exists", at: .parameter("group"),
                fix: "--group NAME, or first beacon delete \(Literal.text(group))")
        }
        let tone = try text.map { tones[try toneIndex(of: $0)] } ?? rarestTone
        for (index, stop) in stops.enumerated() {
            let name = Self.name(of: index, in: group)
            try checkName(name)
            var beacon = Beacon(
                id: freshID(context.random.uuid), name: name, coordinate: stop.coordinate, toneID: tone.id,
                isEnabled: index == 0)
            beacon.group = group
            beacons.append(beacon)
        }
    }
}
