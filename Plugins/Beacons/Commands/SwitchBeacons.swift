import PluginKit

/// `beacon enable BEACON…` and `beacon disable BEACON…`
struct SwitchBeacons: CommandProvider {
    let isEnabled: Bool

    init(enabling isEnabled: Bool) { self.isEnabled = isEnabled }

    private var word: String { isEnabled ? "enable" : "disable" }
    var name: String { "beacon \(word)" }

    var command: Command {
        Command(
            name, isEnabled ? "make beacons audible" : "mute beacons without deleting them",
            details: "`north` is accepted as well.",
            BeaconOptions.beacons,
            output: .rows(BeaconObject.columns), effect: .changes,
            examples: [
                .init(
                    "north", "\(name) north | select name enabled",
                    gives: """
                        name   enabled
                        north  \(isEnabled)
                        """)
            ]
        ) { context, names in
            let store = try BeaconStore(context)
            let hasNorth = names.contains(where: BeaconSet.isNorth)
            let others = names.filter { !BeaconSet.isNorth($0) }
            guard !hasNorth || others.isEmpty else {
                throw BeaconErrors.north(
                    "north cannot be switched together with beacons", fix: "beacon \(word) north")
            }
            let objects = try store.change(in: context) {
                set -> ([any DomainObject], done: String) in
                let done = "\(word)d \(names.joined(separator: ", "))"
                if hasNorth {
                    set.north.isEnabled = isEnabled
                    return ([set.northObject], done)
                }
                let indexes = try others.map { try set.index(of: $0) }
                for index in indexes { set.beacons[index].isEnabled = isEnabled }
                return (indexes.map { set.object($0) }, done)
            }
            return .rows(
                Rows(objects: objects, columns: BeaconObject.columns, fields: BeaconObject.declaredFieldNames)
            )
        }
    }
}
