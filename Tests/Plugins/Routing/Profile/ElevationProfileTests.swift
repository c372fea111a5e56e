import Geodesy
import PluginKit
import Testing
import TrailStores

@testable import RoutingPlugin

/// Expected numbers are worked out by hand from the heights written in each test.
@Suite struct ElevationProfileTests {
    private func profile(_ heights: [Double], step: Double = 50) throws -> ElevationProfile {
        try #require(
            ElevationProfile(
                points: heights.enumerated().map {
                    ElevationPoint(distance: Double($0.offset) * step, elevation: $0.element)
                }))
    }

    @Test func measures() throws {
        let profile = try profile([500, 520, 540, 510, 530])
        #expect(profile.minimum == 500)
        #expect(profile.maximum == 540)
        // Trapezes: 510, 530, 525, 520, each over 50 m.
        #expect(profile.average == 521.25)
        #expect(profile.gain == 60)
        #expect(profile.loss == 30)
    }

    @Test func noiseIsNoClimbing() throws {
        #expect(try profile([500, 502, 500, 502, 499.5, 500]).gain == 0)
        // 2 m steps that go on rising do count.
        #expect(try profile([500, 502, 504, 506]).gain == 6)
        // A dip of less than 3 m does not split a rise of 10 m.
        #expect(try profile([500, 506, 504, 510]).gain == 10)
        #expect(try profile([500, 506, 504, 510]).loss == 0)
        // A dip of 3 m does.
        #expect(try profile([500, 506, 503, 510]).gain == 13)
        #expect(try profile([500, 506, 503, 510]).loss == 3)
    }

    @Test func backwardsGainAndLossChangePlaces() throws {
        var random = Xoshiro256(seed: 7)
        for _ in 0..<500 {
            let heights = (0..<40).map { _ in Double(Int.random(in: 0..<20, using: &random)) }
            let there = try profile(heights)
            let back = try profile(heights.reversed())
            #expect(there.gain == back.loss, "\(heights)")
            #expect(there.loss == back.gain, "\(heights)")
        }
    }

    @Test func steepestHundredMetres() throws {
        // 0–100 rises 40, 100–200 falls 10, 200–300 falls 60.
        let steepest = try #require(try profile([500, 520, 540, 535, 530, 500, 470]).steepest)
        #expect(steepest.from == 200)
        #expect(steepest.to == 300)
        #expect(abs(steepest.grade + 0.6) < 1e-9)
    }

    @Test func steepestBetweenPoints() throws {
        // 40 m flat, 60 m up by 30, then flat: the best 100 m hold the whole rise.
        let points = [(0.0, 100.0), (200, 100), (260, 130), (500, 130)]
        let profile = try #require(
            ElevationProfile(points: points.map { ElevationPoint(distance: $0.0, elevation: $0.1) }))
        let steepest = try #require(profile.steepest)
        #expect(abs(steepest.grade - 0.3) < 1e-9)
        #expect(steepest.from <= 200 && steepest.to >= 260)
    }

    @Test func shortAndEmptyWays() throws {
        #expect(try profile([500, 510]).steepest?.grade == 0.2)
        #expect(ElevationProfile(points: []) == nil)
        #expect(ElevationProfile(points: [ElevationPoint(distance: 0, elevation: 5)]) == nil)
        #expect(try profile([500, 510], step: 0).steepest == nil)
    }

    @Test func aLineWithGapsInItsAltitudes() throws {
        let line = [500.0, nil, 520].enumerated().map {
            Coordinate(latitude: 47 + Double($0.offset) * 0.001, longitude: 9, altitude: $0.element)
        }
        let profile = try #require(ElevationProfile(line: line))
        #expect(profile.points.count == 2)
        #expect(abs((profile.points.last?.distance ?? 0) - 222.45) < 0.01)
    }
}
