import Foundation
import GRDB
import Logging
import PluginKit
import PluginTestKit
import Testing
import TrailStores
import Workbench

@testable import StoresPlugin

/// Opening, using and closing stores.
@Suite(.needs(.photos))
struct OpeningTests {
    @Test func theKindIsToldByContent() async throws {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("something.bin"))
        try Fixture.hikes(at: session.file("waypoints.sqlite"))
        #expect(await session.run("store open something.bin | get kind") == "waypoints")
        #expect(await session.run("store open waypoints.sqlite | get kind") == "hikes")
        #expect(
            await session.run("store list") == """
                name       kind       file              access  inUse
                something  waypoints  something.bin     read    false
                waypoints  hikes      waypoints.sqlite  read    true
                """)
    }

    @Test func aTableOfTheSameNameIsNotEnough() async throws {
        let session = try Fixture.session()
        try Fixture.change(session.file("other.db"), "CREATE TABLE waypoints (name TEXT, x REAL)")
        #expect(await session.run("store open other.db | get kind") == "other")
        #expect(await session.run("store show | get because").contains("a table waypoints, but without id"))
    }

    /// SQLite reads a tree whose root lacks entries without an error, and so with fewer rows: that is said.
    @Test func damageThatHidesRowsIsSaid() async throws {
        let session = try Fixture.session()
        let url = session.file("tree.db")
        try FormatFixture.database(
            url,
            """
            PRAGMA page_size = 512; VACUUM;
            CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT);
            INSERT INTO notes SELECT value, printf('%0200d', value) FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12]')
            """)
        let whole = await session.run("store open tree.db --name whole | to json")
        #expect(!whole.contains("damage"), "\(whole)")
        var bytes = [UInt8](try Data(contentsOf: url))
        // The root of the table is the second page, an inner one; its number of entries is in bytes 3 and 4.
        try #require(bytes[512] == 5)
        bytes[512 + 4] -= 2
        try Data(bytes).write(to: session.file("short.db"))
        let damage = await session.run("store open short.db | get damage")
        #expect(damage.contains("and 2 more: rows may be missing"), "\(damage)")
        #expect(await session.run("store rows notes | count") != "12")
    }

    /// A look into another store does not replace the stores in use.
    @Test func aStoreOpenedAsideIsNotUsed() async throws {
        let session = try Fixture.session()
        try Fixture.change(session.file("other.db"), "CREATE TABLE t (x INTEGER)")
        try Fixture.waypoints(at: session.file("phone.db"))
        #expect(await session.run("store open other.db --aside | get inUse") == "false")
        #expect(await session.run("store rows t --store other | count") == "0")
        _ = await session.run("store open phone.db; store close other; store open other.db --aside")
        #expect(await session.run("store list | where inUse == true | get name") == "phone")
        #expect(await session.run("store open missing.db --aside").contains("E-FILE-MISSING"))
        #expect(await session.run("store list | where inUse == true | get name") == "phone")
    }

    @Test func namesUsingAndClosing() async throws {
        let session = try Fixture.session()
        for name in ["a.db", "a.sqlite", "b.db"] { try Fixture.waypoints(at: session.file(name)) }
        #expect(await session.run("store open a.db | get name") == "a")
        #expect(await session.run("store open a.sqlite | get name") == "a2")
        #expect(await session.run("store open b.db --name phone | get name") == "phone")
        #expect(await session.run("store use a") == "a is in use, for reading only")
        #expect(await session.run("store use") == "your own stores are in use")
        #expect(await session.run("store use phome").contains("did you mean `phone`?"))
        #expect(await session.result("store open b.db").failure?.code == "E-STORE-OPEN")
        #expect(await session.result("store open ./b.db").failure?.code == "E-STORE-OPEN")
        #expect(await session.run("store close phone") == "closed phone")
        #expect(await session.result("store show phone").failure?.code == "E-STORE-UNKNOWN")
        #expect(await session.result("store open b.db --name a").failure?.code == "E-STORE-NAME")
        #expect(await session.result("store show").failure?.code == "E-STORE-NONE")
    }

    @Test func ownStoresNeedNoOpening() async throws {
        let session = try Fixture.session()
        try FileManager.default.createDirectory(
            at: session.file("workspace"), withIntermediateDirectories: true)
        let own = try WaypointStore(session.file("workspace/waypoints.db"), access: .own)
        try own.insert(
            Waypoint(id: Fixture.id(1), coordinate: .init(latitude: 1, longitude: 2), timestamp: Fixture.time)
        )
        #expect(await session.result("store open workspace/waypoints.db").failure?.code == "E-STORE-OWN")
        #expect(
            await session.run("sql 'SELECT count(*) AS n FROM waypoints' --store waypoints.db | get n") == "1"
        )
        #expect(await session.run("store show waypoints.db | get journal") == "wal")
        #expect(try await session.codes("waypoints.db").isEmpty)
        // The connection that writes is not disturbed, and what it writes is seen.
        try own.insert(
            Waypoint(id: Fixture.id(2), coordinate: .init(latitude: 1, longitude: 2), timestamp: Fixture.time)
        )
        #expect(
            await session.run("sql 'SELECT count(*) AS n FROM waypoints' --store waypoints.db | get n") == "2"
        )
    }

    /// Another program's writes are visible to the next command, not only after reopening the store.
    @Test func anOpenStoreIsNeverFrozen() async throws {
        let session = try Fixture.session()
        let url = session.file("live.db")
        let writer = try WaypointStore(url, access: .own)
        let one = Waypoint(
            id: Fixture.id(1), coordinate: .init(latitude: 1, longitude: 2), timestamp: Fixture.time)
        try writer.insert(one)
        let count = "sql 'SELECT count(*) AS n FROM waypoints' | get n"
        await session.run("store open live.db")
        #expect(await session.run(count) == "1")
        var two = one
        two.id = Fixture.id(2)
        try writer.insert(two)
        #expect(await session.run(count) == "2")
    }

    @Test func aClosedStoreIsReadAnewByOtherCommandsToo() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("w.db")
        try Fixture.waypoints(at: url)
        let stores = OpenStores()
        let first = stores.add(.init(name: "w", kind: .waypoints, url: url, isWritable: false))
        _ = stores.remove("w")
        let second = stores.add(.init(name: "w", kind: .waypoints, url: url, isWritable: false))
        #expect(first != second)
    }

    /// A confined session may read a store that it may not write.
    @Test func writingNeedsPermission() async throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("w.db")
        try Fixture.waypoints(at: url)
        let workspace = try TemporaryFolder()
        let files = FileAccess(
            searchFolders: [folder.url], readable: [folder.url], writable: [workspace.url],
            outputFolder: workspace.url, allowsNetwork: false)
        let configuration = SessionConfiguration(
            seed: 42, clock: SessionClock(standingAt: Fixture.time), environment: .notebook,
            workspace: workspace.url, files: files,
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let session = try Session(configuration: configuration) { [StoresPlugin()] }
        #expect(await session.run("store open w.db --write").failure?.code == "E-FILE-CONFINED")
        #expect(await session.run("store open w.db").failure == nil)
        #expect(await session.run("store check /etc/hostname").failure?.code == "E-FILE-CONFINED")
        #expect(
            await session.run("sql 'SELECT 1' --store ../../etc/hostname").failure?.code == "E-FILE-CONFINED")
    }

    @Test func storesAndFilesAreCompleted() async throws {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("w.db"))
        await session.run("store open w.db --name phone")
        let found = await session.session.completions(of: "store check ")
        let words = found.candidates.map(\.replacement)
        #expect(words.contains("phone"))
        #expect(words.contains("w.db"))
    }

    @Test func infoAndSchema() async throws {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("w.db"))
        await session.run("store open w.db")
        let info = await session.run("store show")
        for line in [
            "kind         waypoints", "sure         certain", "journal      rollback",
            "reads        the file",
        ] {
            #expect(info.contains(line), "\(info)")
        }
        #expect(info.contains("rows         {waypoints: 3}"))
        #expect(await session.run("store show --schema | where column == id | get key") == "1")
        #expect(await session.run("store show --sql").contains("CREATE INDEX idx_waypoints_hike"))
    }

    @Test func examplesDoWhatTheySay() async {
        let failures = await ExampleRunner.failures { [StoresPlugin()] }
        #expect(failures == [], "\(failures.joined(separator: "\n"))")
    }

    /// Codes never change their meaning, so they are written down here once more.
    @Test func everyFindingIsExplained() async throws {
        let session = try Fixture.session()
        let codes = (SQLiteFindings.all + WaypointFindings.all + HikeFindings.all).map(\.code)
        #expect(Set(codes).count == codes.count)
        for code in codes {
            let text = await session.run("explain \(code)")
            #expect(text.hasPrefix("\(code): "))
            #expect(text.replacing("\n", with: " ").contains(" Fix: "))
        }
        #expect(
            SQLiteFindings.all.map(\.code) == [
                "F-STORE-INTEGRITY", "F-STORE-UNREADABLE", "F-STORE-FOREIGNKEY", "F-STORE-APPPART",
            ])
        #expect(
            WaypointFindings.all.map { $0.code.dropFirst(11) } == [
                "SIGN", "RECORD", "ONEPLACE", "UNCHECKED", "TABLE", "OLDER", "ID", "TWICE", "PLACE",
                "ALTITUDE", "TIME",
                "MODIFIED",
                "CATEGORY", "TEXT",
                "HIKE", "FLAG", "PHOTO", "THUMB", "BIGTHUMB", "NOTHUMB", "FRACTION", "ZERO", "SWAPPED",
                "HEIGHT",
                "YEAR", "BEFORE", "SAME", "NUL", "INDEX",
            ])
        #expect(
            HikeFindings.all.map { $0.code.dropFirst(7) } == [
                "RECORD", "TABLE", "OLDER", "ID", "TWICE", "NAME", "TEXT", "FRACTION", "PLACE", "TIME",
                "ORDER", "NUMBER", "TRACK", "EMPTY",
                "POINT", "BACKWARDS", "ENDS", "SPAN", "DISTANCE", "CLIMB", "DURATION", "CUT", "FRAME",
                "EPOCH",
                "ZERO", "JUMP", "YEAR", "BEFORE", "HEART", "SPEED", "HEIGHT", "SAME", "TRAILING", "SWAPPED",
                "NUL", "INDEX",
            ])
    }
}
