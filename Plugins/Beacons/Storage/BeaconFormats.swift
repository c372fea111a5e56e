import Foundation
import Geodesy
import TrailStores

/// `tones.json`: an array of tones.
enum ToneFile {
    static func tones(in data: Data) throws -> [Tone] {
        try JSONList.objects(in: data).enumerated().map { index, fields in
            let (id, name) = try JSONList.identity(fields, entry: index + 1)
            var tone = Tone(id: id, name: name)
            for field in ToneField.all {
                guard let value = fields[field.name] else { continue }
                guard let number = value.number else {
                    throw FileFault(message: "`\(field.name)` of \(name) is no number")
                }
                tone[keyPath: field.path] = number
            }
            if let fault = tone.fault { throw FileFault(message: "\(name): \(fault)") }
            return tone
        }
    }

    /// The bytes of a file with these tones; what the file had beyond them in an entry stays.
    static func data(_ tones: [Tone], over before: Data?) throws -> Data {
        let known = try OldEntries(before)
        return try JSONList.data(
            tones.map { tone in
                var fields = known[tone.id]
                fields["id"] = .text(tone.id.uuidString)
                fields["name"] = .text(tone.name)
                for field in ToneField.all { fields[field.name] = JSONField(tone[keyPath: field.path]) }
                return fields
            })
    }
}

/// `locations.json`: an array of places.
enum LocationFile {
    static func beacons(in data: Data) throws -> [Beacon] {
        try JSONList.objects(in: data).enumerated().map { index, fields in
            let (id, name) = try JSONList.identity(fields, entry: index + 1)
            guard case .object(let place)? = fields["coordinate"], let latitude = place["latitude"]?.number,
                let longitude = place["longitude"]?.number
            else { throw FileFault(message: "\(name) has no `coordinate` with latitude and longitude") }
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
            guard coordinate.isValid else {
                throw FileFault(message: "the coordinate of \(name) is out of range")
            }
            guard let tone = fields["toneProfileId"]?.text.flatMap(UUID.init(uuidString:)) else {
                throw FileFault(message: "`toneProfileId` of \(name) is no UUID")
            }
            guard let isEnabled = fields["isEnabled"]?.flag else {
                throw FileFault(message: "`isEnabled` of \(name) is neither true nor false")
            }
            return Beacon(id: id, name: name, coordinate: coordinate, toneID: tone, isEnabled: isEnabled)
        }
    }

    /// The bytes of a file with these places; what the file had beyond them in an entry stays.
    static func data(_ beacons: [Beacon], over before: Data?) throws -> Data {
        let known = try OldEntries(before)
        return try JSONList.data(
            beacons.map { beacon in
                var fields = known[beacon.id]
                fields["id"] = .text(beacon.id.uuidString)
                fields["name"] = .text(beacon.name)
                fields["coordinate"] = .object([
                    "latitude": JSONField(beacon.coordinate.latitude),
                    "longitude": JSONField(beacon.coordinate.longitude),
                ])
                fields["toneProfileId"] = .text(beacon.toneID.uuidString)
                fields["isEnabled"] = .boolean(beacon.isEnabled)
                return fields
            })
    }
}

/// `north.json`: whether north is heard, and with which tone. It is no place and therefore not among the locations.
enum NorthFile {
    static func north(in data: Data) throws -> North {
        guard let all = try? JSONDecoder().decode(JSONField.self, from: data), case .object(let fields) = all
        else { throw FileFault(message: "it is no JSON object") }
        guard let isEnabled = fields["isEnabled"]?.flag else {
            throw FileFault(message: "`isEnabled` is neither true nor false")
        }
        var north = North()
        north.isEnabled = isEnabled
        north.toneID = fields["toneProfileId"]?.text.flatMap(UUID.init(uuidString:))
        return north
    }

    static func data(_ north: North) throws -> Data {
        var fields: [String: JSONField] = ["isEnabled": .boolean(north.isEnabled)]
        fields["toneProfileId"] = north.toneID.map { .text($0.uuidString) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(fields)
    }
}

/// The entries of a file before a change, by their identifiers.
private struct OldEntries {
    private var fields: [UUID: [String: JSONField]] = [:]

    init(_ data: Data?) throws {
        guard let data else { return }
        for entry in try JSONList.objects(in: data) {
            if let id = entry["id"]?.text.flatMap(UUID.init(uuidString:)) { fields[id] = entry }
        }
    }

    subscript(_ id: UUID) -> [String: JSONField] { fields[id] ?? [:] }
}
