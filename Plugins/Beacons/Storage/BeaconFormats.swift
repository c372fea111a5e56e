import Formats
import Foundation
import Geodesy
import TrailStores

/// `tones.json`: an array of tones.
enum ToneFile {
    static func tones(in data: Data) throws -> [Tone] {
        try BeaconFile.entries(in: data) { (tree) throws(JSONFault) in
            var tone = Tone(id: try tree.read("id"), name: try tree.read("name"))
            for field in ToneField.all {
                if let number: Double = try tree.readIfPresent(field.name) {
                    tone[keyPath: field.path] = number
                }
            }
            if let fault = tone.fault { throw JSONFault("\(tone.name): \(fault)") }
            return tone
        }
    }

    /// The bytes of a file with these tones; unknown keys of the file's entries are kept.
    static func data(_ tones: [Tone], over before: Data?) throws -> Data {
        try BeaconFile.data(tones, over: before, id: \.id) { tone, tree in
            tree["name"] = .text(tone.name)
            for field in ToneField.all { tree[field.name] = JSONTree(tone[keyPath: field.path]) }
        }
    }
}

/// `locations.json`: an array of beacons.
enum BeaconLocationFile {
    static func beacons(in data: Data) throws -> [Beacon] {
        try BeaconFile.entries(in: data) { (tree) throws(JSONFault) in
            let coordinate: Coordinate = try tree.read("coordinate")
            guard coordinate.isValid else {
                throw JSONFault(value: "the coordinate is out of range").inside(key: "coordinate")
            }
            var beacon = Beacon(
                id: try tree.read("id"), name: try tree.read("name"), coordinate: coordinate,
                toneID: try tree.read("toneProfileId"), isEnabled: try tree.read("isEnabled"))
            // Keys that the apps do not know, and leave out.
            beacon.group = tree["group"]?.text
            beacon.isFavorite = try tree.readIfPresent("isFavorite") ?? false
            beacon.lastUsed = try tree.readIfPresent("lastUsed")
            return beacon
        }
    }

    /// The bytes of a file with these beacons; unknown keys of the file's entries are kept.
    static func data(_ beacons: [Beacon], over before: Data?) throws -> Data {
        try BeaconFile.data(beacons, over: before, id: \.id) { beacon, tree in
            tree["name"] = .text(beacon.name)
            tree["coordinate"] = JSONTree(beacon.coordinate)
            tree["toneProfileId"] = .text(beacon.toneID.uuidString)
            tree["isEnabled"] = .boolean(beacon.isEnabled)
            tree["group"] = beacon.group.map { .text($0) }
            tree["isFavorite"] = beacon.isFavorite ? .boolean(true) : nil
            tree["lastUsed"] = beacon.lastUsed.map { JSONTree($0) }
        }
    }
}

/// `north.json`: whether north is enabled, and its tone. It has no coordinate and is therefore not a
/// location.
enum NorthFile {
    static func north(in data: Data) throws -> North {
        try JSONTree.read(data) { tree in
            var north = North()
            north.isEnabled = try tree.read("isEnabled")
            north.toneID = tree["toneProfileId"]?.text.flatMap(UUID.init(uuidString:))
            if let text = tree["locationPermission"]?.text {
                guard let permission = LocationPermission(rawValue: text) else {
                    throw JSONFault(value: "`\(text)` is not a state of the permission").inside(
                        key: "locationPermission")
                }
                north.permission = permission
            }
            return north
        }
    }

    static func data(_ north: North) -> Data {
        BeaconFile.data(
            JSONTree(members: [
                "isEnabled": .boolean(north.isEnabled),
                "toneProfileId": north.toneID.map { .text($0.uuidString) },
                "locationPermission": north.permission == .whenInUse ? nil : .text(north.permission.rawValue),
            ]))
    }
}

/// Arrays of JSON objects with identifiers.
private enum BeaconFile {
    static func entries<T>(
        in data: Data, _ body: (JSONTree) throws(JSONFault) -> T
    ) throws -> [T] {
        try JSONTree.read(data) { try $0.map(body) }
    }

    /// A file of elements, each merged into its previous object in the file.
    static func data<T>(
        _ elements: [T], over before: Data?, id: (T) -> UUID, _ write: (T, inout JSONTree) -> Void
    ) throws -> Data {
        var known: [UUID: JSONTree] = [:]
        for tree in try before.flatMap({ try JSONTree(parsing: $0).items }) ?? [] {
            if let id = tree["id"]?.text.flatMap(UUID.init(uuidString:)) { known[id] = tree }
        }
        return data(
            .list(
                elements.map { element in
                    var tree = known[id(element)] ?? .object([])
                    tree["id"] = .text(id(element).uuidString)
                    write(element, &tree)
                    return tree
                }))
    }

    static func data(_ tree: JSONTree) -> Data {
        Data(JSONWriter(.apple(escapesSlashes: false)).text(tree.sorted).utf8)
    }
}
