import Foundation
import Geodesy
import PluginKit

/// Scores of walks that leave planned routes of a real region and continue on new ones.
///
/// The routes follow recorded tracks: each is planned from a point of a track via a later one to a third,
/// and walked with a detour before or after the via point.
struct RerouteBenchmark {
    let program: RutterProgram
    let tracks: [[Coordinate]]
    let mostRoutes: Int

    static let extract = "heidelberg"
    /// The part of the region with ways all around.
    private static let box = BoundingBox(south: 49.35, west: 8.64, north: 49.50, east: 8.85)
    /// Metres of a track between two points of a plan.
    private static let leg = 1500.0
    /// Metres from the start at which the route is left: before the via point, and after it.
    private static let detours = [300, 1800]

    func run() throws {
        try program.importRegion(Self.extract)
        let plans = Array(tracks.flatMap(Self.plans).prefix(mostRoutes))
        var (planned, walks, rows) = (0, 0, [[Int]]())
        for (index, places) in plans.enumerated() {
            let words = places.map { "\($0.latitude),\($0.longitude)" }
            let plan = "let r = route plan \(words[0]) \(words[2]) --via \(words[1])"
            guard try program.run([plan]) != nil else { continue }
            planned += 1
            for (side, from) in Self.detours.enumerated() {
                let aside = (index + side) % 2 == 0 ? 120 : -120
                let lines = try program.run([
                    plan,
                    "guide simulate $r --detour \(from)m,\(aside)m,400m --noise 5m --interval 2s "
                        + "--seed \(2 * index + side) --reroute | guide score "
                        + "| select falseArrivals missedArrivals reroutes viasMissed",
                ])
                walks += 1
                rows += (lines ?? []).compactMap(Self.row)
            }
        }
        print(
            "\(Self.extract): \(plans.count) stretches of recorded tracks, \(planned) planned, "
                + "\(walks) walks with a detour of 120 m, \(rows.count) scored")
        print("| walks | number | arrived | false arr. | missed | new routes | via points not passed |")
        print("|---|---:|---:|---:|---:|---:|---:|")
        for (kind, some) in [
            ("with new routes", rows.filter { $0[2] > 0 }),
            ("without a new route", rows.filter { $0[2] == 0 }),
        ] {
            func sum(_ column: Int) -> Int { some.reduce(0) { $0 + $1[column] } }
            let arrived = some.count { $0[0] + $0[1] == 0 }
            print("| \(kind) | \(some.count) | \(arrived) | \(sum(0)) | \(sum(1)) | \(sum(2)) | \(sum(3)) |")
        }
    }

    /// Start, via point and end of each stretch of a track in the region, in order.
    private static func plans(_ track: [Coordinate]) -> [[Coordinate]] {
        var plans: [[Coordinate]] = []
        var places: [Coordinate] = []
        var last = track[0]
        var walked = 0.0
        for point in track {
            walked += last.distance(to: point)
            last = point
            guard box.contains(point) else {
                places = []
                continue
            }
            guard places.isEmpty || walked >= leg else { continue }
            places.append(point.withoutAltitude)
            walked = 0
            if places.count == 3 {
                plans.append(places)
                places = [places[2]]
            }
        }
        return plans
    }

    /// The four numbers of a row.
    private static func row(_ line: String) -> [Int]? {
        let cells = line.split(whereSeparator: \.isWhitespace).map { Int($0) }
        return cells.count == 4 && !cells.contains(nil) ? cells.compactMap { $0 } : nil
    }
}
