import PluginKit

/// `beacon list`
struct ListBeacons: CommandProvider {
    var name: String { "beacon list" }

    var command: Command {
        Command(
            name, "list north and the beacons, oldest first",
            .option("group", .text, "only the beacons of a group"),
            .flag("favorites", "only the favourites"),
            .flag("history", "only beacons that were enabled or followed, the last one first"),
            output: .rows(BeaconObject.columns), effect: .reads,
            examples: [
                .init(
                    "north and home", "beacon list | select name at enabled",
                    after: ["beacon add home 0.5144,0.4973"],
                    gives: """
                        name   at             enabled
                        north                 true
                        home   0.5144,0.4973  true
                        """),
                .init(
                    "a group", "beacon list --group trip | select name group",
                    after: ["beacon add home 0.5144,0.4973", "beacon add lake 0.5153,0.5135 --group trip"],
                    gives: """
                        name  group
                        lake  trip
                        """),
                .init(
                    "no such group", "expect-error E-BEACON-GROUP beacon list --group trip",
                    after: ["beacon add home 0.5144,0.4973"], gives: "no beacon is in a group `trip`"),
            ], searchTerms: ["favorites", "favourites", "history", "recent", "categories", "groups"]
        ) { context, group, isFavorites, isHistory in
            let set = try BeaconStore(context).load()
            var indexes = Array(set.beacons.indices)
            if let group { indexes = try set.members(of: group) }
            if isFavorites { indexes.removeAll { !set.beacons[$0].isFavorite } }
            if isHistory {
                indexes.removeAll { set.beacons[$0].lastUsed == nil }
                indexes.sort { (set.beacons[$0].lastUsed ?? 0, $1) > (set.beacons[$1].lastUsed ?? 0, $0) }
            }
            let isAll = group == nil && !isFavorites && !isHistory
            let objects: [any DomainObject] =
                (isAll ? [set.northObject] : []) + indexes.map { set.object($0) }
            return .rows(
                Rows(objects: objects, columns: BeaconObject.columns, fields: BeaconObject.declaredFieldNames)
            )
        }
    }
}
