import Geodesy
import PluginKit
import Testing

@testable import GuidancePlugin

/// Several stray fixes one after the other, far from the walker, near another part of the plan.
@Suite struct BurstTests {
    private static let ground = Ground()
    private static let corners = [(0.0, 0.0), (0, 300), (200, 300), (200, 700), (0, 700), (0, 1000)]
    private static let turns: [(Double, TurnDirection)] = [
        (300, .right), (500, .left), (900, .left), (1100, .right),
    ]

    private static func place(_ along: Double) -> (Double, Double) {
        var left = along
        for (a, b) in zip(corners, corners.dropFirst()) {
            let length = abs(b.0 - a.0) + abs(b.1 - a.1)
            if left <= length {
                return (a.0 + (b.0 - a.0) * left / length, a.1 + (b.1 - a.1) * left / length)
            }
            left -= length
        }
        return corners[corners.count - 1]
    }

    /// The events of a steady walk, with some fixes moved.
    private static func events(
        stray: Range<Int> = 0..<0, by offset: (Double, Double) = (0, 0), matcher: MatcherKind = .belief,
        every seconds: Double = 2
    ) throws -> [GuidanceEvent] {
        var settings = GuidanceSettings()
        settings.matcher = matcher
        var driver = Driver(try .made(ground.line(corners), turns: turns), settings)
        for number in 0...Int(1400 / (1.3 * seconds)) {
            var (east, north) = place(Double(number) * 1.3 * seconds)
            if stray.contains(number) { (east, north) = (east + offset.0, north + offset.1) }
            driver.fix(ground.place(east, north), after: seconds)
        }
        return driver.events
    }

    @Test("a plan of a walk that is ridden with few fixes is followed to its end", arguments: [7.0, 12, 20])
    func ridden(speed: Double) throws {
        var driver = Driver(try .made(Self.ground.fineLine([(0, 0), (0, 9000)])))
        for seconds in stride(from: 0.0, through: 9000 / speed + 60, by: 30) {
            driver.fix(Self.ground.place(0, min(9000, seconds * speed)), after: 30)
        }
        #expect(driver.events.last?.kind == .arrived)
    }

    @Test(
        "a burst of 2 to 10 fixes changes no prompt, and is no wrong way",
        arguments: [2, 3, 5, 10], [(220.0, 0.0), (0, -250), (-130, 0), (160, 300)])
    func burst(count: Int, offset: (Double, Double)) throws {
        let clean = try Self.events()
        for start in [60, 150, 250, 330, 420] {
            let walked = try Self.events(stray: start..<(start + count), by: offset)
            #expect(walked.map(\.kind) == clean.map(\.kind), "burst at \(start)")
            for (a, b) in zip(walked, clean) {
                // Within the burst, or as long after it as it lasted.
                #expect(abs(a.fix - b.fix) <= 2 * count + 2, "\(b.kind) of fix \(b.fix) at \(a.fix)")
            }
        }
    }

    @Test(
        "a burst that lasts so long that one could have walked there is no walk there", arguments: [3.0, 5],
        [(220.0, 0.0), (0, -150), (-150, 0), (160, 300)])
    func longBurst(seconds: Double, offset: (Double, Double)) throws {
        let clean = try Self.events(every: seconds)
        for start in [20, 60, 100, 140] {
            let walked = try Self.events(stray: start..<(start + 10), by: offset, every: seconds)
            #expect(walked.allSatisfy { ![.wrongWay, .offRoute, .turnedRound].contains($0.kind) })
            // Turns whose points were passed within the burst are said afterwards; the others as ever.
            let outside = clean.filter { !(start..<(start + 14)).contains($0.fix) }
            for event in outside {
                #expect(
                    walked.contains {
                        $0.kind == event.kind && $0.turn == event.turn && abs($0.fix - event.fix) <= 1
                    },
                    "\(event.kind) of fix \(event.fix), burst at \(start)")
            }
        }
    }

    @Test("what agrees for long is right, however far away it is")
    func relocated() throws {
        var driver = Driver(try .made(Self.ground.line(Self.corners), turns: Self.turns))
        for number in 0..<20 { driver.fix(Self.ground.place(0, Double(number) * 2.6), after: 2) }
        for number in 0..<60 { driver.fix(Self.ground.place(200, 500 + Double(number) * 2.6), after: 2) }
        // 50 m before the turn at 900 m; that at 500 m is far behind.
        #expect(driver.events.last?.kind == .approaching && driver.events.last?.turn?.trailName == "way 2")
        #expect(!driver.events.contains { $0.kind == .atTurn && $0.turn?.trailName == "way 1" })
    }

    @Test("a part of the plan that was cut off is said when it is met again")
    func leftOut() throws {
        var driver = Driver(try .made(Self.ground.line(Self.corners), turns: Self.turns))
        for number in 0...100 { driver.fix(Self.ground.place(0, Double(number) * 2.6), after: 2) }
        for number in 1...200 { driver.fix(Self.ground.place(0, 260 + Double(number) * 2.6), after: 2) }
        let back = driver.events.first { $0.kind == .backOnRoute }
        #expect(back?.leftOut.map { $0 > 600 } == true)
        #expect(back.map { SpokenText(.metric).text($0) }?.contains("of it are left out") == true)
    }

    @Test("walked against the plan and then along it: every turn is announced again")
    func thereAndBack() throws {
        var driver = Driver(try .made(Self.ground.line(Self.corners), turns: Self.turns))
        let steps = Array(0...(1360 * 10 / 26)).map { Double($0) * 2.6 }
        for along in steps.reversed() {
            let (east, north) = Self.place(along)
            driver.fix(Self.ground.place(east, north), after: 2)
        }
        #expect(!driver.events.contains { $0.kind == .arrived })
        let before = driver.events.count
        for along in steps + [1370, 1380, 1390, 1400] {
            let (east, north) = Self.place(along)
            driver.fix(Self.ground.place(east, north), after: 2)
        }
        let again = driver.events[before...]
        #expect(again.filter { $0.kind == .atTurn }.count == 4)
        #expect(again.last?.kind == .arrived)
    }
}
