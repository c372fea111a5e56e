import Foundation
import PluginKit

extension BeaconSet {
    /// The indexes of the beacons that a text names.
    func beacons(named text: String) -> [Int] {
        NameMatch.items(
            beacons.indices, named: text, name: { beacons[$0].name }, id: { beacons[$0].id.uuidString })
    }

    /// The index of the beacon with this name, else of the one whose identifier starts with it.
    func index(of text: String) throws -> Int {
        if Self.isNorth(text) {
            throw BeaconErrors.north(
                "north is a direction, not a beacon", fix: "beacon edit north --enabled false")
        }
        let found = beacons(named: text)
        if found.count == 1, let index = found.first { return index }
        guard found.isEmpty else {
            let ids = found.map { beacons[$0].shortID }.joined(separator: ", ")
            throw BeaconErrors.none("`\(text)` matches \(found.count) beacons", fix: "use an id: \(ids)")
        }
        throw BeaconErrors.none(
            "unknown beacon `\(text)`",
            fix: beacons.isEmpty ? "beacon add NAME LAT,LON" : "`beacon list` shows the beacons",
            suggestion: Suggestion.nearest(to: text, in: beacons.map(\.name)))
    }

    /// The indexes of named beacons, each once; the name of a group, which is no beacon's, stands for all of its beacons.
    func indexes(of names: [String]) throws -> [Int] {
        var found: [Int] = []
        for name in names {
            let isBeacon = beacons.contains { $0.name.foldedForSearch == name.foldedForSearch }
            let group = isBeacon || name.isEmpty ? [] : (try? members(of: name)) ?? []
            for index in group.isEmpty ? [try index(of: name)] : group where !found.contains(index) {
                found.append(index)
            }
        }
        return found
    }

    /// The beacons of a group, in their order. Throws `E-BEACON-GROUP` if there is none.
    func members(of group: String) throws -> [Int] {
        let found = beacons.indices.filter { beacons[$0].group?.lowercased() == group.lowercased() }
        guard !found.isEmpty else {
            let groups = beacons.compactMap(\.group)
            throw BeaconErrors.group(
                "no beacon is in a group `\(group)`", at: .parameter("group"),
                fix: "beacon edit NAME --group \(Literal.text(group))",
                suggestion: Suggestion.nearest(to: group, in: groups))
        }
        return found
    }

    /// A name that a group can have. Throws `E-BEACON-GROUP` for another.
    static func checkedGroup(_ name: String) throws -> String {
        do { try checkSpelling(name) } catch {
            throw BeaconErrors.group(
                "invalid name of a group `\(name.prefix(40))`", at: .parameter("group"),
                fix: "use one line of at most \(BeaconSettings.longestName) bytes")
        }
        return name
    }

    /// The index of the tone with this name, else of the one whose name or identifier starts with it.
    func toneIndex(of text: String) throws -> Int {
        let named = NameMatch.items(
            tones.indices, named: text, name: { tones[$0].name }, id: { tones[$0].id.uuidString })
        // The names of tones are few and long: their beginning is enough.
        let found =
            named.isEmpty && !text.isEmpty
            ? tones.indices.filter { NameMatch.begins(tones[$0].name, with: text) } : named
        if found.count == 1, let index = found.first { return index }
        throw BeaconErrors.tone(
            found.isEmpty ? "unknown tone `\(text)`" : "`\(text)` matches \(found.count) tones",
            fix: "one of: " + tones.map { Literal.text($0.name) }.joined(separator: ", "),
            suggestion: Suggestion.nearest(to: text, in: tones.map(\.name)))
    }

    /// Throws `E-BEACON-NAME` unless a beacon can have this name; `except` may have it already.
    func checkName(_ name: String, except id: UUID? = nil) throws {
        try Self.checkSpelling(name)
        if Self.isNorth(name) { throw BeaconErrors.name("the name `north` is reserved") }
        if beacons.contains(where: { $0.id != id && $0.name.lowercased() == name.lowercased() }) {
            throw BeaconErrors.name(
                "a beacon `\(name)` already exists", fix: "beacon edit \(Literal.text(name)) …")
        }
    }

    /// Throws `E-BEACON-NAME` unless a tone can have this name.
    func checkToneName(_ name: String, except id: UUID? = nil) throws {
        try Self.checkSpelling(name)
        if tones.contains(where: { $0.id != id && $0.name.lowercased() == name.lowercased() }) {
            throw BeaconErrors.name(
                "a tone `\(name)` already exists", fix: "tone edit \(Literal.text(name)) …")
        }
    }

    static func isNorth(_ text: String) -> Bool { text.lowercased() == BeaconSettings.northName }

    private static func checkSpelling(_ name: String) throws {
        let isSound =
            !name.allSatisfy(\.isWhitespace) && name.utf8.count <= BeaconSettings.longestName
            && !name.contains { $0.isNewline || $0 == "\0" }
        guard isSound else {
            throw BeaconErrors.name(
                "invalid name `\(name.prefix(40))`",
                fix: "use one line of at most \(BeaconSettings.longestName) bytes")
        }
    }
}
