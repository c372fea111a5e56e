import CivilTime
import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing
import TrailStores

@testable import GuidancePlugin

/// Recorded walks as devices write them: times that are missing or wrong, several tracks.
struct RecordedWalkTests {
    private static let start = Timestamp(milliseconds: 1_780_000_000_000)

    private func seconds(_ given: [Double?]) -> [Double] {
        let times = given.map { $0.map { Self.start.advanced(bySeconds: $0) } }
        return RecordedPath.times(times, Self.start, 2).map { $0.seconds(since: Self.start) }
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
                "two.gpx": Self.gpx([0...25, 26...50]), "devices.gpx": Self.gpx([0...50, 1...49]),
                "odd.gpx": Self.gpx([0...50], odd: 0),
            ])
        func arrival(_ walk: String) async -> String {
            await test.run("guide simulate plan.gpx --track \(walk) | where event == arrived | get elapsed")
        }
        let whole = await arrival("one.gpx")
        #expect(whole.contains("min"))
        #expect(await arrival("two.gpx") == whole)
        // A watch and a phone on the same walk.
        #expect(await arrival("devices.gpx") == whole)
        let devices = try RecordedWalk(
            test.folder.url.appendingPathComponent("devices.gpx"), WalkPlan(), start: Self.start,
            random: Xoshiro256(seed: 1), check: {})
        #expect(devices.notices == ["1 of 2 tracks left out: recorded on the same walk as another"])
        // Its first fix is one interval of fixes before the second.
        #expect(await arrival("odd.gpx").contains("min"))
    }

    /// Planners write the time of export to each point: it is no time of a walk.
    @Test func oneTimeOfAllPointsIsNone() async throws {
        let same = String(decoding: Self.gpx([0...50]), as: UTF8.self)
            .replacing(/<time>[^<]*<\/time>/, with: "<time>2026-05-04T08:00:00Z</time>")
        let test = try TestSession(
            plugins: { [GuidancePlugin()] },
            files: ["plan.gpx": Self.gpx([0...50]), "same.gpx": Data(same.utf8)])
        let shown = await test.run(
            "guide simulate plan.gpx --track same.gpx --interval 20s | where event == arrived | get elapsed")
        #expect(shown.contains("16min"))
    }

    /// Phones write 0 or -1 where they know no accuracy; a position that is known to kilometres is left out.
    @Test func theStatedAccuracyIsUsed() async throws {
        let accuracies = [5, 40, 0, -1, 9999]
        let points = accuracies.enumerated().map { step, metres in
            "<trkpt lat=\"\(46 + Double(step) * 0.000123)\" lon=\"7\"><time>2026-05-04T08:00:0\(step)Z</time>"
                + "<extensions><accuracy>\(metres)</accuracy></extensions></trkpt>"
        }
        let test = try TestSession(
            plugins: { [GuidancePlugin()] },
            files: [
                "plan.gpx": Self.gpx([0...5]),
                "walk.gpx": Data("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>".utf8),
            ])
        let shown = await test.run(
            "let w = guide simulate plan.gpx --track walk.gpx; $w.fixes | each accuracy | to json")
        #expect(shown.contains("40") && !shown.contains("9999") && !shown.contains("-1"), "\(shown)")
    }

    @Test(
        "positions of few decimals are as doubtful as they are coarse",
        arguments: [(2, 1112), (3, 111), (4, nil), (6, nil)] as [(Int, Int?)])
    func coarse(decimals: Int, metres: Int?) {
        let scale = [1.0, 10, 100, 1000, 10_000, 100_000, 1_000_000][decimals]
        let places = (0..<20).map { step in
            Coordinate(
                latitude: ((46.123_456 + Double(step) * 0.012_345) * scale).rounded() / scale,
                longitude: ((7.654_321 + Double(step) * 0.012_345) * scale).rounded() / scale)
        }
        #expect(CoarsePositions(places).map { Int($0.step.rounded()) } == metres)
    }

    @Test("steps of a clock are said in hours where they are whole hours")
    func steps() {
        func notice(_ step: Double) -> String? {
            let seconds = (0..<20).map { Double($0) * 2 + ($0 >= 10 ? step : 0) }
            return RecordedClock(seconds.map { Self.start.advanced(bySeconds: $0) }).notice
        }
        #expect(notice(3600)?.contains("60 min ahead") == true)
        #expect(notice(240 * 3600)?.contains("240 h ahead") == true)
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
