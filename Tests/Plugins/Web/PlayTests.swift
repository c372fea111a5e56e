import Geodesy
import PluginKit
import Testing

@testable import WebPlugin

/// A walk as sent to a page.
struct PlayTests {
    private static func playback(_ count: Int, events: [Int]) -> Playback {
        Playback(
            title: "way", lines: [], count: count,
            events: events.map { Playback.Event(moment: $0, name: "turn", text: "<b>Turn</b>", haptic: nil) },
            rates: [1, 2]
        ) { index in
            Playback.Moment(
                elapsed: Double(index), coordinate: Coordinate(latitude: 47, longitude: Double(index) * 1e-5),
                heading: index == 0 ? nil : 90, line: 0,
                panel: Playback.Panel(
                    arrow: "→", distance: nil, text: "Go", facts: "\(index / 10)0%", progress: 0.5,
                    warning: nil))
        }
    }

    @Test func aLongWalkIsThinnedWithoutItsEventsGettingLost() {
        let long = PlayView.moments(of: Self.playback(100_000, events: [777, 99_998]))
        #expect(long.count <= WebSettings.playedMoments + 3)
        #expect(long.contains(777) && long.contains(99_998) && long.last == 99_999)
        #expect(PlayView.moments(of: Self.playback(50, events: [])) == Array(0..<50))
    }

    @Test func aResultCanBePlayed() async throws {
        let served = try await ServedSession(plugins: [WayPlugin()])
        let result = try await served.run("way", views: ["play"])
        let play = try #require(result["play"] as? [String: Any])
        #expect(play["count"] as? Int == 30 && (play["at"] as? [[Double]])?.count == 30)
        #expect(play["times"] as? [String] == (0..<30).map { "\($0)s" })
        // Ten moments share the spoken texts.
        #expect((play["panels"] as? [[String: Any]])?.count == 3)
        #expect((play["panel"] as? [Int])?[29] == 2)
        let event = try #require((play["events"] as? [[String: Any]])?.first)
        #expect(event["moment"] as? Int == 12 && event["text"] as? String == "<b>Turn</b>")
        // A value that cannot be played has no such view.
        #expect(try await served.run("1 + 1", views: ["play"])["play"] == nil)
    }

    private struct WayPlugin: Plugin {
        let name = "way"
        let summary = "ways"
        let version = "1.0"
        var commands: [any CommandProvider] {
            [
                Command("way", "walk a way", output: .value("way"), effect: .pure, examples: []) { _ in
                    .object(Way())
                }
            ]
        }
    }

    private struct Way: PlaybackProviding {
        let typeName = "way"
        let fieldNames: [String] = []
        let summary = "way"
        func field(_ name: String) -> Value? { nil }
        func playback(in environment: Environment) -> Playback { PlayTests.playback(30, events: [12]) }
    }
}
