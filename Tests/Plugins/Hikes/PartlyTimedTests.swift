import Foundation
import HikesPlugin
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// Recordings of which only a part of the points has times, and what trimming and merging leave of a hike.
struct PartlyTimedTests {
    /// Thirty points northwards, 0.0003° (33.36 m) each, at an even pace of 20 s a step; `isTimed` says which have their time.
    private static func track(_ name: String, _ isTimed: (Int) -> Bool) -> Data {
        let points = (0..<30).map { index in
            let minute = index / 3
            let second = index % 3 * 20
            let time = String(format: "<time>2026-07-04T08:%02d:%02dZ</time>", minute, second)
            let latitude = String(format: "%.4f", 46.5 + Double(index) * 0.0003)
            return "<trkpt lat=\"\(latitude)\" lon=\"10.2\">\(isTimed(index) ? time : "")</trkpt>"
        }
        return Data("<gpx><trk><name>\(name)</name><trkseg>\(points.joined())</trkseg></trk></gpx>".utf8)
    }

    private let test: TestSession

    init() throws {
        let home =
            "<gpx><wpt lat=\"46.5001\" lon=\"10.2\"><name>Home</name></wpt><wpt lat=\"46.508\" lon=\"10.2\"><name>Top</name></wpt>"
        let whole = String(decoding: Self.track("Whole", { _ in true }), as: UTF8.self)
        let indoors = """
            <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities>
            <Activity Sport="Running"><Id>2026-07-04T11:00:00Z</Id><Lap StartTime="2026-07-04T11:00:00Z">
            <TotalTimeSeconds>600</TotalTimeSeconds><DistanceMeters>900</DistanceMeters><Track>
            <Trackpoint><Time>2026-07-04T11:00:00Z</Time><DistanceMeters>0</DistanceMeters></Trackpoint>
            <Trackpoint><Time>2026-07-04T11:10:00Z</Time><DistanceMeters>900</DistanceMeters></Trackpoint>
            </Track></Lap></Activity></Activities></TrainingCenterDatabase>
            """
        test = try TestSession(
            plugins: { [HikesPlugin()] },
            files: [
                "few.gpx": Self.track("Few") { [0, 9, 29].contains($0) },
                "late.gpx": Self.track("Late") { $0 >= 10 },
                "whole.gpx": Data(whole.replacingOccurrences(of: "<gpx>", with: home).utf8),
                "treadmill.tcx": Data(indoors.utf8),
            ])
    }

    /// Between two times the pace is even: 300 m in 180 s, each.
    @Test func splitsWithFewTimesAreInterpolated() async {
        await test.run("import few.gpx")
        let splits = await test.run("hike splits Few --every 300m | get time | to json")
        #expect(!splits.contains(" 0") && !splits.contains("null"), "\(splits)")
        #expect(await test.run("hike splits Few --every 300m | first | get time") == "3min")
    }

    /// Before the first time nobody knows how long a part took.
    @Test func aPartBeforeTheFirstTimeHasNoDuration() async {
        await test.run("import late.gpx")
        #expect(await test.run("hike splits Late --every 200m | first | get time") == "")
        #expect(await test.run("hike splits Late --every 200m | last | get time") != "")
    }

    /// 20 s for 33.36 m are 6.0 km/h, whatever part of the way has times.
    @Test func speedIsThatOfThePartWithTimes() async {
        await test.run("import late.gpx")
        #expect(await test.run("hike show Late | get speed").hasPrefix("6"))
        await test.run("import whole.gpx")
        #expect(await test.run("hike show Whole | get speed").hasPrefix("6"))
    }

    /// The labels of the waypoints that are linked to a hike, and the number of all.
    private func linked() throws -> (labels: [String], all: Int) {
        let store = try WaypointStore(
            test.folder.url.appendingPathComponent("workspace/waypoints.db"), access: .own)
        let waypoints = try store.all()
        return (waypoints.filter { $0.hikeID != nil }.map(\.label).sorted(), waypoints.count)
    }

    @Test func trimmingUnlinksTheWaypointsThere() async throws {
        await test.run("import whole.gpx")
        #expect(try linked().labels == ["Home", "Top"])
        let trimmed = await test.run("hike crop Whole --radius 150m")
        #expect(trimmed.contains("1 waypoint there no longer linked"))
        #expect(try linked().labels == ["Top"])
        #expect(try linked().all == 2)
        await test.run("undo")
        #expect(try linked().labels == ["Home", "Top"])
        #expect(await test.run("hike points Whole | count") == "30")
    }

    @Test func whatHasNoPositionsIsNotMergedAway() async {
        await test.run("import whole.gpx treadmill.tcx")
        let indoor = await test.run("hike list | where name != Whole | first | get name")
        let result = await test.result("hike merge Whole '\(indoor)'")
        #expect(result.failure?.code == "E-HIKE-RANGE")
        #expect(await test.run("hike list | count") == "2")
    }
}
