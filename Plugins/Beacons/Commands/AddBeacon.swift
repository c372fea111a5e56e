import Geodesy
import PluginKit

/// `beacon add NAME PLACE`
struct AddBeacon: CommandProvider {
    var name: String { "beacon add" }

    var command: Command {
        Command(
            name, "add a beacon",
            details: """
                Without --tone, the least used tone is chosen, so that beacons can be distinguished by ear. With only \
                a place, the beacon gets the place's name or address, if known.
                """,
            .positional("name", .text, "name of the beacon, or only its place"),
            .optional("place", .coordinate, "LAT,LON, @name, or a name or address in quotes"),
            BeaconOptions.toneOption,
            .flag("disabled", "silent until it is enabled"),
            .option("group", .text, "name of its group"),
            output: .value("beacon"), effect: .changes,
            examples: [
                .init(
                    "home", "beacon add home 0.5144,0.4973 --tone warm | get tone", gives: "Warm Alternate"),
                .init(
                    "north already exists", "expect-error E-BEACON-NAME beacon add North 0,0",
                    gives: "the name `north` is reserved"),
            ],
            searchTerms: [
                "sound at a place", "audio", "sound", "location", "home", "audio beacon",
                "hear where the goal is",
            ]
        ) { context, text, coordinate, tone, isDisabled, group in
            var (name, place) = (text, coordinate)
            if place == nil { (name, place) = try await Self.named(text, context) }
            guard let place else { throw BeaconErrors.name("the coordinate of `\(text)` is missing") }
            let object = try BeaconStore(context).change(in: context) { set in
                try set.checkName(name)
                let tone = try tone.map { set.tones[try set.toneIndex(of: $0)] } ?? set.rarestTone
                var beacon = Beacon(
                    id: set.freshID(context.random.uuid), name: name, coordinate: place.withoutAltitude,
                    toneID: tone.id, isEnabled: !isDisabled)
                beacon.group = try group.map(BeaconSet.checkedGroup)
                set.beacons.append(beacon)
                var object = set.object(set.beacons.count - 1)
                object.sharing = AudibleSources.all(set).dropLast().filter { $0.tone.id == tone.id }.map(
                    \.name)
                return (object, "added beacon \(name)")
            }
            return .object(object)
        }
    }

    /// A place without a name for the beacon; it gets the place's name, if known.
    private static func named(_ text: String, _ context: Context) async throws -> (String, Coordinate?) {
        guard let finder = context.all((any PlaceFinding).self).first else {
            throw BeaconErrors.name("`\(text)` has no coordinate", fix: "beacon add NAME LAT,LON")
        }
        let found = try await finder.place(named: text, context: context)
        guard case .coordinate(let place)? = found.field("at") else { return (text, nil) }
        if case .text(let kind)? = found.field("kind"), kind != "coordinate",
            case .text(let name)? = found.field("name")
        {
            return (name, place)
        }
        guard let name = try await context.placeName(at: place) else {
            throw BeaconErrors.name(
                "no name is known at \(Literal.coordinate(place))",
                fix: "beacon add NAME \(Literal.coordinate(place))")
        }
        return (name, place)
    }
}

extension BeaconSet {
    /// The tone that the fewest sources use; the first of equals.
    var rarestTone: Tone {
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
