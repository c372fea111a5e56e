import PluginKit

/// `beacon delete BEACON…`
struct DeleteBeacons: CommandProvider {
    var name: String { "beacon delete" }

    var command: Command {
        Command(
            name, "delete beacons",
            details: "North cannot be deleted, only disabled.",
            BeaconOptions.beacons,
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "one", "beacon delete home", after: ["beacon add home 0.5144,0.4973"],
                    gives: "deleted home"),
                .init(
                    "north stays", "expect-error E-BEACON-NORTH beacon delete north",
                    gives: "north is a direction, not a beacon"),
            ], searchTerms: ["remove a beacon"]
        ) { context, names in
            let deleted = try BeaconStore(context).change(in: context) { set in
                let indexes = Set(try names.map { try set.index(of: $0) }).sorted()
                let gone = indexes.map { set.beacons[$0].name }
                for index in indexes.reversed() { set.beacons.remove(at: index) }
                return (gone, "deleted \(gone.joined(separator: ", "))")
            }
            return .text("deleted \(deleted.joined(separator: ", "))")
        }
    }
}
