import Geodesy
import PluginKit

/// `beacon add NAME PLACE`
struct AddBeacon: LegacyCommand {
    private static let name = Parameter.positional("name", ParameterType<String>.text, "what it is called")
    private static let place = Parameter.positional(
        "place", ParameterType<Coordinate>.place, "where: LAT,LON, @name, or a name or address in quotes")
    private static let disabled = Parameter.flag("disabled", "it is not heard until it is enabled")

    let spec = CommandSpec(
        "beacon add", "adds a place that is heard",
        details: """
            Without --tone it gets the tone that the fewest of the others have, so that places can be told apart.
            """,
        parameters: [name.spec, place.spec, BeaconOptions.toneOption.spec, disabled.spec],
        output: .value("beacon"), effect: .changes,
        examples: [
            .init(
                "home", "beacon add home 0.5144,0.4973 --tone warm | get tone", gives: "Warm Alternate"),
            .init(
                "north is there already", "expect-error E-BEACON-NAME beacon add North 0,0",
                gives: "`north` is the name of north"),
        ], searchTerms: ["audio", "sound", "location", "home"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let name = try arguments[Self.name]
        let place = try arguments[Self.place].withoutAltitude
        let wanted = try arguments[BeaconOptions.toneOption]
        let isEnabled = try !arguments[Self.disabled]
        let object = try BeaconStore(context).change(in: context) {
            set in
            try set.checkName(name)
            let tone = try wanted.map { set.tones[try set.toneIndex(of: $0)] } ?? set.rarestTone
            set.beacons.append(
                Beacon(
                    id: set.freshID(context.random.uuid), name: name, coordinate: place, toneID: tone.id,
                    isEnabled: isEnabled))
            return (set.object(set.beacons.count - 1), "added beacon \(name)")
        }
        return .object(object)
    }
}

extension BeaconSet {
    /// The tone that the fewest sources have, the first of equals.
    fileprivate var rarestTone: Tone {
        get throws {
            let northTone = tone(north.toneID)?.id
            let uses = tones.map { tone in
                beacons.count { $0.toneID == tone.id } + (tone.id == northTone ? 1 : 0)
            }
            guard let index = uses.indices.min(by: { (uses[$0], $0) < (uses[$1], $1) }) else {
                throw BeaconErrors.tone("there is no tone", fix: "tone add NAME")
            }
            return tones[index]
        }
    }
}
