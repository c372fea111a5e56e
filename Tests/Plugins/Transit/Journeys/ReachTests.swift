import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// Areas that can be reached by public transport.
@Suite struct ReachTests {
    /// A point is in the area exactly if a journey arrives there in time; points within a few metres of the outline, which
    /// has corners, are left out.
    @Test(arguments: [21, 22, 23] as [UInt64])
    func theAreaIsWhereJourneysArrive(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let database = folder.url.appendingPathComponent("gtfs.db")
        _ = try FeedImport.run(
            FeedSource(name: "town", tables: RandomTown(seed: seed).tables), to: database, isLenient: true)
        let feed = try Feed(database, isOwn: true, fallback: .gmt)
        var random = Xoshiro256(seed: seed)
        func place() -> Coordinate {
            Coordinate(
                latitude: Double.random(in: 50.098...50.122, using: &random),
                longitude: Double.random(in: 50.098...50.132, using: &random))
        }
        var (inside, outside) = (0, 0)
        for _ in 0..<4 {
            let from = place()
            let time = 1_770_332_400 + Int.random(in: 6...20, using: &random) * 3600
            var request = JourneyRequest(from: from, to: from, time: time)
            request.walk = 500
            let limits = [900, 2400]
            let found = try JourneyPlanner(feed).reach(request, within: limits, live: nil)
            #expect(found.areas.map(\.limit) == limits)
            for area in found.areas {
                for _ in 0..<60 {
                    let to = place()
                    guard Self.isClear(to, of: area.outline) else { continue }
                    var own = request
                    own.to = to
                    var none = NoTrace()
                    let first = try JourneyPlanner(feed).journeys(own, live: nil, into: &none).journeys
                        .map(\.arrives).min()
                    let isReached = first.map { $0 - time <= area.limit } ?? false
                    #expect(Self.contains(area.outline, to) == isReached, "\(from) to \(to) at \(time)")
                    if isReached { inside += 1 } else { outside += 1 }
                }
            }
        }
        #expect(inside > 20)
        #expect(outside > 20)
    }

    /// Whether a point is farther from the outline than its corners are from the circles.
    private static func isClear(_ point: Coordinate, of rings: [[Coordinate]]) -> Bool {
        rings.allSatisfy { ring in
            zip(ring, ring.dropFirst()).allSatisfy { LocalPlane.distance(point, from: $0, to: $1) > 3 }
        }
    }

    /// By the parity of the rings around a point.
    private static func contains(_ rings: [[Coordinate]], _ point: Coordinate) -> Bool {
        rings.reduce(false) { inside, ring in
            zip(ring, ring.dropFirst()).reduce(inside) { inside, side in
                let (a, b) = side
                guard (a.latitude > point.latitude) != (b.latitude > point.latitude) else { return inside }
                let share = (point.latitude - a.latitude) / (b.latitude - a.latitude)
                return point.longitude < a.longitude + (b.longitude - a.longitude) * share ? !inside : inside
            }
        }
    }

    /// Discs that touch, overlap, contain each other and enclose a hole, also across the antimeridian.
    @Test func outlinesOfDiscs() {
        func disc(_ latitude: Double, _ longitude: Double, _ radius: Double) -> DiscUnion.Disc {
            DiscUnion.Disc(center: Coordinate(latitude: latitude, longitude: longitude), radius: radius)
        }
        #expect(DiscUnion.rings(around: []).isEmpty)
        #expect(DiscUnion.rings(around: [disc(50, 8, 0)]).isEmpty)
        #expect(DiscUnion.rings(around: [disc(50, 8, 500), disc(50, 8.1, 500)]).count == 2)
        #expect(DiscUnion.rings(around: [disc(50, 8, 500), disc(50, 8.005, 500)]).count == 1)
        #expect(
            DiscUnion.rings(around: [disc(50, 8, 500), disc(50, 8.001, 100), disc(50, 8, 500)]).count == 1)
        let ring = (0..<12).map { number in
            disc(50 + 0.02 * sin(Double(number) / 6 * .pi), 8 + 0.031 * cos(Double(number) / 6 * .pi), 800)
        }
        #expect(DiscUnion.rings(around: ring).count == 2)
        let across = DiscUnion.rings(around: [disc(0, 179.999, 500), disc(0, -179.999, 500)])
        #expect(across.count == 1)
        let radii = DiscUnion.rings(around: [disc(60, 8, 5000)])[0].map {
            $0.distance(to: Coordinate(latitude: 60, longitude: 8))
        }
        #expect(radii.allSatisfy { abs($0 - 5000) < 15 })
    }

    @Test func theCommand() async throws {
        let session = try await StreetFeed.session()
        let stops = "get reached | select arrives stop rides | to csv"
        #expect(
            await session.run("journey reachable @A --within 30min | first | \(stops)")
                == "arrives,stop,rides\n07:55,Alpha,0\n08:10,Beta,1\n08:20,Gamma,1")
        #expect(
            await session.run("journey reachable @A --within 40min --within 20min | select stops | to csv")
                == "stops\n2\n4")
        let saved = await session.run("journey reachable @A | to geojson")
        #expect(saved.contains("Polygon"))
        #expect(
            await session.run("journey reachable 0,0").contains(
                "no stop with trips lies within 800m of the start"))
    }
}
