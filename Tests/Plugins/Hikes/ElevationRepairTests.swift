import Foundation
import HikesPlugin
import PluginTestKit
import Testing
import Workbench

/// Elevations that are repaired by the recording itself.
@Suite struct ElevationRepairTests {
    /// Points 111 m apart, a minute each, with the elevations of a walk; to and back to the same place if `isClosed`.
    private func session(_ heights: [Int?], isClosed: Bool = false) throws -> TestSession {
        let points = heights.enumerated().map { index, height in
            let step = isClosed ? min(index, heights.count - 1 - index) : index
            let height = height.map { "<ele>\($0)</ele>" } ?? ""
            let minute = index < 10 ? "0\(index)" : "\(index)"
            return "<trkpt lat=\"\(46 + Double(step) / 1000)\" lon=\"7.9\">\(height)"
                + "<time>2026-02-05T08:\(minute):00Z</time></trkpt>"
        }
        let text = "<gpx><trk><name>W</name><trkseg>\(points.joined())</trkseg></trk></gpx>"
        return try TestSession(plugins: { [HikesPlugin()] }, files: ["w.gpx": Data(text.utf8)])
    }

    @Test func gapsAreFilledBetweenTheirNeighbours() async throws {
        let test = try session([500, nil, nil, 530, nil])
        await test.run("import w.gpx")
        #expect(
            await test.run("hike elevation W --from recording | get change")
                == "2 elevations filled between those beside them; 1 still unknown; before 30m up and 0m down, now 30m up and 0m down"
        )
        #expect(await test.run("hike points W | first 4 | get altitude") == "500m\n510m\n520m\n530m")
        await test.run("hike restore W")
        #expect(await test.run("hike stats W | get unknownElevations") == "3")
        // A longer way than asked for stays unknown.
        #expect(
            await test.run("hike elevation W --from recording --gap 200m").contains(
                "no elevation would change"))
    }

    @Test func theDriftOfAClosedWayIsSpreadOverTheTime() async throws {
        let test = try session([500, 502, 504, 506, 508], isClosed: true)
        await test.run("import w.gpx")
        let change = await test.run("hike elevation W --from recording --closed | get change")
        #expect(
            change == "a drift of 8m spread over the time; before 8m up and 0m down, now 0m up and 0m down")
        #expect(await test.run("hike stats W | get highest") == "500m")
    }

    /// The options of a terrain model and those of the recording are not mixed, and a fix quotes the name of the hike.
    @Test func anOptionOfTheOtherSourceIsRefused() async throws {
        let test = try session([500, 502, 504])
        await test.run("import w.gpx")
        #expect(await test.result("hike elevation W --closed").failure?.fix == "add --from recording")
        #expect(await test.run("hike elevation W --from recording --missing").contains("E-HIKE-TERRAIN"))
        let gap = await test.result("hike elevation W --gap 100m").failure?.fix
        #expect(gap == "add --from recording, or omit --gap")
        await test.run("hike edit W --name 'Morning Walk'")
        let fix = await test.result("hike elevation 'Morning Walk'").failure?.fix
        #expect(fix?.contains("hike elevation 'Morning Walk' --file TILES") == true)
    }

    @Test func aWayThatIsNotClosedHasNoDrift() async throws {
        let test = try session([500, 502, 504])
        await test.run("import w.gpx")
        let said = await test.run("hike elevation W --from recording --closed")
        #expect(said.contains("E-HIKE-TERRAIN") && said.contains("its ends are 222m apart"))
    }

    /// What an import said of the file is still true after an edit.
    @Test func anEditKeepsWhatWasSaidOfTheFile() async throws {
        let test = try session([500, nil, 530])
        await test.run("import w.gpx")
        let before = await test.run("hike show W | get warnings")
        #expect(before == "1 of 3 points have no elevation")
        await test.run("hike elevation W --from recording")
        #expect(!(await test.run("hike show W | get warnings")).contains("no elevation"))
    }
}
