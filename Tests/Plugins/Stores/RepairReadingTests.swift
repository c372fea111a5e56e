import Foundation
import GRDB
import PluginKit
import PluginTestKit
import Testing
import TrailStores

@testable import StoresPlugin

/// One wrong byte of the header or of the schema, a transfer as text or a missing database file costs no row: the repair
/// establishes from the pages how they are to be read, and never says that nothing is lost when it cannot know.
struct RepairReadingTests {
    private static let count = 40

    /// Waypoints with photos on overflow pages, as the apps' columns have them.
    private static func photos(_ url: URL, pageSize: Int = 1024) throws {
        try FormatFixture.database(
            url,
            """
            PRAGMA page_size = \(pageSize);
            CREATE TABLE waypoints(id TEXT PRIMARY KEY, latitude REAL NOT NULL, longitude REAL NOT NULL, altitude REAL,
              timestamp TEXT NOT NULL, label TEXT NOT NULL DEFAULT '', category TEXT NOT NULL DEFAULT 'custom',
              note TEXT NOT NULL DEFAULT '', has_photo INTEGER NOT NULL DEFAULT 0, hike_id TEXT, photo_data BLOB,
              photo_thumbnail BLOB, modified_at TEXT, cloudkit_record_id TEXT);
            CREATE INDEX idx_waypoints_hike ON waypoints(hike_id);
            CREATE INDEX idx_waypoints_location ON waypoints(latitude, longitude);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO waypoints(id, latitude, longitude, timestamp, label, has_photo, photo_data)
            SELECT printf('A0000000-0000-4000-8000-%012d', i), 46.5 + i / 1000.0, 7.9, '2026-02-06T08:15:30.123Z',
              'Place ' || i, 1, CAST(printf('%*s', 700 + 11 * i, i) AS BLOB) FROM n;
            """)
    }

    private static let schema = Array("tablewaypointswaypoints".utf8)

    private static func schemaOffset(_ bytes: [UInt8]) -> Int {
        bytes.indices.first { bytes[$0...].starts(with: schema) } ?? 0
    }

    /// Damage that contradicts what is said elsewhere in the file, so that it can be undone.
    static let damages: [(name: String, change: @Sendable (inout [UInt8]) -> Void)] = [
        ("nothing", { _ in }),
        ("page size", { $0[16] = 2 }), ("page size of no kind", { $0[16] = 7 }),
        ("reserved bytes", { $0[20] = 2 }), ("payload fraction", { $0[21] = 65 }),
        ("last fraction", { $0[23] = 0 }),
        ("text encoding", { $0[59] = 3 }), ("no text encoding", { $0[59] = 9 }),
        ("the magic bytes", { $0[0] = 0 }),
        ("the header", { bytes in for index in 0..<100 { bytes[index] = 0 } }),
        ("the root page", { $0[schemaOffset($0) + 23] = 9 }),
        ("no root page", { $0[schemaOffset($0) + 23] = 0 }),
        ("the type of a part", { $0[schemaOffset($0) + 2] ^= 1 }),
        ("line ends", { $0 = $0.flatMap { $0 == 10 ? [13, 10] : [$0] } }),
        (
            "Latin-1 as UTF-8",
            { $0 = Array(String(String.UnicodeScalarView($0.map { Unicode.Scalar($0) })).utf8) }
        ),
        ("base64", { $0 = Array(Data($0).base64EncodedString(options: .lineLength76Characters).utf8) }),
        ("further bytes", { $0 += [UInt8](repeating: 7, count: 100) }),
    ]

    @Test(arguments: damages.map(\.name), [512, 1024, 4096])
    func noRowIsLost(_ name: String, _ pageSize: Int) async throws {
        let folder = try TemporaryFolder()
        let (whole, damaged) = (
            folder.url.appendingPathComponent("a.db"), folder.url.appendingPathComponent("m.db")
        )
        try Self.photos(whole, pageSize: pageSize)
        var bytes = [UInt8](try Data(contentsOf: whole))
        // A byte that is right on pages of this size is no damage.
        Self.damages.first { $0.name == name }?.change(&bytes)
        try Data(bytes).write(to: damaged)
        let copy = folder.url.appendingPathComponent("o.db")
        let report = try await StoreRepair.repair(damaged, into: copy, progress: ProgressReporter())
        let sql = "SELECT * FROM waypoints ORDER BY rowid"
        let (before, after) = (
            try PlainConnection(whole.path, isWritable: false).rows(sql).map { $0 },
            try PlainConnection(copy.path, isWritable: false).rows(sql).map { $0 }
        )
        #expect(before.count == Self.count && after == before, "\(after.count): \(report.verdict)")
        #expect(report.lost == 0 && report.isComplete == true, "\(report.verdict)")
        let tables = try PlainConnection(copy.path, isWritable: false).texts(
            "SELECT name FROM sqlite_master WHERE type = 'table'")
        #expect(tables == ["waypoints"])
    }

    /// A transfer that added fewer bytes than a page has is none that appended them.
    @Test func lineEndsThatAddLessThanAPage() async throws {
        let session = try Fixture.session()
        try Self.photos(session.file("a.db"), pageSize: 4096)
        let bytes = [UInt8](try Data(contentsOf: session.file("a.db")))
        try Data(bytes.flatMap { $0 == 10 ? [13, 10] : [$0] }).write(to: session.file("b.db"))
        #expect(try await session.codes("b.db") == ["F-FILE-TRANSFER"])
    }

    /// The value of a row's alias of its number is stored nowhere else: a changed letter of its declaration loses none.
    @Test(arguments: 0..<"INTEGER PRIMARY KEY".utf8.count)
    func aChangedLetterOfAKeyLosesNoNumber(_ letter: Int) async throws {
        let session = try Fixture.session()
        try FormatFixture.database(
            session.file("a.db"),
            """
            CREATE TABLE notes(id INTEGER PRIMARY KEY, note TEXT);
            INSERT INTO notes VALUES (7, 'one'), (11, 'two'), (13, 'three');
            """)
        var bytes = [UInt8](try Data(contentsOf: session.file("a.db")))
        let words = Array("INTEGER PRIMARY KEY".utf8)
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: words) })
        bytes[start + letter] = UInt8(ascii: "X")
        try Data(bytes).write(to: session.file("b.db"))
        let text = await session.run("store repair b.db --out c.db")
        let copy = try PlainConnection(session.file("c.db").path, isWritable: false)
        let table = try #require(copy.texts("SELECT name FROM sqlite_master WHERE name LIKE 'notes%'").first)
        let rows = copy.rows("SELECT * FROM \(table) ORDER BY rowid").map { $0 }
        #expect(rows.map(\.first) == [.integer(7), .integer(11), .integer(13)], "\(text)")
        #expect(!text.contains("nothing lost"), "\(text)")
    }

    /// A header that says that the database vacuums itself makes the pages that would have its maps no maps; overflow pages
    /// before the row that leads to them are that row's.
    @Test func pagesThatWouldBeMapsKeepTheirRows() async throws {
        let session = try Fixture.session()
        try Self.photos(session.file("a.db"), pageSize: 512)
        var bytes = [UInt8](try Data(contentsOf: session.file("a.db")))
        bytes[55] = 252
        // The root, without which each leaf stands alone.
        let root = Int(bytes[Self.schemaOffset(bytes) + 23])
        for index in (root - 1) * 512..<root * 512 { bytes[index] = 0xA5 }
        try Data(bytes).write(to: session.file("b.db"))
        let text = await session.run("store repair b.db --out c.db")
        #expect(text.contains("\(Self.count) rows recovered"), "\(text)")
        #expect(!text.contains("of no row"), "\(text)")
    }

    /// Without an index nothing proves how many rows a page had.
    @Test func whatCannotBeKnownIsSaid() async throws {
        let session = try Fixture.session()
        try FormatFixture.database(
            session.file("a.db"),
            """
            CREATE TABLE notes(id INTEGER PRIMARY KEY, note TEXT);
            INSERT INTO notes VALUES (1, 'one'), (2, 'two'), (3, 'three');
            """)
        var bytes = [UInt8](try Data(contentsOf: session.file("a.db")))
        // The number of cells of the table's only page.
        bytes[4096 + 4] = 1
        try Data(bytes).write(to: session.file("a.db"))
        // The pointers behind the counted ones lead to the others.
        #expect(await session.run("store repair a.db --out b.db").contains("3 rows recovered"))
        // Two of the rows are overwritten: bytes remain that no row accounts for.
        for index in 0..<10 { bytes[8192 - 16 + index] = 0xFF }
        try Data(bytes).write(to: session.file("c.db"))
        let text = await session.run("store repair c.db --out d.db")
        #expect(!text.contains("nothing lost") && !text.contains("none lost"), "\(text)")
    }

    @Test func liveRowsAreNotListedAsDeleted() async throws {
        let session = try Fixture.session()
        for pageSize in [512, 1024] {
            try Self.photos(session.file("\(pageSize).db"), pageSize: pageSize)
            #expect(await session.run("store deleted \(pageSize).db | count") == "0")
        }
    }

    /// A file that is not in WAL mode has no log of its own: one beside it stayed from the file that was there before.
    @Test(arguments: [4096, 1024])
    func aLogOfAnotherFile(pageSize: Int) async throws {
        let session = try Fixture.session()
        let (file, live) = (session.file("a.db"), session.file("live.db"))
        try Fixture.waypoints(at: file)
        let writer = try PlainConnection(live.path, isWritable: true, isNew: true)
        try writer.execute(
            "PRAGMA page_size = \(pageSize); PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE x(y)"
        )
        #expect(try await session.codes("a.db").allSatisfy { !$0.hasPrefix("F-LOG") })
        try FileManager.default.copyItem(atPath: live.path + "-wal", toPath: file.path + "-wal")
        #expect(try await session.codes("a.db").contains("F-LOG-FOREIGN"))
        #expect(await session.run("store open a.db | get damage").contains("which is not in WAL mode"))
    }

    /// The log of a database that was never checkpointed has all of it.
    @Test func aLogAlone() async throws {
        let session = try Fixture.session()
        let live = session.file("live.db")
        let folder = session.file("App")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let writer = try PlainConnection(live.path, isWritable: true, isNew: true)
        try writer.execute(
            "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE waypoints(id TEXT PRIMARY KEY, latitude REAL, longitude REAL, timestamp TEXT)"
        )
        for index in 1...30 {
            try writer.execute(
                "INSERT INTO waypoints VALUES ('\(UUID().uuidString)', 46.\(index), 7, '2026-02-06T08:15:30.123Z')"
            )
        }
        let log = folder.appendingPathComponent("waypoints.db-wal")
        try FileManager.default.copyItem(atPath: live.path + "-wal", toPath: log.path)
        #expect(
            await session.run("store open App/waypoints.db-wal | get because").hasSuffix(
                "read from a log alone"))
        #expect(await session.run("sql 'SELECT count(*) AS n FROM waypoints' | get n") == "30")
        #expect(try await session.codes("App/waypoints.db-wal").contains("F-LOG-ALONE"))
        let text = await session.run("store repair App/waypoints.db-wal --out b.db")
        #expect(text.contains("30 rows recovered") && text.contains("read from a log alone"), "\(text)")
        #expect(await session.shown("container show App | get rows") == "30")
        // A part of it is said to be a part.
        let bytes = try Data(contentsOf: log)
        let cut = session.file("cut.db-wal")
        try bytes.prefix(bytes.count / 2).write(to: cut)
        let torn = await session.run("store repair cut.db-wal --out c.db")
        #expect(torn.contains("lost in cut.db-wal"), "\(torn)")
    }

    /// A chain of overflow pages that leads on past its record, or into zeros, has the bytes of others; a page of no row
    /// was one's.
    @Test func valuesThatMayBeWrongAreSaid() async throws {
        let session = try Fixture.session()
        try Self.photos(session.file("a.db"), pageSize: 512)
        #expect(!(await session.run("store repair a.db --out b.db").contains("value")))
        let bytes = [UInt8](try Data(contentsOf: session.file("a.db")))
        // A page that ends a chain of overflow pages names no other, and has a part of a photo of blanks.
        let starts = stride(from: 512, to: bytes.count, by: 512)
        let last = try #require(
            starts.first {
                bytes[$0..<$0 + 4].allSatisfy { $0 == 0 } && bytes[$0 + 4..<$0 + 132].allSatisfy { $0 == 32 }
            })
        var wiped = bytes
        for index in last..<last + 512 { wiped[index] = 0 }
        var led = bytes
        led[last + 3] = 9
        for (name, changed) in [("wiped", wiped), ("led", led)] {
            try Data(changed).write(to: session.file("\(name).db"))
            let text = await session.run("store repair \(name).db --out \(name)-copy.db")
            #expect(
                text.contains("none lost; a value may be wrong in 1 row of waypoints"), "\(name): \(text)")
        }
    }

    /// A count of cells that is too large makes SQLite read bytes as a row that nobody wrote.
    @Test func rowsThatNobodyWroteAreKeptBeside() async throws {
        let session = try Fixture.session()
        try FormatFixture.database(
            session.file("a.db"),
            """
            CREATE TABLE notes(id TEXT PRIMARY KEY, note TEXT);
            INSERT INTO notes VALUES ('one', 'first'), ('two', 'second'), ('three', 'third');
            """)
        var bytes = [UInt8](try Data(contentsOf: session.file("a.db")))
        bytes[4096 + 4] += 1
        try Data(bytes).write(to: session.file("b.db"))
        let text = await session.run("store repair b.db --out c.db")
        #expect(text.contains("none lost"), "\(text)")
        #expect(
            await session.run("sql 'SELECT count(*) AS n FROM notes' --store c.db | get n") == "3", "\(text)")
    }

    /// The one store of a folder or an archive is repaired; of several one has to be named.
    @Test func theStoreOfAContainer() async throws {
        let session = try Fixture.session()
        try Self.photos(session.file("waypoints.db"), pageSize: 4096)
        let store = [UInt8](try Data(contentsOf: session.file("waypoints.db")))
        try Data(StoredZip([.init("Documents/waypoints.db", store)]).bytes).write(to: session.file("one.zip"))
        let one = await session.run("store repair one.zip --out one.db")
        #expect(one.contains("\(Self.count) rows recovered, nothing lost"), "\(one)")
        try Data(StoredZip([.init("a/waypoints.db", store), .init("b/waypoints.db", store)]).bytes)
            .write(to: session.file("two.zip"))
        let two = await session.run("store repair two.zip --out two.db")
        #expect(two.contains("E-STORE-FOLDER") && two.contains("a/waypoints.db, b/waypoints.db"), "\(two)")
    }

    /// A wrong field of the header is named by `store open`, too, and bytes like random ones are said to be encrypted.
    @Test func openSaysWhyAFileCannotBeRead() async throws {
        let session = try Fixture.session()
        try Self.photos(session.file("a.db"), pageSize: 4096)
        var bytes = [UInt8](try Data(contentsOf: session.file("a.db")))
        bytes[21] = 65
        try Data(bytes).write(to: session.file("payload.db"))
        let payload = await session.run("store open payload.db")
        #expect(payload.contains("payload fractions") && payload.contains("store repair"), "\(payload)")
        var random = SplitMix(seed: 7)
        let noise = (0..<bytes.count).map { _ in UInt8(random.below(256)) }
        try Data(noise).write(to: session.file("cipher.db"))
        try Data(bytes.prefix(32) + noise.dropFirst(32)).write(to: session.file("plain-header.db"))
        for name in ["cipher", "plain-header"] {
            let text = await session.run("store open \(name).db")
            #expect(
                text.contains("E-STORE-NOTDB") && text.contains("encrypted") && text.contains("SQLCipher"),
                "\(text)")
            #expect(try await session.codes("\(name).db") == ["F-FILE-ENCRYPTED"])
        }
    }

    /// A cut ZIP archive gives its complete files; one with a password says so.
    @Test func archivesThatAreCutOrLocked() async throws {
        let session = try Fixture.session()
        try Self.photos(session.file("a.db"), pageSize: 4096)
        let store = [UInt8](try Data(contentsOf: session.file("a.db")))
        let both = StoredZip([
            .init("Größe/waypoints.db", store), .init("notes.txt", [UInt8](repeating: 65, count: 5000)),
        ]).bytes
        try Data(both).write(to: session.file("whole.zip"))
        #expect(
            await session.shown("container show whole.zip | where kind == waypoints | get rows")
                == "\(Self.count)")
        try Data(both.prefix(store.count + 2000)).write(to: session.file("cut.zip"))
        let cut = await session.run("container show cut.zip")
        #expect(cut.contains("\(Self.count)") && cut.contains("cut off within `notes.txt`"), "\(cut)")
        #expect(await session.run("store check cut.zip | get code").contains("F-APP-ARCHIVE"))
        // Files that are damaged, twice in it or outside of it stop no other.
        var odd = StoredZip([
            .init("../evil.db", store), .init("notes.txt", Array("intact notes".utf8)),
            .init("waypoints.db", store), .init("waypoints.db", store),
        ]).bytes
        let note = try #require(odd.indices.first { odd[$0...].starts(with: "intact".utf8) })
        odd[note] ^= 1
        try Data(odd).write(to: session.file("odd.zip"))
        let said = try await session.texts("store check odd.zip | where code == 'F-APP-ARCHIVE'", "what")
        #expect(
            said == [
                "`../evil.db` has a path that leads outside the archive", "`notes.txt` is damaged",
                "`waypoints.db` is in the archive twice",
            ])
        #expect(await session.shown("container show odd.zip | get rows") == "\(Self.count)")
        try Data(StoredZip([.init("waypoints.db", store, flags: 0x0801)]).bytes).write(
            to: session.file("locked.zip"))
        #expect(await session.run("store open locked.zip").contains("needs a password"))
    }

    /// Archives that were put together, with a lone block of zeros, with words of a program behind their end or within, and cut:
    /// what is complete is read, and the rest is said.
    @Test func tarArchivesAsTheyCome() async throws {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("w.db"))
        let store = [UInt8](try Data(contentsOf: session.file("w.db")))
        let notes = PlainTar.blocks(("notes.txt", Array("notes".utf8)))
        let both = PlainTar.blocks(("waypoints.db", store))
        let words = Array("tar: had errors\n".utf8)
        let whole: [String: [UInt8]] = [
            "joined": notes + PlainTar.end + both + PlainTar.end,
            "lone": notes + PlainTar.end.prefix(512) + both + PlainTar.end,
            "said": notes + both + PlainTar.end + words,
        ]
        for (name, bytes) in whole.sorted(by: { $0.key < $1.key }) {
            try Data(bytes).write(to: session.file("\(name).tar"))
            let rows = await session.shown("container show \(name).tar | where kind == waypoints | get rows")
            #expect(rows == "3", "\(name)")
        }
        let said = try await session.texts("store check said.tar | where code == 'F-APP-ARCHIVE'", "what")
        #expect(said.count == 1 && said[0].contains("is not a valid archive"), "\(said)")
        try Data(notes + both.prefix(store.count / 2)).write(to: session.file("cut.tar"))
        let cut = try #require(await session.result("store open cut.tar").failure)
        #expect(cut.message.contains("no store could be unpacked") && cut.fix != nil, "\(cut.message)")
    }

    /// A ZIP archive behind a program that unpacks it.
    @Test func aZipBehindAProgram() async throws {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("w.db"))
        let store = [UInt8](try Data(contentsOf: session.file("w.db")))
        let zip = StoredZip([.init("waypoints.db", store)]).bytes
        try Data(Array("#!/bin/sh\nexec unzip $0\n".utf8) + zip).write(to: session.file("self.zip"))
        #expect(await session.shown("container show self.zip | get rows") == "3")
    }

    /// A table whose declaration needs a function that only its app has keeps its columns.
    @Test func aTableThatNeedsItsAppKeepsItsColumns() async throws {
        let session = try Fixture.session()
        try Fixture.change(
            session.file("a.db"),
            """
            CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT NOT NULL);
            INSERT INTO notes VALUES (7, 'seven'), (8, 'eight');
            PRAGMA writable_schema = 1;
            UPDATE sqlite_schema SET sql =
            'CREATE TABLE notes(id INTEGER PRIMARY KEY, text TEXT NOT NULL COLLATE LOCALIZED CHECK (fine(text)))'
            """)
        await session.run("store repair a.db --out b.db")
        let rows = try await DatabaseQueue(path: session.file("b.db").path).read { db in
            try String.fetchAll(db, sql: "SELECT id || text FROM notes ORDER BY id")
        }
        #expect(rows == ["7seven", "8eight"])
    }
}
