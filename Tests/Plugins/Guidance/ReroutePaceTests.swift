import CivilTime
import PluginKit
import Testing

@testable import GuidancePlugin

/// When a new route is planned: walks 100 m beside a line, a fix each second.
@Suite struct ReroutePaceTests {
    private static let ground = Ground()

    /// The seconds at which a new route is due, and whether its failure would be reported. Every attempt
    /// succeeds or fails.
    private static func attempts(
        seconds: Int, speed: Double = 1.3, succeeds: Bool
    ) throws -> (times: [Int], said: Int, leftAt: Int) {
        let settings = GuidanceSettings()
        var run = GuidanceRun(try .made(ground.line([(0, 0), (0, 9000)])), settings: settings)
        var pace = ReroutePace(settings)
        var none = NoTrace()
        var (times, said, leftAt) = ([Int](), 0, 0)
        for second in 0..<seconds {
            let time = Timestamp(milliseconds: Int64(second) * 1000)
            let place = ground.place(second < 10 ? 0 : 100, Double(second) * speed)
            run.take(WalkFix(fix: PositionFix(place, time: time, speed: speed)), trace: &none)
            if run.state.isOffRoute, leftAt == 0 { leftAt = second }
            guard pace.isDue(run) else { continue }
            times.append(second)
            if succeeds { pace.succeed(time) } else if pace.fail(time) { said += 1 }
        }
        return (times, said, leftAt)
    }

    @Test(
        "where no way is found attempts come at growing intervals, at most ten minutes, and the failure is said once"
    )
    func failing() throws {
        let found = try Self.attempts(seconds: 2600, succeeds: false)
        #expect(found.times.first == found.leftAt + 10)
        let waits = zip(found.times, found.times.dropFirst()).map { $1 - $0 }
        #expect(waits == [30, 60, 120, 240, 480, 600, 600])
        #expect(found.said == 1)
    }

    @Test("there is at most one new route in 30 s, though the walk stays off route")
    func succeeding() throws {
        let found = try Self.attempts(seconds: 200, succeeds: true)
        let waits = zip(found.times, found.times.dropFirst()).map { $1 - $0 }
        #expect(waits.count >= 4 && waits.allSatisfy { $0 == 30 })
    }

    @Test("no new route is planned while standing")
    func standing() throws {
        let found = try Self.attempts(seconds: 300, speed: 0, succeeds: true)
        #expect(found.leftAt > 0 && found.times.isEmpty)
    }
}
