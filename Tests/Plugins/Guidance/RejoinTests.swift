import Geodesy
import PluginKit
import Testing

@testable import GuidancePlugin

/// What is said where the line is rejoined.
@Suite struct RejoinTests {
    private static let ground = Ground()

    private static func driver() throws -> Driver {
        Driver(
            try .made(
                ground.fineLine([(0, 0), (0, 500), (-600, 500)]), turns: [(500, .left), (900, .right)]))
    }

    /// The text of the event that the line is rejoined, after a walk with a fix every two seconds.
    private static func rejoined(_ corners: [(Double, Double)], _ driver: inout Driver) -> String? {
        for place in ground.fineLine(corners, step: 2.6) { driver.fix(place, after: 2) }
        return driver.events.last { $0.kind == .backOnRoute }.map { SpokenText(.metric).text($0) }
    }

    @Test("a turn that was announced before the line was left is said again, with the way on")
    func announcedBefore() throws {
        var driver = try Self.driver()
        let said = Self.rejoined([(0, 0), (0, 410), (90, 410), (90, 430), (20, 430)], &driver)
        #expect(said == "You are back on the route. It goes on to the north. In 70 metres, turn left")
    }

    @Test("a turn that is still to be announced is not said twice")
    func announcedLater() throws {
        var driver = try Self.driver()
        let said = Self.rejoined([(0, 0), (0, 200), (90, 200), (90, 430), (20, 430)], &driver)
        #expect(
            said?.hasPrefix("You are back on the route") == true && said?.contains("turn") == false,
            "\(said ?? "")")
        // The next fix announces it.
        #expect(driver.events.suffix(2).map(\.kind) == [.backOnRoute, .approaching])
    }

    @Test("who overshot a turn and comes back to it from the other side hears no side, which would be wrong")
    func overshot() throws {
        var driver = try Self.driver()
        let said = Self.rejoined([(0, 0), (0, 600), (0, 515)], &driver)
        #expect(said == "You are back on the route. It goes on to the west")
    }

    @Test("who goes along the line already is not told where it leads")
    func goesAlong() throws {
        var driver = try Self.driver()
        let said = Self.rejoined([(0, 0), (0, 100), (80, 150), (80, 200), (26, 390)], &driver)
        #expect(
            said?.hasPrefix("You are back on the route") == true && said?.contains("goes on") == false,
            "\(said ?? "")")
    }

    /// A stem, a loop on its left, and on to the right of its top; the walker goes straight on at the top, into the end of the loop.
    @Test(
        "who meets a later part of the plan backwards, turns round as told and is guided on from there hears what is left out"
    )
    func laterPart() throws {
        let line = Self.ground.fineLine([
            (0, 0), (0, 300), (-400, 300), (-400, 700), (0, 700), (0, 300), (400, 300), (400, 0),
        ])
        let turns: [(Double, TurnDirection)] = [
            (300, .left), (700, .right), (1100, .right), (1500, .right), (1900, .left), (2300, .right),
        ]
        var driver = Driver(try .made(line, turns: turns))
        for place in Self.ground.fineLine([(0, 0), (0, 600), (0, 420)], step: 2.6) {
            driver.fix(place, after: 2)
        }
        let said = driver.events.map { SpokenText(.metric).text($0) }
        let wrong = try #require(driver.events.firstIndex { $0.kind == .wrongWay }, "\(said)")
        let left = driver.events[wrong...].first { $0.kind == .passed }
        #expect(
            left.map { SpokenText(.metric).text($0) }?.hasPrefix("You have left out 1.3 kilometres") == true,
            "\(said)")
    }
}
