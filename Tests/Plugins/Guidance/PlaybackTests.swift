import Geodesy
import PluginKit
import Testing

@testable import GuidancePlugin

/// The frames for other players match those of the terminal.
@Suite struct PlaybackTests {
    private static let line = [
        Coordinate(latitude: 47, longitude: 9), Coordinate(latitude: 47.003, longitude: 9),
        Coordinate(latitude: 47.003, longitude: 9.004),
    ]

    private func walk() async throws -> GuidanceWalk {
        let route = try #require(RouteFiles.line(Self.line))
        var source: any WalkSource = try Walker(
            route, WalkPlan(), start: .init(milliseconds: 0), random: Xoshiro256(seed: 7))
        var run = GuidanceRun(route, settings: GuidanceSettings())
        var trace = NoTrace()
        while let step = source.next() { run.take(step, trace: &trace) }
        return GuidanceWalk(run: run, words: SpokenText(.metric))
    }

    @Test func momentsHaveTheWordsOfTheOverlay() async throws {
        let walk = try await walk()
        var environment = Environment.notebook
        environment.width = 80
        let playback = walk.playback(in: environment)
        #expect(playback.count == walk.samples.count && playback.lines == [Self.line])
        for index in stride(from: 0, to: playback.count, by: 50) {
            let sample = walk.samples[index]
            let shown = Overlay(sample, on: walk.run.routes[0]).rendered(in: environment)
            let moment = playback.moment(index)
            #expect(moment.coordinate == sample.walk.fix.coordinate)
            for words in [
                moment.panel.arrow, moment.panel.distance ?? "", moment.panel.text, moment.panel.facts,
            ] {
                #expect(shown.contains(words), "\(words)")
            }
        }
        // The first leg leads north, the second east.
        #expect(playback.moment(100).heading.map { abs(Angle.difference(from: $0, to: 0)) < 1 } == true)
        #expect(playback.moment(playback.count - 1).heading.map { abs($0 - 90) < 1 } == true)
    }

    @Test func eventsAreAtTheirFixesAndHaveTheHapticsOfTheWatch() async throws {
        let walk = try await walk()
        let playback = walk.playback(in: .notebook)
        // The seed: a click before a turn, directionUp at a turn to the right, success at the end.
        #expect(playback.events.map(\.name) == ["approaching", "atTurn", "approaching", "arrived"])
        #expect(playback.events.map { $0.haptic?.name } == ["click", "directionUp", "click", "success"])
        #expect(playback.events.map { $0.haptic?.symbol } == ["∙", "↑", "∙", "✓"])
        for (event, own) in zip(playback.events, walk.run.events) {
            #expect(playback.moment(event.moment).coordinate == own.coordinate)
        }
    }
}
