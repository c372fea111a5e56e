import Foundation
import Geodesy
import PluginKit
import Testing

@testable import GuidancePlugin

@Suite struct GeometryTests {
    private static let grounds = [
        Ground(), .equator, .north60, .antimeridian, .north85,
        Ground(origin: Coordinate(latitude: -33, longitude: -179.9995)),
    ]

    /// A line that wanders about, with points at uneven distances.
    private static func wandering(_ ground: Ground, _ random: inout Xoshiro256, count: Int) -> [Coordinate] {
        var (east, north, direction) = (0.0, 0.0, 0.0)
        var points: [(Double, Double)] = []
        for _ in 0..<count {
            points.append((east, north))
            direction += (random.unit() - 0.5) * 2
            let step = 1 + 60 * random.unit()
            east += step * sin(direction)
            north += step * cos(direction)
        }
        return ground.line(points)
    }

    @Test("the tree finds the same as a scan of every segment", arguments: grounds.indices)
    func tree(index: Int) throws {
        var random = Xoshiro256(seed: UInt64(index))
        let ground = Self.grounds[index]
        for count in [2, 3, 9, 100, 777] {
            let geometry = try #require(RouteGeometry(Self.wandering(ground, &random, count: count)))
            for _ in 0..<200 {
                let at = geometry.coordinate(at: random.unit() * geometry.length)
                let place = at.destination(
                    bearing: 360 * random.unit(), distance: 3000 * pow(random.unit(), 4))
                let scanned = geometry.scanned(place)
                let found = geometry.nearest(place)
                #expect(abs(scanned.distance - found.distance) < 1e-6)
            }
        }
    }

    @Test("passes are the places where the line comes nearest within a distance")
    func passes() throws {
        // Out 300 m, 40 m aside, and back: two passes, and the corner between them is not near.
        let geometry = try #require(
            RouteGeometry(Ground().fineLine([(0, 0), (300, 0), (300, 40), (0, 40)])))
        let passes = geometry.passes(Ground().place(100, 10), within: 35)
        #expect(passes.count == 2)
        #expect(passes.map { ($0.along / 10).rounded() * 10 } == [100, 540])
        #expect(abs(passes[0].distance - 10) < 0.01 && abs(passes[1].distance - 30) < 0.01)
        #expect(geometry.passes(Ground().place(100, 10), within: 9).isEmpty)
    }

    @Test("distances beside the line are those of the sphere, at any latitude", arguments: grounds.indices)
    func offsets(index: Int) throws {
        let ground = Self.grounds[index]
        let line = ground.line([(0, 0), (0, 500)])
        let geometry = try #require(RouteGeometry(line))
        for east in [-80.0, -49, 1, 51, 200] {
            let match = geometry.nearest(ground.place(east, 250))
            #expect(abs(match.distance - abs(east)) < 0.05, "\(ground.origin) \(east)")
            #expect(abs(match.along - 250) < 0.5)
        }
    }

    @Test("long segments are split along the great circle")
    func longPieces() throws {
        let from = Coordinate(latitude: 60, longitude: 0)
        let to = Coordinate(latitude: 60, longitude: 5)
        let geometry = try #require(RouteGeometry([from, to]))
        // The great circle's middle, by the half-way formula, lies north of the parallel.
        #expect(geometry.nearest(from.midpoint(to: to)).distance < 0.1)
        #expect(abs(geometry.length - from.distance(to: to)) < 0.01)
        #expect(geometry.points.count > 200)
    }

    @Test("a line requires two different points")
    func tooShort() {
        let place = Coordinate(latitude: 1, longitude: 1)
        #expect(RouteGeometry([]) == nil && RouteGeometry([place]) == nil)
        #expect(RouteGeometry([place, place, place]) == nil)
        #expect(RouteGeometry([place, Coordinate(latitude: .nan, longitude: 0)]) == nil)
    }

    @Test("instructions lie on their own pass of a line that crosses itself")
    func instructionsOnCrossings() throws {
        // A loop: the line passes 200,0 at 200 m and again at 600 m.
        let line = Ground().fineLine([(0, 0), (300, 0), (300, 100), (200, 100), (200, -200)])
        let route = try GuideRoute.made(line, turns: [(200, .right), (600, .left)])
        let alongs = route.stops.map(\.along)
        #expect(abs(alongs[0] - 200) < 1 && abs(alongs[1] - 600) < 1)
    }

    @Test("distances of a graph that is longer than the drawn line are scaled to it")
    func scaledInstructions() throws {
        let line = Ground().line([(0, 0), (0, 1000)])
        let turn = TurnInstruction(
            coordinate: Coordinate(latitude: .nan, longitude: 0), direction: .left, bearing: 0,
            distanceFromPrevious: 0, cumulativeDistance: 550, trailName: nil, description: "Turn left")
        var arrival = turn
        arrival.direction = .arrive
        arrival.cumulativeDistance = 1100
        let route = try #require(
            GuideRoute(
                name: "", mode: .hiking, line: line, turns: [turn, arrival], duration: nil, isBareLine: false)
        )
        #expect(abs(route.stops[0].along - 500) < 0.1)
    }
}
