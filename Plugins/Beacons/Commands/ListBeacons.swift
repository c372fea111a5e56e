import PluginKit

/// `beacon list`
struct ListBeacons: CommandProvider {
    var name: String { "beacon list" }

    var command: Command {
        Command(
            name, "list north and the beacons, oldest first",
            output: .rows(BeaconObject.columns), effect: .reads,
            examples: [
                .init(
                    "north and home", "beacon list | select name at enabled",
                    after: ["beacon add home 0.5144,0.4973"],
                    gives: """
                        name   at             enabled
                        north                 true
                        home   0.5144,0.4973  true
                        """)
            ]
        ) { context in
            let set = try BeaconStore(context).load()
            let objects: [any DomainObject] = [set.northObject] + set.beacons.indices.map { set.object($0) }
            return .rows(
                Rows(objects: objects, columns: BeaconObject.columns, fields: BeaconObject.declaredFieldNames)
            )
        }
    }
}
