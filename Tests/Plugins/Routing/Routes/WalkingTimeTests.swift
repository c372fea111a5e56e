import Testing
import TrailStores

@testable import RoutingPlugin

/// Walking times by norms, against sums by hand.
struct WalkingTimeTests {
    @Test(
        "DIN 33466: 4 km/h, 300 m/h up, 500 m/h down, the longer and half of the shorter",
        arguments: [
            (8000.0, 600.0, 0.0, 3.0), (8000, 0, 500, 2.5), (4000, 900, 0, 3.5), (6000, 300, 500, 2.75),
            (4000, 0, 0, 1),
        ])
    func din33466(length: Double, gain: Double, loss: Double, hours: Double) {
        let seconds = WalkingTimes.din33466(length: length, gain: gain, loss: loss)
        #expect(abs(seconds / 3600 - hours) < 1e-9)
    }

    /// A walk of pieces of 100 m, each with its slope and pace in seconds per metre.
    private func walk(_ pieces: [(slope: Double, pace: Double)]) -> [LearnedPace.Sample] {
        var sample = LearnedPace.Sample(distance: 0, elevation: 1000, time: 0)
        return [sample]
            + pieces.map { piece in
                sample.distance += 100
                sample.elevation += 100 * piece.slope
                sample.time += 100 * piece.pace
                return sample
            }
    }

    private func profile(_ metres: Double, slope: Double) throws -> ElevationProfile {
        let points = [0, metres].map { ElevationPoint(distance: $0, elevation: 500 + $0 * slope) }
        return try #require(ElevationProfile(points: points))
    }

    @Test("own pace: 1 m/s on the flat and 0.5 m/s uphill come back as they were walked")
    func ownPace() throws {
        let flat = [(slope: 0.0, pace: 1.0)], up = [(slope: 0.2, pace: 2.0)]
        let pieces = Array(repeating: flat + up, count: 20).flatMap(\.self)
        let pace = try #require(LearnedPace([walk(pieces)]))
        #expect(abs(pace.time(try profile(3000, slope: 0)) - 3000) < 1)
        #expect(abs(pace.time(try profile(3000, slope: 0.2)) - 6000) < 1)
    }

    @Test("rests and rides are not part of the pace")
    func restsAreNotLearned() throws {
        let pieces = Array(repeating: (slope: 0.0, pace: 1.0), count: 30)
        let disturbed = pieces + [(0, 20), (0, 0.05), (0, 2), (0, 2)]
        let pace = try #require(LearnedPace([walk(disturbed)]))
        #expect(abs(pace.time(try profile(3000, slope: 0)) - 3000) < 1)
    }

    @Test("a ride by bicycle is learned whole: 8 m/s is no walk")
    func ridesByBicycle() throws {
        let pieces = Array(repeating: (slope: 0.0, pace: 0.125), count: 30)
        let motion = LearnedPace.Settings.byBicycle
        let pace = try #require(LearnedPace([walk(pieces)], motion: motion))
        #expect(abs(pace.time(try profile(3000, slope: 0)) - 375) < 1)
        #expect(LearnedPace([walk(pieces)]) == nil)
    }

    @Test("a class of slopes without data has the ratio to Tobler's function of the others")
    func slopesThatWereNotWalked() throws {
        let pieces = Array(repeating: (slope: 0.0, pace: 1.5), count: 20)
        let pace = try #require(LearnedPace([walk(pieces)]))
        let steep = try profile(1000, slope: 0.3)
        let ratio = 1.5 / WalkingTimes.tobler(length: 1, slope: 0)
        #expect(abs(pace.time(steep) - ratio * WalkingTimes.tobler(steep)) < 1)
        #expect(LearnedPace([walk(Array(pieces.prefix(2)))]) == nil)
    }
}
