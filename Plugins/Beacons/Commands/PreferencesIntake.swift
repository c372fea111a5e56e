import Formats
import Foundation
import Geodesy
import PluginKit

/// The beacons of an app's preferences: those that lack a part get it, and those without a place are named.
struct PreferencesIntake {
    /// A beacon, without its own identifier if it has none.
    private struct Found {
        var beacon: Beacon
        var needsID: Bool
    }

    private var found: [Found] = []
    /// What was missing or changed, by the name of the beacon.
    private var repaired: [(name: String, what: String)] = []
    private var skipped: [(name: String, why: String)] = []
    private let file: String
    /// Beacons named in a note.
    private static let named = 5
    /// The name of a beacon whose name says nothing.
    private static let unnamed = "beacon"

    /// Reads the locations of an app. Throws `E-BEACON-FILE` if they are no list, or none of several has a place.
    init(_ data: Data, file: String) throws {
        self.file = file
        do {
            let entries = try JSONTree.read(data) { tree in
                guard let items = tree.items else { throw tree.mismatch("an array") }
                return items
            }
            for entry in entries { take(entry) }
        } catch let fault as JSONFault {
            throw fault.error(BeaconErrors.file, file: "\(file), SavedLocations")
        }
        guard !found.isEmpty || skipped.isEmpty else {
            throw BeaconErrors.file("\(file): \(note ?? "")", fix: "beacon add NAME LAT,LON")
        }
    }

    private mutating func take(_ tree: JSONTree) {
        let written = tree["name"]?.text ?? ""
        let name = Self.name(written)
        let coordinate: Coordinate
        do throws(JSONFault) {
            coordinate = try tree.read("coordinate")
        } catch {
            return skipped.append((name, error.description))
        }
        guard coordinate.isValid else {
            return skipped.append((name, "its coordinate is out of range"))
        }
        var missing: [String] = []
        let id = tree["id"]?.text.flatMap(UUID.init(uuidString:))
        let isKnown = id.map { id in found.contains { $0.beacon.id == id } } ?? false
        if id == nil {
            missing.append("no identifier")
        } else if isKnown {
            missing.append("the identifier of another")
        }
        let tone = tree["toneProfileId"]?.text.flatMap(UUID.init(uuidString:))
        if tone == nil { missing.append("no tone") }
        let isEnabled = Self.boolean(tree["isEnabled"])
        if isEnabled == nil { missing.append("unknown whether it is enabled") }
        if name != written { missing.append(written.isEmpty ? "no name" : "an unusable name") }
        if !missing.isEmpty { repaired.append((name, missing.joined(separator: ", "))) }
        let noID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        // An unknown tone is the first one, as in the apps.
        var beacon = Beacon(
            id: id ?? noID, name: name, coordinate: coordinate.withoutAltitude, toneID: tone ?? noID,
            isEnabled: isEnabled ?? true)
        beacon.group = tree["group"]?.text
        if case .boolean(true)? = tree["isFavorite"] { beacon.isFavorite = true }
        beacon.lastUsed = tree["lastUsed"]?.number.flatMap { Int($0) }
        found.append(Found(beacon: beacon, needsID: id == nil || isKnown))
    }

    /// One line that is not too long.
    private static func name(_ written: String) -> String {
        var name = written.split { $0.isNewline || $0 == "\0" }.joined(separator: " ")
        while name.utf8.count > BeaconSettings.longestName { name.removeLast() }
        return name.allSatisfy(\.isWhitespace) ? unnamed : name
    }

    private static func boolean(_ tree: JSONTree?) -> Bool? {
        switch tree {
        case .boolean(let flag)?: flag
        case .number("0")?: false
        case .number("1")?: true
        default: nil
        }
    }

    /// How many beacons there are.
    var count: Int { found.count }

    /// The beacons; those without an identifier get a new one.
    func beacons(_ fresh: () -> UUID) -> [Beacon] {
        found.map { entry in
            guard entry.needsID else { return entry.beacon }
            let old = entry.beacon
            var beacon = Beacon(
                id: fresh(), name: old.name, coordinate: old.coordinate, toneID: old.toneID,
                isEnabled: old.isEnabled)
            beacon.group = old.group
            beacon.isFavorite = old.isFavorite
            beacon.lastUsed = old.lastUsed
            return beacon
        }
    }

    /// What became of the entries.
    var account: SourceAccount {
        func first(_ all: [(name: String, why: String)]) -> [String] {
            all.prefix(Self.named).map { "\($0.name): \($0.why)" }
        }
        return SourceAccount(
            source: file,
            parts: [
                .init(
                    item: "beacon", seen: found.count + skipped.count, used: found.count - repaired.count,
                    entries: [
                        .init(
                            .repaired, "incomplete", count: repaired.count,
                            first: repaired.prefix(Self.named).map { "\($0.name): \($0.what)" }),
                        .init(.setAside, "without a place", count: skipped.count, first: first(skipped)),
                    ])
            ])
    }

    /// Which beacons were not added; `nil` if all were.
    var note: String? {
        guard !skipped.isEmpty else { return nil }
        let names = skipped.lazy.map { "\($0.name): \($0.why)" }
            .listed(first: Self.named, separator: "; ", more: "; and ")
        return "\(skipped.count, of: "beacon") not added: \(names)"
    }
}
