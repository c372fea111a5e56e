import Foundation
import GRDB
import Geodesy
import Pictures
import PluginKit
import TrailStores

/// A stop as the map loads it: number, coordinate and mode.
struct StopPoint: Sendable, Hashable {
    let number: Int64
    let coordinate: Coordinate
    let mode: TransitMode
}

/// The stops that a map has loaded.
struct LoadedStops: Sendable {
    /// The area of which all stops are loaded.
    enum Coverage: Sendable, Hashable {
        /// A region.
        case region(BoundingBox)
        /// A circle, its radius in metres: the load was cut at the limit, nearest stops first.
        case circle(Coordinate, radius: Double)
    }

    var points: [StopPoint] = []
    /// The number of stops in the region before the limit.
    var total = 0
    var coverage: Coverage

    /// Whether the load was cut at the limit.
    var isCut: Bool { points.count < total }

    /// The share of a region, by area, whose stops are all loaded. A load that was cut covers a region
    /// fully or counts as 0.
    func share(of region: BoundingBox) -> Double {
        switch coverage {
        case .region(let loaded): StopMap.overlap(of: region, with: loaded)
        case .circle(let center, let radius):
            region.corners.allSatisfy { center.distance(to: $0) <= radius } ? 1 : 0
        }
    }
}

extension BoundingBox {
    fileprivate var corners: [Coordinate] {
        [(south, west), (south, east), (north, east), (north, west)].map {
            Coordinate(latitude: $0.0, longitude: $0.1)
        }
    }
}

/// Groups of stops by distance on the screen.
///
/// Where the screen lies does not matter: positions are those in the whole world's map, so that every map of a
/// zoom groups the same stops in the same way.
struct ScreenGroups: Sendable {
    /// Indexes of the members of each group.
    private(set) var groups: [[Int]] = []
    /// Indexes of the stops in no group.
    private(set) var singles: [Int] = []

    /// Groups coordinates on a map of a zoom; `nil` if they spread farther than a screen.
    init?(_ places: [Coordinate], zoom: Double) {
        guard let first = places.first else {
            self.init([])
            return
        }
        let size = GeodesySettings.tileSize * exp2(zoom)
        let origin = WebMercator.project(first)
        let points = places.map { place in
            let projected = WebMercator.project(place)
            // The copy of the world that is nearest to the first one.
            let x = projected.x - (projected.x - origin.x).rounded()
            return ScenePoint(x * size, projected.y * size)
        }
        let dot = PictureSettings.cellWidth / 2
        let (left, top) = (points.map(\.x).min() ?? 0, points.map(\.y).min() ?? 0)
        let (right, bottom) = (points.map(\.x).max() ?? 0, points.map(\.y).max() ?? 0)
        guard max(right - left, bottom - top) <= TransitSettings.screenSpread else { return nil }
        // Moved by whole dots, so that they are rounded alike wherever the screen begins.
        let (x, y) = ((left / dot).rounded(.down) * dot, (top / dot).rounded(.down) * dot)
        self.init(points.map { ScenePoint($0.x - x, $0.y - y) })
    }

    /// Groups points by their distance on the screen, by the rule of `StopClusters`: those with the most neighbours first.
    ///
    /// A point of the screen is treated as a metre at the equator, where the sphere is flat enough.
    /// Positions are rounded to the dots of a terminal, so that dense stops at a low zoom cost no more than
    /// the number of dots.
    init(_ points: [ScenePoint], radius: Double = TransitSettings.screenRadius) {
        let metre = (1 / GeodesySettings.earthRadius).degrees
        let dot = PictureSettings.cellWidth / 2
        let places = points.map { point in
            Coordinate(
                latitude: -(point.y / dot).rounded() * dot * metre,
                longitude: (point.x / dot).rounded() * dot * metre)
        }
        var none = NoTrace()
        let keys = points.indices.map { index in
            let digits = "\(index)"
            return String(repeating: "0", count: max(0, 7 - digits.count)) + digits
        }
        let made = StopClusters(places, keys: keys, radius: radius, recorder: &none)
        groups = made.clusters.map(\.members)
        singles = made.singles
    }
}
