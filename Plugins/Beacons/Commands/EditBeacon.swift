import Geodesy
import PluginKit

/// `beacon edit BEACON`
struct EditBeacon: CommandProvider {
    var name: String { "beacon edit" }

    var command: Command {
        Command(
            name, "change the name, coordinate or tone of a beacon",
            details: "Only the tone of north can be changed.",
            BeaconOptions.beacon,
            .option("name", .text, "new name"),
            .option("place", .coordinate, "new coordinate: LAT,LON, @name, or a name or address in quotes"),
            BeaconOptions.toneOption,
            output: .any, effect: .changes,
            examples: [
                .init(
                    "another tone", "beacon edit home --tone warm | get tone",
                    after: ["beacon add home 0.5144,0.4973 --tone default"], gives: "Warm Alternate"),
                .init(
                    "north has no coordinate", "expect-error E-BEACON-NORTH beacon edit north --place 1,1",
                    gives: "north has no coordinate, and its name cannot be changed"),
            ]
        ) { context, text, name, place, tone in
            guard name != nil || place != nil || tone != nil else {
                throw BeaconErrors.nothingToChange(
                    "no change is given", fix: "--name, --place or --tone")
            }
            let store = try BeaconStore(context)
            if BeaconSet.isNorth(text) {
                guard name == nil, place == nil else {
                    throw BeaconErrors.north("north has no coordinate, and its name cannot be changed")
                }
                return .object(
                    try store.change(in: context) { set in
                        if let tone { set.north.toneID = set.tones[try set.toneIndex(of: tone)].id }
                        return (set.northObject, "changed the tone of north")
                    })
            }
            return .object(
                try store.change(in: context) { set in
                    let index = try set.index(of: text)
                    if let name {
                        try set.checkName(name, except: set.beacons[index].id)
                        set.beacons[index].name = name
                    }
                    if let place { set.beacons[index].coordinate = place.withoutAltitude }
                    if let tone { set.beacons[index].toneID = set.tones[try set.toneIndex(of: tone)].id }
                    return (set.object(index), "edited beacon \(set.beacons[index].name)")
                })
        }
    }
}
