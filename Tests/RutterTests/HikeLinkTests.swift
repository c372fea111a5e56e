import Foundation
import PluginTestKit
import Testing

/// Two plugins together: an import of a hike links the waypoints that were made during it.
struct HikeLinkTests {
    private static let walk = """
        <gpx><trk><name>Walk</name><trkseg>
        <trkpt lat="46.5" lon="7.9"><time>2026-02-06T08:00:00Z</time></trkpt>
        <trkpt lat="46.52" lon="7.9"><time>2026-02-06T09:00:00Z</time></trkpt></trkseg></trk></gpx>
        """

    private func run(_ entries: String) throws -> [String] {
        let folder = try TemporaryFolder()
        try Data(Self.walk.utf8).write(to: folder.url.appendingPathComponent("walk.gpx"))
        let outcome = try RutterProcess.run(
            ["--workspace", folder.url.path + "/ws", "--seed", "1", "--clock", "2026-02-06T07:59:59Z"],
            input: entries, folder: folder.url)
        #expect(outcome.errors == "")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    private static let setup = """
        waypoint add 46.5,7.9 --label before | get label
        clock 2026-02-06T08:00:00Z
        waypoint add 46.5,7.9 --label start | get label
        waypoint add 46.54,7.9 --label 'too far' | get label
        waypoint add 46.5,7.9 --label other --hike 6F9619FF-8B86-D011-B42D-00C04FC964FF | get label
        clock 2026-02-06T09:00:00Z
        waypoint add 46.5,7.9 --label end | get label
        clock 2026-02-06T09:00:01Z
        waypoint add 46.5,7.9 --label after | get label
        import walk.gpx | count

        """

    @Test(.enabled(if: PluginFolders.have("Hikes", "Waypoints"), "needs the plugins Hikes and Waypoints"))
    func waypointsCanBeLinkedLater() throws {
        let lines = try run(
            Self.setup + """
                waypoint link start | get hike
                hike link Walk
                waypoint list --hike Walk | get label
                undo
                waypoint list --hike Walk | get label
                hike link Walk
                hike link Walk

                """)
        #expect(
            lines.suffix(7) == [
                "linked 1 waypoint to Walk", "start", "end", "undone: linked 1 waypoint to hike Walk", "end",
                "linked 1 waypoint to Walk", "no unlinked waypoint was created during Walk",
            ])
    }

    @Test(.enabled(if: PluginFolders.have("Hikes", "Waypoints"), "needs the plugins Hikes and Waypoints"))
    func waypointsMadeDuringAHikeAreLinkedToIt() throws {
        let lines = try run(Self.setup + "waypoint list --hike Walk | get label\n")
        #expect(lines.suffix(3) == ["1", "start", "end"])
    }

    @Test(.enabled(if: PluginFolders.have("Hikes", "Waypoints"), "needs the plugins Hikes and Waypoints"))
    func undoTakesTheLinksAwayAndGoesOn() throws {
        let lines = try run(
            Self.setup
                + "undo\nwaypoint list --hike 6F9619FF-8B86-D011-B42D-00C04FC964FF | get label\nundo\nundo\n")
        #expect(lines.suffix(4).first == "undone: imported 1 hike")
        #expect(lines.suffix(2) == ["undone: added waypoint after", "undone: added waypoint end"])
    }

    @Test(.enabled(if: PluginFolders.have("Hikes"), "needs the plugin Hikes"))
    func withoutWaypointsThereIsNothingToLink() throws {
        #expect(try run("import walk.gpx | count\n") == ["1"])
    }
}
