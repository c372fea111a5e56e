import CivilTime
import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import GuidancePlugin

/// Recorded walks as devices write them: times that are missing or wrong, several tracks.
struct RecordedWalkTests {
    private static let start = Timestamp(milliseconds: 1_780_000_000_000)

    private func seconds(_ given: [Double?]) -> [Double] {
        let times = given.map { $0.map { Self.start.advanced(bySeconds: $0) } }
        return RecordedWalk.times(times, Self.start, 2).map { $0.seconds(since: Self.start) }
    }

    @Test func missingTimesLieBetweenTheirNeighbours() {
        #expect(seconds([nil, 10, 12]) == [8, 10, 12])
        #expect(seconds([10, nil, nil, 16]) == [10, 12, 14, 16])
        #expect(seconds([10, 12, nil]) == [10, 12, 14])
        #expect(seconds([nil, nil, nil]) == [0, 2, 4])
    }

    private static func gpx(_ tracks: [ClosedRange<Int>], odd: Int? = nil) -> Data {
        let text = tracks.map { range in
            "<trk><trkseg>"
                + range.map { step in
                    let time = ISO8601.text(start.advanced(bySeconds: Double(step * 20)), fraction: .never)
                    let shown = step == odd ? "1970-01-01T00:00:00Z" : time
                    return
                        "<trkpt lat=\"\(46 + Double(step) * 0.0002)\" lon=\"7\"><time>\(shown)</time></trkpt>"
                }.joined() + "</trkseg></trk>"
        }
        return Data("<gpx>\(text.joined())</gpx>".utf8)
    }

    /// One walk in one track, in two, and with a first time of 1970: the same arrival.
    @Test func tracksOfOneWalkAreWalkedAsOne() async throws {
        let test = try TestSession(
            plugins: { [GuidancePlugin()] },
            files: [
                "plan.gpx": Self.gpx([0...50]), "one.gpx": Self.gpx([0...50]),
                "two.gpx": Self.gpx([0...25, 26...50]), "odd.gpx": Self.gpx([0...50], odd: 0),
            ])
        func arrival(_ walk: String) async -> String {
            await test.run("guide simulate plan.gpx --track \(walk) | where event == arrived | get elapsed")
        }
        let whole = await arrival("one.gpx")
        #expect(whole.contains("min"))
        #expect(await arrival("two.gpx") == whole)
        // Its first fix is one interval of fixes before the second.
        #expect(await arrival("odd.gpx").contains("min"))
    }

    /// Tracks that follow each other are one plan; others are refused, with what to do.
    @Test func aPlanInTwoTracks() async throws {
        let test = try TestSession(
            plugins: { [GuidancePlugin()] },
            files: ["near.gpx": Self.gpx([0...25, 26...50]), "far.gpx": Self.gpx([0...20, 40...50])])
        #expect(await test.run("guide prompts near.gpx | last | get along") != "556m")
        let refused = await test.result("guide prompts far.gpx")
        #expect(refused.failure?.code == "E-GUIDE-ROUTE")
        #expect(refused.failure?.fix?.contains("--number 1") == true)
    }
}
