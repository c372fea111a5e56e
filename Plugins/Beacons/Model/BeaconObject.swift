import CivilTime
import Geodesy
import Pictures
import PluginKit

/// A beacon as a value of the workbench.
struct BeaconObject: DomainObject, MapDrawable {
    /// The columns of lists.
    static let columns = ["id", "name", "at", "tone", "enabled"]

    let beacon: Beacon
    let tone: String
    let color: UInt32
    /// Who sounds the same; empty when the tone is its own.
    var sharing: [String] = []

    var typeName: String { "beacon" }
    private static let fields = columns + ["uuid", "group", "favorite", "lastUsed"]
    static let declaredFieldNames: [String]? = fields
    var fieldNames: [String] { sharing.isEmpty ? Self.fields : Self.fields + ["note"] }

    func field(_ name: String) -> Value? {
        switch name {
        case "note" where !sharing.isEmpty:
            .text(
                "sounds the same as \(sharing.joined(separator: ", ")); give it another with `beacon edit NAME --tone TONE`"
            )
        case "id": .text(beacon.shortID)
        case "name": .text(beacon.name)
        case "at": .coordinate(beacon.coordinate)
        case "tone": .text(tone)
        case "enabled": .boolean(beacon.isEnabled)
        case "uuid": .text(beacon.id.uuidString)
        case "group": Value(beacon.group, Value.text)
        case "favorite": .boolean(beacon.isFavorite)
        case "lastUsed": Value(beacon.lastUsed) { .date(Timestamp(milliseconds: Int64($0))) }
        default: nil
        }
    }

    var summary: String { beacon.name }

    var mapFeatures: [MapFeature] {
        [
            .point(
                beacon.coordinate,
                MapPointStyle(color: Color(color), radius: 5, symbol: "o", label: beacon.name))
        ]
    }
}

/// North as a value: a beacon without a coordinate.
struct NorthObject: DomainObject {
    let north: North
    let tone: String

    var typeName: String { "north" }
    var fieldNames: [String] { BeaconObject.columns }

    func field(_ name: String) -> Value? {
        switch name {
        case "name": .text(BeaconSettings.northName)
        case "id", "at": .nothing
        case "tone": .text(tone)
        case "enabled": .boolean(north.isEnabled)
        default: nil
        }
    }

    var summary: String { BeaconSettings.northName }
}

/// A tone as a value.
struct ToneObject: DomainObject {
    static let columns = ["id", "name", "frequency", "pingInterval", "pingDuration", "echoDelay"]

    let tone: Tone

    var typeName: String { "tone" }
    var fieldNames: [String] { ["id", "name"] + ToneField.all.map(\.name) + ["uuid"] }

    func field(_ name: String) -> Value? {
        switch name {
        case "id": return .text(String(tone.id.uuidString.lowercased().prefix(8)))
        case "uuid": return .text(tone.id.uuidString)
        case "name": return .text(tone.name)
        default:
            guard let field = ToneField.all.first(where: { $0.name == name }) else { return nil }
            let value = tone[keyPath: field.path]
            switch field.measure {
            case .hertz: return .quantity(Quantity(value, .frequency))
            case .seconds: return .quantity(Quantity(value, .duration))
            case .plain: return .number(value)
            }
        }
    }

    var summary: String { tone.name }
}

extension BeaconSet {
    /// A beacon with its tone's name and its colour.
    func object(_ index: Int) -> BeaconObject {
        BeaconObject(
            beacon: beacons[index], tone: tone(beacons[index].toneID)?.name ?? "",
            color: BeaconColors.places[index % BeaconColors.places.count])
    }

    /// North with its tone's name.
    var northObject: NorthObject { NorthObject(north: north, tone: tone(north.toneID)?.name ?? "") }
}
