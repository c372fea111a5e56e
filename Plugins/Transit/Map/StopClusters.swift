import Foundation
import Geodesy
import PluginKit

/// Nearby stops that a map shows as one mark.
package struct StopCluster: Sendable, Hashable {
    /// The centre of its members.
    package var center: Coordinate
    /// Indexes of its members in the input: the one at which it formed, then the others by distance from
    /// it.
    var members: [Int]
}

/// Groups stops into clusters.
///
/// Stops are processed by the number of stops within the radius on the ground, largest first; ties are
/// broken by the southernmost, then the westernmost, then the smaller name. Each forms a cluster with its
/// unassigned neighbours if they exceed the minimum. The others stay single. The result does not depend on
/// the order of the input.
///
/// Neighbours are searched in strips of latitude of the radius's height; stops with equal coordinates are
/// counted together.
package struct StopClusters: Sendable {
    /// The clusters in the order in which they formed.
    package private(set) var clusters: [StopCluster] = []
    /// Indexes of the stops in no cluster, in the order of the input.
    private(set) var singles: [Int] = []

    /// Groups coordinates; `keys` order those that are equal.
    package init<Recorder: TraceRecorder>(
        _ places: [Coordinate], keys: [String], radius: Double = TransitSettings.clusterRadius,
        moreThan least: Int = TransitSettings.clusterThreshold, recorder: inout Recorder
    ) {
        let grid = PointStrips(places, radius: radius)
        var counts = [Int](repeating: 0, count: grid.count)
        for point in counts.indices {
            var around = 0
            grid.forEachNeighbour(of: point) { around += grid.size(of: $0) }
            counts[point] = around
        }
        let order = counts.indices.filter { counts[$0] > least }.sorted { left, right in
            counts[left] == counts[right] ? grid.precedes(left, right) : counts[left] > counts[right]
        }
        var isTaken = [Bool](repeating: false, count: grid.count)
        var cluster = [Int](repeating: -1, count: places.count)
        for point in order where !isTaken[point] {
            var near: [Int] = []
            var size = 0
            grid.forEachNeighbour(of: point) { other in
                if !isTaken[other] {
                    near.append(other)
                    size += grid.size(of: other)
                }
            }
            guard size > least else {
                recorder.record(Self.step(grid, point, keys, counts[point], size, formed: false))
                continue
            }
            recorder.record(Self.step(grid, point, keys, counts[point], size, formed: true))
            near.sort { left, right in
                let (a, b) = (grid.squared(point, left), grid.squared(point, right))
                return a == b ? grid.precedes(left, right) : a < b
            }
            var members: [Int] = []
            for other in near {
                isTaken[other] = true
                members += grid.members(of: other).sorted { keys[$0] < keys[$1] }
            }
            for member in members { cluster[member] = clusters.count }
            clusters.append(StopCluster(center: Self.center(members.map { places[$0] }), members: members))
        }
        singles = places.indices.filter { cluster[$0] < 0 }
    }

    /// The centre of coordinates, as the direction of the sum of their directions: valid across the antimeridian.
    static func center(_ places: [Coordinate]) -> Coordinate {
        var (x, y, z) = (0.0, 0.0, 0.0)
        // In a canonical order: floating-point sums depend on it.
        let sorted = places.sorted { ($0.latitude, $0.longitude) < ($1.latitude, $1.longitude) }
        for place in sorted {
            let (latitude, longitude) = (place.latitude.radians, place.longitude.radians)
            x += cos(latitude) * cos(longitude)
            y += cos(latitude) * sin(longitude)
            z += sin(latitude)
        }
        return Coordinate(
            latitude: atan2(z, (x * x + y * y).squareRoot()).degrees, longitude: atan2(y, x).degrees)
    }

    private static func step(
        _ grid: PointStrips, _ point: Int, _ keys: [String], _ around: Int, _ free: Int, formed: Bool
    ) -> TraceStep {
        let first = grid.members(of: point).map { keys[$0] }.min() ?? ""
        return TraceStep(
            formed ? "cluster" : "pass",
            [
                ("stop", .text(first)), ("at", .coordinate(grid.coordinate(of: point))),
                ("around", .integer(around)), ("free", .integer(free)),
            ],
            why: formed
                ? "of the remaining stops it has the most neighbours, and \(free) of them are in no cluster"
                : "only \(free) of its neighbours are in no cluster")
    }
}
