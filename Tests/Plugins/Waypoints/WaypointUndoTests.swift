import Foundation
import PluginKit
import PluginTestKit
import Testing
import TrailStores
import WaypointsPlugin

/// Undo of changes, and its refusal after a change of the same waypoint by another session.
struct WaypointUndoTests {
    private let test: TestSession
    private static let columns =
        "waypoint list | select label category at altitude time note photo hike modified uuid | to json"

    init() throws {
        let photo = try Data(contentsOf: SamplePhoto.file())
        test = try TestSession(plugins: { [WaypointsPlugin()] }, files: ["photo.png": photo])
    }

    private func store() throws -> WaypointStore {
        try WaypointStore(
            test.folder.url.appendingPathComponent("workspace/waypoints.db"), access: .foreignWritable)
    }

    @Test(
        .needs(.photos),
        arguments: [
            "waypoint add 1,1", "waypoint add 46.5,7.9 --label New --photo photo.png",
            "waypoint edit Hut --label Other --category food --note x --place 1,2,3m",
            "waypoint edit Hut --no-photo",
            "waypoint edit Spring --photo photo.png", "waypoint delete Hut", "waypoint delete Hut Spring",
            "waypoint link Hut 6F9619FF-8B86-D011-B42D-00C04FC964FF", "import w.gpx --as waypoints --again",
        ])
    func everyChangeIsTakenBack(entry: String) async throws {
        await test.run("waypoint add 46.5,7.9,800m --label Hut --photo photo.png --note n")
        await test.run("waypoint add 46.6,7.8 --label Spring --category waterSource")
        await test.run("waypoint list | reverse | save w.gpx")
        await test.run("clock +1h")
        let before = await test.run(Self.columns)
        let photos = try store().all().map { try store().photo(of: $0.id) }
        #expect(await test.result(entry).failure == nil)
        #expect(await test.run(Self.columns) != before)
        #expect(await test.run("undo").hasPrefix("undone: "))
        #expect(await test.run(Self.columns) == before)
        #expect(try store().all().map { try store().photo(of: $0.id) } == photos)
    }

    @Test(arguments: [
        "waypoint add 1,1 --label Hut2", "waypoint edit Hut --note mine",
        "waypoint link Hut 6F9619FF-8B86-D011-B42D-00C04FC964FF",
    ])
    func whatAnotherSessionChangedIsNotTakenBack(entry: String) async throws {
        await test.run("waypoint add 46.5,7.9 --label Hut")
        await test.run(entry)
        let theirs = try store()
        for waypoint in try theirs.all() {
            var changed = waypoint
            changed.label += "!"
            #expect(try theirs.update(waypoint, to: changed))
        }
        let before = await test.run(Self.columns)
        #expect(await test.result("undo").failure?.code == "E-WAYPOINT-CHANGED")
        #expect(await test.run(Self.columns) == before)
        // The change stays in the journal.
        #expect(await test.result("undo").failure?.code == "E-WAYPOINT-CHANGED")
    }

    @Test func aDeletedWaypointThatIsThereAgainIsNotDoubled() async throws {
        await test.run("waypoint add 46.5,7.9 --label Hut")
        let hut = try #require(try store().all().first)
        await test.run("waypoint delete Hut")
        try store().insert(hut)
        #expect(await test.result("undo").failure?.code == "E-WAYPOINT-CHANGED")
        #expect(await test.run("waypoint count") == "1")
    }

    @Test func aWaypointThatIsGoneCannotBeEditedOrDeleted() async throws {
        await test.run("waypoint add 46.5,7.9 --label Hut")
        await test.run("let hut = waypoint show Hut")
        _ = try store().remove(try store().all())
        #expect(await test.result("waypoint delete $hut").failure?.code == "E-WAYPOINT-CHANGED")
        #expect(await test.result("waypoint edit $hut --label x").failure?.code == "E-WAYPOINT-CHANGED")
        #expect(
            await test.result("waypoint link $hut 6F9619FF-8B86-D011-B42D-00C04FC964FF").failure?.code
                == "E-WAYPOINT-CHANGED")
    }

    @Test func aStaleValueDoesNotOverwriteALaterEdit() async throws {
        await test.run("waypoint add 46.5,7.9 --label Hut")
        await test.run("let hut = waypoint show Hut")
        await test.run("waypoint edit Hut --note later")
        #expect(await test.result("waypoint edit $hut --label x").failure?.code == "E-WAYPOINT-CHANGED")
        #expect(await test.run("waypoint show Hut | get note") == "later")
    }
}
