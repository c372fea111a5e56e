import Geodesy
import PluginKit
import Testing

@testable import GuidancePlugin

/// Phones that take turns between their receiver and the place of a mast.
@Suite struct MastTests {
    @Test func aMastBetweenTheFixesDoesNotSilenceTheWalk() throws {
        let ground = Ground()
        let corners = [(0.0, 0.0), (0, 400), (300, 400), (300, 800), (0, 800)]
        var driver = Driver(
            try .made(ground.fineLine(corners), turns: [(400, .right), (700, .left), (1100, .left)]))
        let mast = ground.place(-140, 250)
        for (index, place) in ground.fineLine(corners, step: 2.6).enumerated() {
            driver.fix(index.isMultiple(of: 2) ? place : mast, after: 2)
        }
        let told = driver.events.filter { $0.kind == .atTurn }.compactMap { $0.turn?.trailName }
        #expect(told == ["way 0", "way 1", "way 2"], "\(told)")
        #expect(driver.events.last?.kind == .arrived)
    }
}
