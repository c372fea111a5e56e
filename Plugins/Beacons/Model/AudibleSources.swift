import Foundation
import Geodesy
import PluginKit

/// A sound source: north or a beacon, with its tone.
package struct Source: Sendable, Hashable {
    /// The beacon's identifier; `nil` for north. Beacons of an app may have the same name.
    package var id: UUID?
    package var name: String
    /// `nil` for north.
    package var coordinate: Coordinate?
    package var tone: Tone
    /// For pictures.
    var color: UInt32
    /// The places that are heard one after the other, if it is a route; its name and coordinate are those of the first.
    package var route: [RoutePlace] = []
}

/// The sources heard at once.
package struct AudibleSources: Sendable {
    /// North first, then the beacons in their order.
    let sources: [Source]
    /// The names of the omitted sources, nearest first.
    package let leftOut: [String]
    /// The enabled beacons that are silent, since the app may not know where it is.
    let unplaced: [String]

    /// North and all beacons, including disabled ones.
    static func all(_ set: BeaconSet) -> [Source] {
        var all: [Source] = []
        if let tone = set.tone(set.north.toneID) {
            all.append(
                Source(name: BeaconSettings.northName, coordinate: nil, tone: tone, color: BeaconColors.north)
            )
        }
        for (index, beacon) in set.beacons.enumerated() {
            guard let tone = set.tone(beacon.toneID) else { continue }
            let color = BeaconColors.places[index % BeaconColors.places.count]
            all.append(
                Source(
                    id: beacon.id, name: beacon.name, coordinate: beacon.coordinate, tone: tone, color: color)
            )
        }
        return all
    }

    /// The enabled sources; beyond the limit the farthest from the coordinate are omitted. The beacons that are followed, by
    /// their indexes in order, are one source, whether they are enabled or not.
    package init(_ set: BeaconSet, from coordinate: Coordinate, following: [Int] = []) {
        var enabled = Self.all(set).filter(set.isEnabled)
        if let first = following.first, let tone = set.tone(set.beacons[first].toneID) {
            let places = following.map { RoutePlace(set.beacons[$0]) }
            let followed = Set(following.map { set.beacons[$0].id })
            enabled.removeAll { $0.id.map(followed.contains) ?? false }
            let color = BeaconColors.places[first % BeaconColors.places.count]
            enabled.append(
                Source(
                    id: set.beacons[first].id, name: places[0].name, coordinate: places[0].coordinate,
                    tone: tone, color: color,
                    route: places))
        }
        let hasPosition = set.north.permission.grantsPosition
        let all = hasPosition ? enabled : enabled.filter { $0.coordinate == nil }
        unplaced = hasPosition ? [] : enabled.filter { $0.coordinate != nil }.map(\.name)
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

    /// A note that names the silent or omitted sources; `nil` without any.
    package var notice: String? {
        guard unplaced.isEmpty else {
            return "\(LocationPermission.required): silent: \(unplaced.listed(first: Self.named))"
        }
        guard !leftOut.isEmpty else { return nil }
        return
            "more than \(BeaconSettings.mostSources) sources: the farthest are omitted: \(leftOut.listed(first: Self.named))"
    }

    /// Names listed in a notice.
    private static let named = 10
}
