import Geodesy
import PluginKit

/// A sound source: north or a beacon, with its tone.
package struct Source: Sendable, Hashable {
    package var name: String
    /// `nil` for north.
    package var coordinate: Coordinate?
    package var tone: Tone
    /// For pictures.
    package var color: UInt32
}

/// The sources heard at once.
package struct AudibleSources: Sendable {
    /// North first, then the beacons in their order.
    package let sources: [Source]
    /// The names of the omitted sources, nearest first.
    package let leftOut: [String]

    /// North and all beacons, including disabled ones.
    package static func all(_ set: BeaconSet) -> [Source] {
        var all: [Source] = []
        if let tone = set.tone(set.north.toneID) {
            all.append(
                Source(name: BeaconSettings.northName, coordinate: nil, tone: tone, color: BeaconColors.north)
            )
        }
        for (index, beacon) in set.beacons.enumerated() {
            guard let tone = set.tone(beacon.toneID) else { continue }
            let color = BeaconColors.places[index % BeaconColors.places.count]
            all.append(Source(name: beacon.name, coordinate: beacon.coordinate, tone: tone, color: color))
        }
        return all
    }

    /// The enabled sources; beyond the limit the farthest from the coordinate are omitted.
    package init(_ set: BeaconSet, from coordinate: Coordinate) {
        let all = Self.all(set).filter(set.isEnabled)
        guard all.count > BeaconSettings.mostSources else {
            (sources, leftOut) = (all, [])
            return
        }
        let distances = all.map { $0.coordinate.map { coordinate.distance(to: $0) } ?? 0 }
        let order = all.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }
        let kept = Set(order.prefix(BeaconSettings.mostSources))
        sources = all.indices.filter(kept.contains).map { all[$0] }
        leftOut = order.dropFirst(BeaconSettings.mostSources).map { all[$0].name }
    }

    /// A note that names the omitted sources; `nil` without any.
    package var notice: String? {
        guard !leftOut.isEmpty else { return nil }
        let names = leftOut.prefix(Self.named).joined(separator: ", ")
        let more = leftOut.count > Self.named ? " and \(leftOut.count - Self.named) more" : ""
        return "more than \(BeaconSettings.mostSources) sources: the farthest are omitted: \(names)\(more)"
    }

    /// Names listed in a notice.
    private static let named = 10
}
