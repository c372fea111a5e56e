import Foundation
import GRDB
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// Stores of other programs: reading changes no byte in them or beside them.
struct ForeignStoreTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("way points%20?.db")
    }

    /// Makes a store, one waypoint in it.
    private func make() throws {
        let store = try WaypointStore(url, access: .own)
        try store.insert(Fixture.waypoint())
    }

    private func readAll() throws -> [String] {
        let store = try WaypointStore(url, access: .foreign)
        #expect(codeThrown { try store.insert(Fixture.waypoint(id: Fixture.other)) } == "E-STORE-READONLY")
        return try store.all().map(\.label)
    }

    @Test func aStoreWithAWriteAheadLogThatIsClosed() throws {
        try make()
        let before = try Fixture.content(folder.url)
        #expect(before.count == 1)
        #expect(try readAll() == ["Hut"])
        #expect(try Fixture.content(folder.url) == before)
    }

    @Test func aStoreThatAnotherProgramHasOpen() throws {
        try make()
        let theirs = try WaypointStore(url, access: .own)
        try theirs.insert(Fixture.waypoint(id: Fixture.other, label: "in the log"))
        let before = try Fixture.content(folder.url)
        #expect(before.count == 3)
        #expect(try readAll().sorted() == ["Hut", "in the log"])
        #expect(try Fixture.content(folder.url) == before)
        withExtendedLifetime(theirs) {}
    }

    @Test func aStoreWithARollbackJournal() throws {
        try make()
        try Fixture.database(url, "PRAGMA user_version = 1")
        let queue = try DatabaseQueue(path: url.path)
        try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
        try queue.close()
        let before = try Fixture.content(folder.url)
        #expect(try readAll() == ["Hut"])
        #expect(try Fixture.content(folder.url) == before)
    }

    @Test func aJournalThatACrashedProgramLeft() throws {
        try make()
        let queue = try DatabaseQueue(path: url.path)
        let crashed = folder.url.appendingPathComponent("crashed.db")
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN")
            // More than the cache holds, so that unfinished pages are in the file and the old ones in the journal.
            for index in 0..<500 {
                try db.execute(
                    sql:
                        "INSERT INTO waypoints (id, latitude, longitude, timestamp, note) VALUES (?, 1, 1, 'x', ?)",
                    arguments: ["\(index)", String(repeating: "x", count: 500)])
            }
            for suffix in ["", "-journal"] {
                try FileManager.default.copyItem(atPath: url.path + suffix, toPath: crashed.path + suffix)
            }
            try db.execute(sql: "ROLLBACK")
        }
        let before = try Fixture.content(folder.url)
        let store = try WaypointStore(crashed, access: .foreign)
        #expect(store.connection.readsCopy)
        #expect(try store.all().map(\.label) == ["Hut"])
        #expect(try Fixture.content(folder.url) == before)
    }

    @Test func copiesAreTakenAway() throws {
        try make()
        let theirs = try WaypointStore(url, access: .own)
        try theirs.insert(Fixture.waypoint(id: Fixture.other))
        func scratch() throws -> Set<String> {
            let names = try FileManager.default.contentsOfDirectory(
                atPath: FileManager.default.temporaryDirectory.path)
            return Set(names.filter { $0.hasPrefix("rutter-store-\(getpid())-") })
        }
        let own = try WaypointStore(url, access: .foreign)
        #expect(own.connection.readsCopy)
        #expect(try own.all().count == 2)
        withExtendedLifetime((theirs, own)) {}
    }

    @Test func aFolderThatMayNotBeWritten() throws {
        try make()
        let chmod = { (mode: Int) in
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.url.path)
        }
        try chmod(0o500)
        defer { try? chmod(0o700) }
        #expect(try readAll() == ["Hut"])
    }

    @Test func whatIsNoDatabase() throws {
        let text = folder.url.appendingPathComponent("text.db")
        try Data("no database at all".utf8).write(to: text)
        let empty = folder.url.appendingPathComponent("empty.db")
        try Data().write(to: empty)
        let pipe = folder.url.appendingPathComponent("pipe.db")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        let before = try Fixture.content(folder.url.appendingPathComponent("."), except: "pipe.db")
        for access in [StoreAccess.foreign, .foreignWritable] {
            func code(_ url: URL) -> String? { codeThrown { _ = try WaypointStore(url, access: access) } }
            #expect(code(text) == "E-STORE-NOTDB")
            #expect(code(empty) == "E-STORE-NOTDB")
            #expect(code(folder.url.appendingPathComponent("missing.db")) == "E-FILE-MISSING")
            #expect(code(folder.url) == "E-FILE-ACCESS")
            #expect(code(pipe) == "E-FILE-ACCESS")
        }
        #expect(try Fixture.content(folder.url.appendingPathComponent("."), except: "pipe.db") == before)
    }

    @Test func everyTruncationOfADatabaseIsAnError() throws {
        try make()
        let bytes = try Data(contentsOf: url)
        let cut = folder.url.appendingPathComponent("cut.db")
        for count in stride(from: 0, to: bytes.count, by: 1021) {
            try bytes.prefix(count).write(to: cut)
            // If only pages are missing that a list does not need, the list is complete.
            var labels: [String]?
            let code = codeThrown { labels = try WaypointStore(cut, access: .foreign).all().map(\.label) }
            #expect(code?.hasPrefix("E-STORE-") ?? (labels == ["Hut"]), "\(count) bytes: \(code ?? "read")")
        }
    }

    @Test func changedBytesNeverCrash() throws {
        try make()
        let bytes = try Data(contentsOf: url)
        let damaged = folder.url.appendingPathComponent("damaged.db")
        var random = Xoshiro256(seed: 9)
        for _ in 0..<150 {
            var copy = bytes
            for _ in 0..<20 {
                copy[Int.random(in: 100..<copy.count, using: &random)] = UInt8(
                    truncatingIfNeeded: random.next())
            }
            try copy.write(to: damaged)
            let code = codeThrown { _ = try WaypointStore(damaged, access: .foreign).all() }
            #expect(code == nil || code?.hasPrefix("E-STORE-") == true, "\(code ?? "")")
        }
    }

    @Test(.enabled(if: RealData.has("malformed/sqlite"), "the folder of real data is not there"))
    func malformedFiles() throws {
        for file in RealData.files(in: "malformed/sqlite") {
            for access in [StoreAccess.foreign, .foreignWritable] {
                let copy = folder.url.appendingPathComponent("copy.db")
                try? FileManager.default.removeItem(at: copy)
                try FileManager.default.copyItem(at: file, to: copy)
                let before = try Data(contentsOf: copy)
                for open in [
                    { _ = try WaypointStore(copy, access: access) },
                    { _ = try HikeStore(copy, access: access) },
                ] as [() throws -> Void] {
                    let code = codeThrown(open)
                    #expect(
                        code?.hasPrefix("E-STORE-") == true, "\(file.lastPathComponent): \(code ?? "opened")")
                }
                if access == .foreign {
                    #expect(try Data(contentsOf: copy) == before, "\(file.lastPathComponent)")
                }
            }
        }
    }

    /// A log that is a link is read where it leads to, as SQLite would, and no copy stays behind.
    @Test func aLogThatIsALink() throws {
        try make()
        let theirs = try WaypointStore(url, access: .own)
        try theirs.insert(Fixture.waypoint(id: Fixture.other, label: "in the log"))
        let linked = try TemporaryFolder()
        let copy = linked.url.appendingPathComponent("linked.db")
        try FileManager.default.copyItem(atPath: url.path, toPath: copy.path)
        try FileManager.default.createSymbolicLink(
            atPath: copy.path + "-wal", withDestinationPath: url.path + "-wal")
        let store = try WaypointStore(copy, access: .foreign)
        #expect(try store.all().map(\.label).sorted() == ["Hut", "in the log"])
        withExtendedLifetime(theirs) {}
    }

    @Test func aCopyThatCannotBeOpenedIsTakenAway() throws {
        try make()
        // With a log a copy is made, and opening it fails because of a damaged header.
        var bytes = try Data(contentsOf: url)
        bytes.replaceSubrange(40..<bytes.count, with: Data(repeating: 0xAB, count: bytes.count - 40))
        try bytes.write(to: url)
        try Data(repeating: 1, count: 100).write(to: URL(fileURLWithPath: url.path + "-journal"))
        func copies() throws -> Set<String> {
            let names = try FileManager.default.contentsOfDirectory(
                atPath: FileManager.default.temporaryDirectory.path)
            return Set(
                names.filter { name in
                    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
                        "\(name)/store.db")
                    return name.hasPrefix("rutter-store-\(getpid())-")
                        && (try? Data(contentsOf: file)) == bytes
                })
        }
        #expect(codeThrown { _ = try WaypointStore(url, access: .foreign) } != nil)
        #expect(try copies().isEmpty)
    }

    /// A table of the same name with other columns is not a store, in the workspace as elsewhere.
    @Test(arguments: [StoreAccess.own, .foreignWritable, .foreign])
    func aTableOfAnotherShapeIsLeftAlone(access: StoreAccess) throws {
        try Fixture.database(url, "CREATE TABLE waypoints(x)")
        #expect(codeThrown { _ = try WaypointStore(url, access: access) } == "E-STORE-SCHEMA")
        let routes = folder.url.appendingPathComponent("routes.db")
        try Fixture.database(routes, "CREATE TABLE saved_routes(x)")
        #expect(codeThrown { _ = try HikeStore(routes, access: access) } == "E-STORE-SCHEMA")
        let queue = try DatabaseQueue(path: url.path)
        #expect(try queue.read { db in try db.columns(in: "waypoints").map(\.name) } == ["x"])
    }
}

extension Fixture {
    /// The regular files of a folder but one.
    static func content(_ folder: URL, except name: String) throws -> [String: Data] {
        var content: [String: Data] = [:]
        for other in try FileManager.default.contentsOfDirectory(atPath: folder.path) where other != name {
            content[other] = try Data(contentsOf: folder.appendingPathComponent(other))
        }
        return content
    }
}
