import Foundation
import GRDB
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// Files that are not intact databases: a clear error or findings, never a crash, no writes, in bounded time.
@Suite(.timeLimit(.minutes(10)))
struct StrangeFileTests {
    private static let lines = [
        "store open FILE", "store open FILE --write", "store check FILE", "store show FILE",
        "store show FILE --schema",
        "sql 'SELECT * FROM sqlite_master' --store FILE",
    ]

    /// Runs all commands on a file and returns the codes of the errors.
    private func codes(_ session: TestSession, _ file: String) async -> Set<String> {
        var codes: Set<String> = []
        for line in Self.lines {
            let name = "'\(file)'"
            let result = await session.result(line.replacing("FILE", with: name))
            if let code = result.failure?.code { codes.insert(code) }
            for store in (try? await session.texts("store list", "name")) ?? [] {
                await session.run("store close '\(store)'")
            }
        }
        return codes
    }

    @Test(
        .enabled(if: RealData.has("malformed/sqlite"), "needs the folder of real data"),
        .timeLimit(.minutes(10)),
        arguments: RealData.files(in: "malformed/sqlite") + RealData.files(in: "malformed/mbtiles"))
    func damagedDatabases(_ file: URL) async throws {
        let session = try Fixture.session()
        let folder = session.file("phone")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: file, to: folder.appendingPathComponent(file.lastPathComponent))
        let before = try FolderState(folder)
        for line in Self.lines where !line.contains("--write") {
            let result = await session.result(
                line.replacing("FILE", with: "'phone/\(file.lastPathComponent)'"))
            if let failure = result.failure {
                #expect(failure.code.hasPrefix("E-STORE-"), "\(line): \(result.text)")
            }
            await session.run("store show; store check")
        }
        #expect(try FolderState(folder) == before)
    }

    @Test func aFolder() async throws {
        let session = try Fixture.session()
        try FileManager.default.createDirectory(at: session.file("d"), withIntermediateDirectories: true)
        #expect(await codes(session, "d") == ["E-STORE-FOLDER"])
    }

    @Test func devicesAndPipesDoNotHang() async throws {
        let session = try Fixture.session()
        #expect(mkfifo(session.file("pipe").path, 0o600) == 0)
        for file in ["/dev/zero", "/dev/null", "pipe"] {
            #expect(await codes(session, file) == ["E-FILE-ACCESS"], "\(file)")
        }
    }

    @Test(.needs(.photos)) func aPipeInPlaceOfALogDoesNotHang() async throws {
        let session = try Fixture.session()
        for suffix in ["-wal", "-journal"] {
            let name = "w\(suffix).db"
            try Fixture.waypoints(at: session.file(name))
            #expect(mkfifo(session.file(name + suffix).path, 0o600) == 0)
            #expect(await session.result("store open \(name)").failure?.code == "E-FILE-ACCESS")
        }
    }

    @Test(.enabled(if: getuid() != 0, "the superuser may read everything"))
    func withoutPermission() async throws {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("w.db"))
        chmod(session.file("w.db").path, 0)
        #expect(await codes(session, "w.db") == ["E-FILE-ACCESS"])
    }

    @Test func emptyShortAndOtherFiles() async throws {
        let session = try Fixture.session()
        await session.run("store list")  // the workspace is made with the first entry
        for (name, content) in [
            ("empty.db", ""), ("short.db", "SQLite format 3"), ("text.db", "not a database\n"),
        ] {
            try Data(content.utf8).write(to: session.file(name))
            let before = try FolderState(session.folder.url)
            #expect(await codes(session, name) == ["E-STORE-NOTDB"], "\(name)")
            #expect(try FolderState(session.folder.url) == before)
        }
        #expect(await codes(session, "missing.db").isSubset(of: ["E-FILE-MISSING", "E-STORE-UNKNOWN"]))
    }

    @Test(.needs(.photos)) func headersThatLie() async throws {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("whole.db"))
        let whole = try Data(contentsOf: session.file("whole.db"))
        for length in [16, 99, 100, 4095, 4096, whole.count - 1] {
            try whole.prefix(length).write(to: session.file("cut.db"))
            for code in await codes(session, "cut.db") { #expect(code.hasPrefix("E-STORE-"), "\(length)") }
        }
    }

    /// Ten gigabytes that take no space on the disk: zeros, and a database with zeros behind it.
    @Test(.needs(.photos), .timeLimit(.minutes(10))) func enormousFiles() async throws {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("large.db"))
        try Data().write(to: session.file("zeros.db"))
        for name in ["large.db", "zeros.db"] {
            guard truncate(session.file(name).path, 10 << 30) == 0 else { return }
        }
        #expect(await codes(session, "zeros.db") == ["E-STORE-NOTDB"])
        #expect(await codes(session, "large.db").isEmpty)
        // With a journal to roll back all of it would have to be copied.
        try Data(repeating: 1, count: 512).write(to: session.file("large.db-journal"))
        #expect(await session.result("store check large.db").failure?.code == "E-STORE-DISK")
    }

    /// Random bytes changed in an intact store: no crash and no writes.
    @Test(.needs(.photos)) func randomDamage() async throws {
        let session = try Fixture.session()
        try Fixture.waypoints(at: session.file("whole.db"))
        let whole = try Data(contentsOf: session.file("whole.db"))
        var random = Xoshiro256(seed: 20_260_206)
        for round in 0..<60 {
            var bytes = whole
            for _ in 0..<(1 + round % 20) {
                bytes[Int.random(in: 16..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            let url = session.file("damaged\(round).db")
            try bytes.write(to: url)
            for line in ["store check", "store show"] {
                let result = await session.result("\(line) damaged\(round).db")
                if let code = result.failure?.code {
                    #expect(code.hasPrefix("E-STORE-"), "round \(round): \(result.text)")
                }
            }
            #expect(try Data(contentsOf: url) == bytes)
        }
    }
}
