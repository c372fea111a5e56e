import Geodesy
import PluginKit

/// `beacon next BEACON…`
struct BeaconNext: CommandProvider {
    var name: String { "beacon next" }

    var command: Command {
        Command(
            name, "hear one beacon at a time, in the order of a route",
            details: """
                Of the named beacons, or those of a group (`beacon route` makes one of a route), only one is enabled: the first, and with each further call the next. \
                With --place, the next one follows only within \(Literal.number(BeaconSettings.arrivalRadius)) m of the \
                present one, or of the one after it, which is then followed by the next. After the last, none is enabled. Other beacons and north are not changed.
                """,
            BeaconOptions.beacons,
            .option("place", .coordinate, "coordinate of the listener"),
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "the second", "beacon next trip | get beacon; beacon next trip | get beacon",
                    after: [
                        "beacon add gate 0.5144,0.4973 --group trip",
                        "beacon add lake 0.5153,0.5135 --group trip",
                    ], gives: "gate\nlake"),
                .init(
                    "not there yet", "beacon next trip --place 0.5144,0.5 | get beacon",
                    after: [
                        "beacon add gate 0.5144,0.4973 --group trip",
                        "beacon add lake 0.5153,0.5135 --group trip", "beacon next trip | get beacon",
                    ], gives: "gate"),
                .init(
                    "unknown", "expect-error E-BEACON-NONE beacon next trip",
                    gives: "unknown beacon `trip`"),
            ], searchTerms: ["route", "turn by turn", "one at a time", "follow", "stages"]
        ) { context, names, place in
            let step = try BeaconStore(context).change(in: context) { set in
                let step = try BeaconStep(names, place, set)
                for index in step.order { set.beacons[index].isEnabled = false }
                if let next = step.next {
                    set.beacons[next].isEnabled = true
                    set.beacons[next].lastUsed = Int(context.clock.now.milliseconds)
                }
                let name = step.next.map { set.beacons[$0].name }
                return ((step: step, name: name), "followed \(name ?? "the last beacon")")
            }
            return .record(
                Record([
                    ("beacon", Value(step.name, Value.text)),
                    ("distance", Value(step.step.distance) { .quantity(.metres($0)) }),
                    ("left", .integer(step.step.left)), ("why", .text(step.step.why)),
                ]))
        }
    }
}

/// Which beacon of a route is heard next.
private struct BeaconStep {
    /// The route, as indexes of beacons.
    let order: [Int]
    /// The one that is heard; `nil` after the last.
    let next: Int?
    /// Metres to it, if the listener's place is known.
    let distance: Double?
    /// How many follow it.
    let left: Int
    let why: String

    init(_ names: [String], _ coordinate: Coordinate?, _ set: BeaconSet) throws {
        let route = try set.indexes(of: names)
        order = route
        let enabled = route.indices.filter { set.beacons[route[$0]].isEnabled }
        let present = enabled.count == 1 ? enabled.first : nil
        let chosen: Int
        if let present {
            func distance(to index: Int) -> Double? {
                guard let coordinate, route.indices.contains(index) else { return nil }
                return set.beacons[route[index]].coordinate.distance(to: coordinate)
            }
            let rest = distance(to: present)
            if let rest, rest > BeaconSettings.arrivalRadius, let after = distance(to: present + 1),
                after <= BeaconSettings.arrivalRadius,
                // There and back, the one before the tip and the one after it are the same.
                distance(to: present - 1).map({ $0 > BeaconSettings.arrivalRadius }) ?? true
            {
                // As on a walk: who is at the one after it has passed it.
                let names = [present + 1, present].map { set.beacons[route[$0]].name }
                (chosen, why) = (present + 2, "\(names[0]) is reached; \(names[1]) was passed")
            } else if let rest, rest > BeaconSettings.arrivalRadius {
                (chosen, why) = (
                    present, "\(set.beacons[route[present]].name) is not reached yet"
                )
            } else {
                let name = set.beacons[route[present]].name
                (chosen, why) = (present + 1, rest == nil ? "it follows \(name)" : "\(name) is reached")
            }
        } else {
            (chosen, why) = (0, "the route begins")
        }
        let found = route.indices.contains(chosen) ? route[chosen] : nil
        next = found
        left = max(0, route.count - chosen - 1)
        distance = found.flatMap { found in coordinate.map { set.beacons[found].coordinate.distance(to: $0) }
        }
    }
}
