import Foundation
import PluginKit

extension BeaconSet {
    /// The index of the beacon that a text means: its name, else the first letters of its identifier.
    func index(of text: String) throws -> Int {
        if Self.isNorth(text) {
            throw BeaconErrors.north(
                "north is a direction and no place", fix: "beacon disable north switches it off")
        }
        let folded = text.lowercased()
        let named = beacons.indices.filter { beacons[$0].name.lowercased() == folded }
        let found =
            named.isEmpty && !folded.isEmpty
            ? beacons.indices.filter { beacons[$0].id.uuidString.lowercased().hasPrefix(folded) } : named
        if found.count == 1, let index = found.first { return index }
        guard found.isEmpty else {
            let ids = found.map { beacons[$0].shortID }.joined(separator: ", ")
            throw BeaconErrors.none("`\(text)` means \(found.count) beacons", fix: "use an id: \(ids)")
        }
        throw BeaconErrors.none(
            "there is no beacon `\(text)`",
            fix: beacons.isEmpty ? "beacon add NAME LAT,LON" : "`beacon list` shows the beacons",
            suggestion: Suggestion.nearest(to: text, in: beacons.map(\.name)))
    }

    /// The tone that a text means.
    func toneIndex(of text: String) throws -> Int {
        let folded = text.lowercased()
        let exact = tones.indices.filter { tones[$0].name.lowercased() == folded }
        let found =
            exact.isEmpty && !folded.isEmpty
            ? tones.indices.filter {
                tones[$0].name.lowercased().hasPrefix(folded)
                    || tones[$0].id.uuidString.lowercased().hasPrefix(folded)
            } : exact
        if found.count == 1, let index = found.first { return index }
        throw BeaconErrors.tone(
            found.isEmpty ? "there is no tone `\(text)`" : "`\(text)` means \(found.count) tones",
            fix: "one of: " + tones.map { Literal.text($0.name) }.joined(separator: ", "),
            suggestion: Suggestion.nearest(to: text, in: tones.map(\.name)))
    }

    /// Throws unless a beacon can be called so; `except` is the one that has the name already.
    func checkName(_ name: String, except id: UUID? = nil) throws {
        try Self.checkSpelling(name)
        if Self.isNorth(name) { throw BeaconErrors.name("`north` is the name of north") }
        if beacons.contains(where: { $0.id != id && $0.name.lowercased() == name.lowercased() }) {
            throw BeaconErrors.name(
                "there is a beacon `\(name)` already", fix: "beacon edit \(Literal.text(name)) …")
        }
    }

    /// Throws unless a tone can be called so.
    func checkToneName(_ name: String, except id: UUID? = nil) throws {
        try Self.checkSpelling(name)
        if tones.contains(where: { $0.id != id && $0.name.lowercased() == name.lowercased() }) {
            throw BeaconErrors.name(
                "there is a tone `\(name)` already", fix: "tone edit \(Literal.text(name)) …")
        }
    }

    static func isNorth(_ text: String) -> Bool { text.lowercased() == BeaconSettings.northName }

    private static func checkSpelling(_ name: String) throws {
        let isSound =
            !name.allSatisfy(\.isWhitespace) && name.utf8.count <= BeaconSettings.longestName
            && !name.contains { $0.isNewline || $0 == "\0" }
        guard isSound else { throw BeaconErrors.name("`\(name.prefix(40))` cannot be a name") }
    }
}
