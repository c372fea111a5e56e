import PluginKit

/// `beacon permission [STATE]`
struct BeaconPermission: CommandProvider {
    private static let columns = ["state", "current", "shown", "north", "beacons"]

    var name: String { "beacon permission" }

    var command: Command {
        Command(
            name, "show or set the permission to use the location",
            details: """
                Beacons need a position, and are silent without the permission; north needs only a heading, and is \
                always heard. The state belongs to the device, and holds until it is set again.
                """,
            .optional(
                "state", .choice(of: LocationPermission.self) { $0.words }, "what the device grants the app"),
            output: .rows(Self.columns), effect: .changes,
            examples: [
                .init(
                    "what the app shows", "beacon permission denied | where current | get shown",
                    gives: "Location permission required: allow it in Settings"),
                .init(
                    "north is still heard",
                    "beacon permission denied; beacon bearings --heading 90deg | select beacon relative",
                    after: ["beacon add home 0.5144,0.4973"]),
            ], searchTerms: ["location permission", "authorization", "denied", "privacy"]
        ) { context, state in
            let store = try BeaconStore(context)
            var present = try store.load().north.permission
            if let state, state != present {
                present = try store.change(in: context) { set in
                    set.north.permission = state
                    return (state, "set the location permission to \(state.rawValue)")
                }
            }
            let set = try store.load()
            let current = present
            return .table(
                columns: Self.columns,
                cells: LocationPermission.allCases.map { state in
                    [
                        .text(state.rawValue), .boolean(state == current), .text(state.shown),
                        .text(set.north.isEnabled ? "heard" : "off"),
                        .text(state.grantsPosition ? "heard" : "silent"),
                    ]
                })
        }
    }
}
