import Foundation
import GRDB
import PluginKit
import PluginTestKit
import Testing
import TrailStores

@testable import StoresPlugin

/// The content of a bug bundle, and its blanking.
@Suite(.needs(.photos))
struct BundleTests {
    /// A session whose workspace already held a store of waypoints.
    private func sessionWithStores() throws -> TestSession {
        let session = try Fixture.session()
        let workspace = session.file("workspace")
        try FileManager.default.createDirectory(at: workspace, withIntermediateDirectories: true)
        try Fixture.waypoints(at: workspace.appendingPathComponent("waypoints.db"))
        try Fixture.hikes(at: workspace.appendingPathComponent("routes.db"))
        return session
    }

    @Test func theSessionsOwnStoresComeAlong() async throws {
        let session = try sessionWithStores()
        let asked =
            "sql 'SELECT label FROM waypoints ORDER BY label' --store waypoints.db | first | get label"
        #expect(await session.run(asked) == "Hut")
        let made = await session.run("bug bundle b.zip | select own remarks passes changed rows | to json")
        #expect(made.contains("\"own\": [\"waypoints.db\"]"), "\(made)")
        #expect(made.contains("\"passes\": true"), "\(made)")
        #expect(made.contains("\"changed\": 0"), "\(made)")
        #expect(made.contains("\"rows\": \"1 of 3\""), "\(made)")
        let other = try Fixture.session()
        try FileManager.default.copyItem(at: session.file("b.zip"), to: other.file("b.zip"))
        #expect(await other.run("bug rerun b.zip | get outcome") == "passed")
        #expect(await other.shown("bug open b.zip | get file") == "bug.md\ndata/own/waypoints.db")
        let notebook = try String(contentsOf: other.file("b/bug.md"), encoding: .utf8)
        #expect(notebook.contains("rutter> store adopt 'data/own/waypoints.db'\n"), "\(notebook)")
    }

    /// Commands that only read leave an own store unchanged, so it can be packed.
    @Test func lookingChangesNothing() async throws {
        let session = try Fixture.session()
        let workspace = session.file("workspace")
        try FileManager.default.createDirectory(at: workspace, withIntermediateDirectories: true)
        let url = workspace.appendingPathComponent("waypoints.db")
        let point = Waypoint(
            id: Fixture.id(1), coordinate: .init(latitude: 1, longitude: 2), timestamp: Fixture.time)
        try WaypointStore(url, access: .own).insert(point)
        let before = try Data(contentsOf: url)
        await session.run("1 + 1")
        let store = try WaypointStore(url, access: .own)
        #expect(try store.counts().map(\.count) == [1])
        #expect(try Data(contentsOf: url) == before)
        await session.run("sql 'SELECT count(*) AS n FROM waypoints' --store waypoints.db | get n")
        #expect(await session.run("bug bundle b.zip | get own") == "waypoints.db")
        withExtendedLifetime(store) {}
    }

    /// A store that a session creates is recreated by its entries.
    @Test func storesThatTheSessionMadeStayOut() async throws {
        let session = try Fixture.session()
        await session.run("store copy :memory: workspace/notes.db; sql 'SELECT 1' --store notes.db")
        #expect(await session.run("bug bundle b.zip | get own | to json") == "[]")
    }

    /// A store that cannot be blanked is mentioned only if it is packed.
    @Test func whatIsNotPackedHasNoRemark() async throws {
        let session = try sessionWithStores()
        try await DatabaseQueue(path: session.file("workspace/other.db").path).write {
            try $0.execute(sql: "CREATE TABLE notes(text); INSERT INTO notes VALUES ('Xanadu')")
        }
        await session.run("sql 'SELECT text FROM notes' --store other.db")
        #expect(
            await session.run("bug bundle a.zip --blank-names | get remarks").contains(
                "other.db is not completely blanked"))
        let unused = try sessionWithStores()
        try FileManager.default.copyItem(
            at: session.file("workspace/other.db"), to: unused.file("workspace/other.db"))
        await unused.run("sql 'SELECT category FROM waypoints' --store waypoints.db")
        let made = await unused.run("bug bundle b.zip --blank-names | select own remarks | to json")
        #expect(made.contains("\"own\": [\"waypoints.db\"]"), "\(made)")
        #expect(made.contains("\"remarks\": []"), "\(made)")
    }

    @Test func whatHasChangedIsNotPackedAndToldSo() async throws {
        let session = try sessionWithStores()
        await session.run("1 + 1")
        try Fixture.change(
            session.file("workspace/waypoints.db"), "DELETE FROM waypoints WHERE label = 'Hut'")
        await session.run("sql 'SELECT label FROM waypoints' --store waypoints.db")
        let made = await session.run("bug bundle b.zip | get remarks | to json")
        #expect(made.contains("waypoints.db has changed since the session started"), "\(made)")
        #expect(!made.contains("routes.db"))
    }

    @Test func adopting() async throws {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("phone.db"))
        #expect(
            await session.run("store adopt phone.db --as waypoints.db").hasPrefix(
                "waypoints.db is now your own"))
        #expect(
            await session.run("sql 'SELECT count(*) AS n FROM waypoints' --store waypoints.db | get n") == "3"
        )
        #expect(
            await session.result("store adopt phone.db --as waypoints.db").failure?.code == "E-FILE-EXISTS")
        for name in ["../x.db", ".hidden", "''", "a/b"] {
            #expect(await session.result("store adopt phone.db --as \(name)").failure?.code == "E-STORE-NAME")
        }
        _ = try FormatFixture.write(.plannedRoutes, in: session.folder.url)
        #expect(await session.run("store adopt plans --as planned_routes").contains("now your own"))
        try Data("plain".utf8).write(to: session.file("profiles.txt"))
        #expect(await session.run("store adopt profiles.txt") == "profiles.txt is now your own (5 bytes)")
        #expect(await session.result("store adopt /dev/null --as x").failure != nil)
        // What could not be read as your own, and would not be replaced either, is refused.
        try Data("plain".utf8).write(to: session.file("routes.db"))
        #expect(await session.result("store adopt routes.db").failure?.code == "E-STORE-NOTDB")
        #expect(await session.result("store adopt phone.db --as routes.db").failure?.code == "E-STORE-SCHEMA")
        #expect(await session.result("store adopt nowhere.db").failure?.code == "E-FILE-MISSING")
    }

    // MARK: Blanking

    private func blanked(_ name: String, _ session: TestSession) async throws -> (files: [Data], made: String)
    {
        await session.run("store show '\(name)'")
        let made = await session.run(
            "bug bundle b.zip --whole --blank-names --blank-photos | select passes remarks | to json")
        await session.run("bug open b.zip")
        let folder = session.file("b/data")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }.compactMap { try? Data(contentsOf: $0) }
        return (files ?? [], made)
    }

    /// A name of each format, and whether all of it can be blanked.
    static let secrets: [(kind: StoreKind, sql: String, secrets: [String], remark: String?)] = [
        (
            .waypoints, "UPDATE waypoints SET label = 'Xanadu', note = 'Yonder'", ["Xanadu", "Yonder"], nil
        ),
        (.hikes, "UPDATE saved_routes SET name = 'Xanadu', comment = 'Yonder'", ["Xanadu", "Yonder"], nil),
        (.routing, "UPDATE routing_edges SET name = 'Xanadu'", ["Xanadu"], nil),
        (
            .transit,
            """
            UPDATE stops SET stop_name = 'Xanadu', stop_desc = 'Yonder'; UPDATE routes SET route_long_name = 'Zembla';
            UPDATE trips SET trip_headsign = 'Xanadu'; DELETE FROM stops_fts;
            INSERT INTO stops_fts SELECT sid, stop_name FROM stops
            """, ["Xanadu", "xanadu", "Yonder", "Zembla"], "agencies and line numbers"
        ),
        (
            .link,
            """
            INSERT INTO link_items (place, message, sender, receiver, channel, payload, state, detail, time) VALUES
              (1, 'm', 'a', 'b', 'userInfo', '{"type":"waypoint","label":"Xanadu","note":"Yonder"}', 'queued', '', 0)
            """, ["Xanadu", "Yonder"], nil
        ),
        (.mbtiles, "SELECT 1", [], "names drawn on its tiles"),
        (.cloud, "SELECT 1", [], "records and blobs of a cloud"),
        (.other, "SELECT 1", [], "its columns are unknown"),
    ]

    @Test(arguments: secrets)
    func namesAreBlankedOrItIsSaid(
        _ secret: (kind: StoreKind, sql: String, secrets: [String], remark: String?)
    ) async throws {
        let session = try Fixture.session()
        let name = try FormatFixture.write(secret.kind, in: session.folder.url)
        try FormatFixture.database(session.file(name), secret.sql)
        for word in secret.secrets where word.first?.isUppercase == true {
            #expect(try Data(contentsOf: session.file(name)).range(of: Data(word.utf8)) != nil, "\(word)")
        }
        let (files, made) = try await blanked(name, session)
        #expect(files.count == 1)
        #expect(made.contains("\"passes\": true"), "\(made)")
        for word in secret.secrets {
            #expect(files.allSatisfy { $0.range(of: Data(word.utf8)) == nil }, "\(word)")
        }
        if let remark = secret.remark {
            #expect(made.contains(remark), "\(made)")
        } else {
            #expect(made.contains("\"remarks\": []"), "\(made)")
        }
        #expect(await session.run("store check b/data/\(name) | where severity == error | count") == "0")
    }

    @Test func documentsAreBlanked() async throws {
        for kind in [StoreKind.plannedRoutes, .locations, .tones] {
            let session = try Fixture.session()
            let name = try FormatFixture.write(kind, in: session.folder.url)
            let (files, made) = try await blanked(name, session)
            #expect(!files.isEmpty && made.contains("\"remarks\": []"), "\(made)")
            for word in ["To the hut", "Church", "Bell"] {
                #expect(files.allSatisfy { $0.range(of: Data(word.utf8)) == nil }, "\(word)")
            }
        }
    }

    /// Apps name an export after its walk: the file's name remains, and is said.
    @Test func theNameOfAFileIsSaid() async throws {
        let session = try Fixture.session()
        let gpx =
            "<gpx version=\"1.1\" creator=\"x\"><wpt lat=\"1\" lon=\"2\"><name>Quill Cabin</name></wpt></gpx>"
        try Data(gpx.utf8).write(to: session.file("Quill Cabin.gpx"))
        await session.run("open 'Quill Cabin.gpx'")
        let made = await session.run("bug bundle b.zip --blank-names | get remarks")
        #expect(made.contains("the name of data/Quill-Cabin.gpx is one that is blanked"), "\(made)")
    }

    @Test func otherFilesAreBlankedOrItIsSaid() async throws {
        let session = try Fixture.session()
        let gpx = """
            <?xml version="1.0"?><gpx version="1.1" creator="x"><metadata><name>Xanadu</name><author><name>Ann</name></author>\
            </metadata><wpt lat="1" lon="2"><name>Hut &amp; Barn</name><cmt><![CDATA[Yonder <b>]]></cmt><desc/>\
            <sym>Flag</sym></wpt></gpx>
            """
        try Data(gpx.utf8).write(to: session.file("trip.gpx"))
        try Data("Xanadu".utf8).write(to: session.file("list.txt"))
        await session.run("open list.txt; store adopt trip.gpx --as own.gpx")
        let made = await session.run("bug bundle b.zip --blank-names | get remarks | to json")
        #expect(made.contains("list.txt is not completely blanked: it is copied unchanged"), "\(made)")
        #expect(!made.contains("trip.gpx"), "\(made)")
        await session.run("bug open b.zip")
        let text = try String(contentsOf: session.file("b/data/trip.gpx"), encoding: .utf8)
        #expect(
            text == """
                <?xml version="1.0"?><gpx version="1.1" creator="x"><metadata><name>name 1</name><author><name>name 2</name>\
                </author></metadata><wpt lat="1" lon="2"><name>name 3</name><cmt>xxxxxx <x></cmt><desc/>\
                <sym>Flag</sym></wpt></gpx>
                """, "\(text)")
    }
}
