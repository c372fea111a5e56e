import PluginKit

/// `beacon enable BEACON…` and `beacon disable BEACON…`
struct SwitchBeacons: LegacyCommand {
    private let isEnabled: Bool
    let spec: CommandSpec

    init(enabling isEnabled: Bool) {
        self.isEnabled = isEnabled
        let word = isEnabled ? "enable" : "disable"
        spec = CommandSpec(
            "beacon \(word)",
            isEnabled ? "makes beacons heard" : "makes beacons silent without deleting them",
            details: "Takes `north` as well.", parameters: [BeaconOptions.beacons.spec],
            output: .rows(BeaconObject.columns), effect: .changes,
            examples: [
                .init(
                    "north", "beacon \(word) north | select name enabled",
                    gives: """
                        name   enabled
                        north  \(isEnabled)
                        """)
            ])
    }

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let names = try arguments[BeaconOptions.beacons]
        let word = isEnabled ? "enabled" : "disabled"
        let store = try BeaconStore(context)
        let hasNorth = names.contains(where: BeaconSet.isNorth)
        let others = names.filter { !BeaconSet.isNorth($0) }
        guard !hasNorth || others.isEmpty else {
            throw BeaconErrors.north("north is switched by itself", fix: "beacon \(word.dropLast()) north")
        }
        let objects = try store.change(in: context) {
            set -> ([any DomainObject], done: String) in
            let done = "\(word) \(names.joined(separator: ", "))"
            if hasNorth {
                set.north.isEnabled = isEnabled
                return ([set.northObject], done)
            }
            let indexes = try others.map { try set.index(of: $0) }
            for index in indexes { set.beacons[index].isEnabled = isEnabled }
            return (indexes.map { set.object($0) }, done)
        }
        return .table(objects: objects, columns: BeaconObject.columns)
    }
}
