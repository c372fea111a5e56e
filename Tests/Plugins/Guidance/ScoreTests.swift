import Geodesy
import PluginKit
import Testing

@testable import GuidancePlugin

@Suite struct ScoreTests {
    private static let line = Ground().fineLine([(0, 0), (0, 2000)])

    private static func score(_ settings: GuidanceSettings, _ plan: WalkPlan = WalkPlan()) throws -> WalkScore
    {
        let route = try GuideRoute.made(line, turns: [(500, .left), (1000, .right), (1500, .left)])
        return try #require(try walked(route, plan, settings: settings).score)
    }

    @Test(
        "a walk on the line without noise has three turns of two prompts and one of the arrival, all in place"
    )
    func clean() throws {
        let score = try Self.score(GuidanceSettings())
        #expect(score.prompts == 7 && score.inPlace == 7)
        #expect(score.falseArrivals + score.missedArrivals + score.silences + score.falseOffRoute == 0)
        #expect(score.secondsWrong == 0 && abs(score.seconds - 2000 / 1.3) < 2)
    }

    @Test("the app never says that a turn is here: three prompts are missing")
    func app() throws {
        var settings = GuidanceSettings()
        settings.matcher = .app
        let score = try Self.score(settings)
        #expect(score.missing == 3 && score.inPlace == 4)
    }

    @Test("on a way out and back the nearest point arrives at once, or never: both are counted")
    func nearest() throws {
        let line = Ground().fineLine([(0, 0), (0, 600), (0, 0)])
        let route = try GuideRoute.made(line, turns: [(300, .left), (900, .right)])
        var settings = GuidanceSettings()
        settings.matcher = .nearest
        let score = try #require(try walked(route, WalkPlan(), settings: settings).score)
        #expect(score.falseArrivals + score.missedArrivals > 0)
        #expect(score.inPlace < score.prompts && score.secondsWrong > 100)
    }

    @Test("what is wrong is listed with its place")
    func faults() throws {
        var settings = GuidanceSettings()
        settings.matcher = .app
        let route = try GuideRoute.made(Self.line, turns: [(500, .left)])
        let faults = try walked(route, WalkPlan(), settings: settings).faults
        #expect(faults.map(\.kind) == [.missing])
        #expect(abs((faults.first?.truth ?? 0) - 500) < 2)
    }
}
