import Geodesy
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// Positions of a track that do not say where someone went: rests and stray positions.
struct TrackScreeningTests {
    /// A position so many metres east and north of a corner.
    private func at(_ east: Double, _ north: Double) -> Coordinate {
        let plane = LocalPlane(at: Coordinate(latitude: 46, longitude: 8))
        return Coordinate(latitude: 46 + north / plane.northScale, longitude: 8 + east / plane.eastScale)
    }

    private func walk(_ count: Int, from start: Int = 0) -> [Coordinate] {
        (start..<start + count).map { at(Double($0) * 10, 0) }
    }

    @Test func aRestIsOnePlace() {
        var random = SplitMix(seed: 11)
        let rest = (0..<400).map { _ in
            at(500 + .random(in: -25...25, using: &random), .random(in: -25...25, using: &random))
        }
        let screened = TrackScreening(walk(50) + rest + walk(50, from: 50))
        #expect(screened.rests == 1)
        let line = screened.kept.map { (walk(50) + rest + walk(50, from: 50))[$0] }
        let length = zip(line, line.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        #expect(length < 1100)
    }

    /// Legs of 60 m, 15 m apart: each turn is one of half a circle, the rest is straight.
    @Test func hairpinsAreNoRest() {
        var track: [Coordinate] = []
        for leg in 0..<12 {
            let along = stride(from: 0.0, through: 60, by: 10).map { leg % 2 == 0 ? $0 : 60 - $0 }
            track += along.map { at($0, Double(leg) * 15) }
        }
        let screened = TrackScreening(track)
        #expect(screened.rests == 0 && screened.stray == 0)
    }

    @Test(arguments: [1, 2, 3]) func strayPositionsAreSetAside(count: Int) {
        let stray = (0..<count).map { at(500 + Double($0) * 5, 350) }
        let track = walk(50) + stray + walk(50, from: 50)
        let screened = TrackScreening(track)
        #expect(screened.stray > 0)
        #expect(screened.kept.allSatisfy { track[$0].latitude < 46.001 })
    }

    /// A track with a position every few hundred metres goes out and back in two steps.
    @Test func aSparseWayOutAndBackIsKept() {
        let track = [at(0, 0), at(300, 0), at(600, 0), at(620, 400), at(610, 0), at(900, 0), at(1200, 0)]
        #expect(TrackScreening(track).kept == Array(track.indices))
    }

    @Test func theEndStays() {
        let track = walk(20) + [at(191, 1)]
        #expect(TrackScreening(track).kept.last == 20)
    }

    @Test func fewOrInvalidPositionsAreNoTrouble() {
        #expect(TrackScreening([]).kept.isEmpty)
        #expect(TrackScreening([at(0, 0)]).kept == [0])
        #expect(TrackScreening([Coordinate(latitude: .nan, longitude: 0), at(0, 0)]).kept == [1])
    }
}
