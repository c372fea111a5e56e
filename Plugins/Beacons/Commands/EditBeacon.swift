import Geodesy
import PluginKit

/// `beacon edit BEACON…`
struct EditBeacon: CommandProvider {
    var name: String { "beacon edit" }

    var command: Command {
        Command(
            name, "change the name, coordinate, tone or state of beacons",
            details: """
                A disabled beacon is silent, and is kept. Several beacons can be given one tone, or be enabled or disabled \
                together; the name of a group stands for all of its beacons. North can be disabled, and its tone can be changed.
                """,
            BeaconOptions.beacons,
            Parameter.group(
                .option("name", .text, "new name"),
                .option(
                    "place", .coordinate, "new coordinate: LAT,LON, @name, or a name or address in quotes"),
                BeaconOptions.toneOption,
                .option("enabled", .boolean, "whether it is heard"),
                .option("group", .text, "name of its group; \"\" for none"),
                .option("favorite", .boolean, "whether it is a favourite"), make: BeaconChange.init),
            output: .any, effect: .changes,
            examples: [
                .init(
                    "another tone", "beacon edit home --tone warm | get tone",
                    after: ["beacon add home 0.5144,0.4973 --tone default"], gives: "Warm Alternate"),
                .init("silent", "beacon edit north --enabled false | get enabled", gives: "false"),
                .init(
                    "north has no coordinate", "expect-error E-BEACON-NORTH beacon edit north --place 1,1",
                    gives: "north has no coordinate, and its name cannot be changed"),
            ],
            searchTerms: [
                "turn off a beacon", "turn the beep off", "mute a beacon", "silence a beacon", "enable",
                "disable", "mute", "switch", "rename", "move",
            ]
        ) { context, names, change in
            guard !change.isEmpty else {
                throw BeaconErrors.nothingToChange(
                    "no change is given", fix: "--name, --place, --tone, --enabled, --group or --favorite")
            }
            let objects = try BeaconStore(context).change(in: context) { set in
                (
                    try change.apply(to: names, of: &set, at: Int(context.clock.now.milliseconds)),
                    "\(change.done) \(names.joined(separator: ", "))"
                )
            }
            if objects.count == 1 { return .object(objects[0]) }
            return .rows(
                Rows(objects: objects, columns: BeaconObject.columns, fields: BeaconObject.declaredFieldNames)
            )
        }
    }
}

/// The new values of beacons; `nil` keeps a value.
private struct BeaconChange: Sendable {
    let name: String?
    let coordinate: Coordinate?
    let tone: String?
    let isEnabled: Bool?
    let group: String?
    let isFavorite: Bool?

    var isEmpty: Bool {
        name == nil && coordinate == nil && tone == nil && isEnabled == nil && isOfAnyPlace
    }

    /// Whether nothing changes that only beacons have.
    private var isOfAnyPlace: Bool { group == nil && isFavorite == nil }

    /// The verb of the change in the list of changes.
    var done: String {
        guard name == nil, coordinate == nil, tone == nil, isOfAnyPlace, let isEnabled else {
            return "edited"
        }
        return isEnabled ? "enabled" : "disabled"
    }

    /// Changes the named beacons, or north, and returns them.
    func apply(to names: [String], of set: inout BeaconSet, at time: Int) throws -> [any DomainObject] {
        let others = names.filter { !BeaconSet.isNorth($0) }
        if others.count < names.count {
            guard others.isEmpty else {
                throw BeaconErrors.north(
                    "north cannot be edited together with beacons", fix: "beacon edit north …")
            }
            return [try applyToNorth(of: &set)]
        }
        let indexes = try set.indexes(of: others)
        guard indexes.count == 1 || (name == nil && coordinate == nil) else {
            throw BeaconErrors.name(
                "beacons cannot have one \(name == nil ? "coordinate" : "name") together",
                at: .parameter(name == nil ? "place" : "name"), fix: "edit them one at a time")
        }
        for index in indexes {
            if let name {
                try set.checkName(name, except: set.beacons[index].id)
                set.beacons[index].name = name
            }
            if let coordinate { set.beacons[index].coordinate = coordinate.withoutAltitude }
            if let tone { set.beacons[index].toneID = set.tones[try set.toneIndex(of: tone)].id }
            if let group {
                set.beacons[index].group = group.isEmpty ? nil : try BeaconSet.checkedGroup(group)
            }
            if let isFavorite { set.beacons[index].isFavorite = isFavorite }
            if let isEnabled {
                if isEnabled, !set.beacons[index].isEnabled { set.beacons[index].lastUsed = time }
                set.beacons[index].isEnabled = isEnabled
            }
        }
        return indexes.map { set.object($0) }
    }

    private func applyToNorth(of set: inout BeaconSet) throws -> any DomainObject {
        guard name == nil, coordinate == nil else {
            throw BeaconErrors.north("north has no coordinate, and its name cannot be changed")
        }
        guard isOfAnyPlace else {
            throw BeaconErrors.north("north has no group and is no favourite: it is always in the list")
        }
        if let tone { set.north.toneID = set.tones[try set.toneIndex(of: tone)].id }
        if let isEnabled { set.north.isEnabled = isEnabled }
        return set.northObject
    }
}
