import CivilTime
import Geodesy
import Pictures
import PluginKit

/// A beacon as a value of the workbench.
struct BeaconObject: FieldedObject, MapDrawable {
    let beacon: Beacon
    let tone: String
    let color: UInt32
    /// Who sounds the same; empty when the tone is its own.
    var sharing: [String] = []

    var typeName: String { "beacon" }

    static let fields = FieldTable<Self> {
        Field(column: "id") { .text($0.beacon.shortID) }
        Field(column: "name") { .text($0.beacon.name) }
        Field(column: "at") { .coordinate($0.beacon.coordinate) }
        Field(column: "tone") { .text($0.tone) }
        Field(column: "enabled") { .boolean($0.beacon.isEnabled) }
        Field("uuid") { .text($0.beacon.id.uuidString) }
        Field("group") { Value($0.beacon.group, Value.text) }
        Field("favorite") { .boolean($0.beacon.isFavorite) }
        Field("lastUsed") { Value($0.beacon.lastUsed) { .date(Timestamp(milliseconds: Int64($0))) } }
        Field("note", where: { !$0.sharing.isEmpty }) { Value($0.note, Value.text) }
    }

    /// That others sound the same, and what to do.
    private var note: String? {
        guard !sharing.isEmpty else { return nil }
        return
            "sounds the same as \(sharing.joined(separator: ", ")); give it another with `beacon edit NAME --tone TONE`"
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
struct NorthObject: FieldedObject {
    let north: North
    let tone: String

    var typeName: String { "north" }

    static let fields = FieldTable<Self> {
        Field(column: "id") { _ in .nothing }
        Field(column: "name") { _ in .text(BeaconSettings.northName) }
        Field(column: "at") { _ in .nothing }
        Field(column: "tone") { .text($0.tone) }
        Field(column: "enabled") { .boolean($0.north.isEnabled) }
    }

    var summary: String { BeaconSettings.northName }
}

/// A tone as a value.
struct ToneObject: FieldedObject {
    /// The columns of lists.
    static let columns = ["id", "name", "frequency", "pingInterval", "pingDuration", "echoDelay"]

    let tone: Tone

    var typeName: String { "tone" }

    static let fields = FieldTable<Self> {
        Field("id") { .text(String($0.tone.id.uuidString.lowercased().prefix(8))) }
        Field("name") { .text($0.tone.name) }
        ToneField.all.map { field in
            Field(field.name) { field.measure.value($0.tone[keyPath: field.path]) }
        }
        Field("uuid") { .text($0.tone.id.uuidString) }
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
