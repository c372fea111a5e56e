import Geodesy
import PluginKit
import Testing

@testable import GuidancePlugin

/// `matcher=app` compared with a second, plain implementation of the app's documentation.
@Suite struct AppMethodTests {
    /// The app as documented: project, advance, off route, haptics, arrival.
    private struct App {
        let route: GuideRoute
        var index = -1
        var given: [Int: Int] = [:]
        var isOff = false
        var hasArrived = false

        mutating func update(_ coordinate: Coordinate) -> [String] {
            guard !hasArrived else { return [] }
            let match = route.geometry.scanned(coordinate)
            var said: [String] = []
            // The instruction `start` is at 0 and is advanced past at the first position.
            if index < 0 {
                index = 0
            } else if index < route.stops.count - 1, route.stops[index].along - match.along < 30 {
                index += 1
            }
            if !isOff, match.distance > 50 {
                isOff = true
                said.append("offRoute")
            } else if isOff, match.distance < 30 {
                isOff = false
                said.append("backOnRoute")
            }
            let left = max(0, route.stops[index].along - match.along)
            if left <= 100, given[index] == nil {
                given[index] = 1
                said.append("approaching")
            }
            if left <= 30, given[index] == 1, index < route.stops.count - 1 {
                given[index] = 2
                said.append("atTurn")
            }
            if route.length - match.along < 30 {
                hasArrived = true
                said.append("arrived")
            }
            return said
        }
    }

    @Test("ten walks, event for event", arguments: 1...10)
    func replay(seed: Int) throws {
        let line = Ground().fineLine([(0, 0), (0, 600), (300, 700), (250, 200), (8, 20), (0, 600)])
        let length = Polyline.length(line)
        var random = Xoshiro256(seed: UInt64(seed))
        let turns = (0..<12).map { _ in random.unit() * length }.sorted().map { ($0, TurnDirection.left) }
        let route = try GuideRoute.made(line, turns: turns)
        var plan = WalkPlan()
        plan.noise = Double(seed) * 2
        plan.interval = Double(seed)
        plan.detours = [.init(at: length * 0.3, offset: 90, length: 150)]
        var settings = GuidanceSettings()
        settings.matcher = .app
        let run = try walked(route, plan, settings: settings, seed: UInt64(seed))
        var app = App(route: route)
        var expected: [String] = []
        for (index, sample) in run.samples.enumerated() {
            expected += app.update(sample.walk.fix.coordinate).map { "\(index + 1) \($0)" }
        }
        #expect(run.events.map { "\($0.fix) \($0.kind.rawValue)" } == expected)
        #expect(expected.count > 5)
    }
}
