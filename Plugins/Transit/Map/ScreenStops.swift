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

extension Feed {
    /// All stops of a region for the map; if there are more than the limit, the nearest to its centre.
    func points(in box: BoundingBox, limit: Int = TransitSettings.screenLimit) throws -> LoadedStops {
        var points = try read { db in
            var points: [StopPoint] = []
            for range in box.longitudeRanges {
                let rows = try RawStatement(
                    db,
                    """
                    SELECT s.sid, s.stop_lat, s.stop_lon, \(layout.modeColumn) FROM \(layout.tree) t
                      JOIN stops s ON s.sid = t.sid \(layout.modeJoin)
                      WHERE t.max_lat >= ? AND t.min_lat <= ? AND t.max_lon >= ? AND t.min_lon <= ?
                    """, isCached: true)
                for (index, bound) in [box.south, box.north, range.lowerBound, range.upperBound].enumerated()
                {
                    rows.bind(Int32(index + 1), bound)
                }
                while try rows.next() {
                    if points.count % TransitSettings.rowStep == 0 { try Interruption.check() }
                    let place = Coordinate(latitude: rows.number(1), longitude: rows.number(2))
                    guard box.contains(place) else { continue }
                    points.append(
                        StopPoint(
                            number: rows.integer(0), coordinate: place,
                            mode: TransitMode(routeType: rows.isNull(3) ? nil : Int(rows.integer(3)))))
                }
            }
            return points
        }
        // The tree has no order; that of the numbers is the order of importance.
        points.sort { $0.number < $1.number }
        let total = points.count
        guard total > limit else { return LoadedStops(points: points, total: total, coverage: .region(box)) }
        let center = box.center
        let near = points.map { (point: $0, distance: center.distance(to: $0.coordinate)) }
            .sorted { ($0.distance, $0.point.number) < ($1.distance, $1.point.number) }
        // The stops at the distance of the first excluded one may be incomplete.
        return LoadedStops(
            points: near.prefix(limit).map(\.point), total: total,
            coverage: .circle(center, radius: near[limit].distance.nextDown))
    }
}

/// Groups of stops by distance on the screen.
struct ScreenGroups: Sendable {
    /// Indexes of the members of each group.
    private(set) var groups: [[Int]] = []
    /// Indexes of the stops in no group.
    private(set) var singles: [Int] = []

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
