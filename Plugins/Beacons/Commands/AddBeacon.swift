import Geodesy
import PluginKit

/// `beacon add NAME PLACE`
struct AddBeacon: CommandProvider {
    var command: Command {
        Command(
            "beacon add", "add a beacon",
            details: """
                Without --tone, the least used tone is chosen, so that beacons can be distinguished by ear.
                """,
            .positional("name", .text, "name of the beacon"),
            .positional("place", .place, "LAT,LON, @name, or a name or address in quotes"),
            BeaconOptions.toneOption,
            .flag("disabled", "silent until it is enabled"),
            output: .value("beacon"), effect: .changes,
            examples: [
                .init(
                    "home", "beacon add home 0.5144,0.4973 --tone warm | get tone", gives: "Warm Alternate"),
                .init(
                    "north exists already", "expect-error E-BEACON-NAME beacon add North 0,0",
                    gives: "the name `north` is reserved"),
            ], searchTerms: ["audio", "sound", "location", "home"]
        ) { context, name, place, tone, isDisabled in
            let object = try BeaconStore(context).change(in: context) { set in
                try set.checkName(name)
                let tone = try tone.map { set.tones[try set.toneIndex(of: $0)] } ?? set.rarestTone
                set.beacons.append(
                    Beacon(
                        id: set.freshID(context.random.uuid), name: name, coordinate: place.withoutAltitude,
                        toneID: tone.id, isEnabled: !isDisabled))
                return (set.object(set.beacons.count - 1), "added beacon \(name)")
            }
            return .object(object)
        }
    }
}

extension BeaconSet {
    /// The tone that the fewest sources use; the first of equals.
    fileprivate var rarestTone: Tone {
        get throws {
            let northTone = tone(north.toneID)?.id
            let uses = tones.map { tone in
                beacons.count { $0.toneID == tone.id } + (tone.id == northTone ? 1 : 0)
            }
            guard let index = uses.indices.min(by: { (uses[$0], $0) < (uses[$1], $1) }) else {
                throw BeaconErrors.tone("no tones exist", fix: "tone add NAME")
            }
            return tones[index]
        }
    }
}
