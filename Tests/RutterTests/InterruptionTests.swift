import Foundation
import GRDB
import PluginTestKit
import TerminalTestKit
import Testing

/// Ctrl-C while a command works on a store: it stops soon with a message, exits with 130, and changes nothing. Progress is
/// shown meanwhile, on a terminal only.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: PluginFolders.have("Hikes", "Waypoints"), "needs the plugins Hikes and Waypoints"))
struct InterruptionTests {
    private static let interrupt = "\u{03}"
    /// Enough that a debug build works on it for seconds.
    private static let many = 120_000

    private let folder: TemporaryFolder
    private var workspace: String { folder.url.appendingPathComponent("workspace").path }

    init() throws { folder = try TemporaryFolder() }

    private func start(_ entry: String) throws -> PseudoTerminal {
        try PseudoTerminal(
            RutterProcess.executable.path, ["--workspace", workspace, "-c", entry],
            environment: ["HOME": folder.url.path, "TERM": "xterm", "LANG": "C.UTF-8"])
    }

    private func run(_ entry: String) throws -> RutterProcess.Outcome {
        try RutterProcess.run(["--workspace", workspace, "-c", entry], folder: folder.url)
    }

    private func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

    private func writeWaypoints() throws -> String {
        let points = (0..<Self.many).map {
            "<wpt lat=\"\(Double($0 % 300) / 10)\" lon=\"\(Double($0 / 300) / 10)\"><name>\($0)</name></wpt>"
        }
        try Data("<gpx>\(points.joined())</gpx>".utf8).write(
            to: folder.url.appendingPathComponent("many.gpx"))
        return path("many.gpx")
    }

    /// Interrupts a command once its progress shows, and expects that it ends as it should.
    private func interrupt(_ entry: String, showing progress: String) async throws {
        let terminal = try start(entry)
        // On a separate thread: task threads may be busy with other tests while the command runs.
        Thread.detachNewThread {
            let deadline = Date(timeIntervalSinceNow: RutterProcess.patience)
            while !terminal.transcript.contains(progress), Date() < deadline { usleep(1000) }
            terminal.send(Self.interrupt)
        }
        #expect(try await terminal.waitForExit(timeout: 90) == 130, "\(terminal.transcript.suffix(500))")
        #expect(terminal.transcript.contains(progress))
        #expect(terminal.transcript.contains("E-INTERRUPTED"))
        #expect(!terminal.transcript.contains("written to"))
        // The progress line was cleared before the error was shown.
        let last = terminal.transcript.components(separatedBy: "\r\u{1B}[K").last ?? ""
        #expect(last.hasPrefix("error E-INTERRUPTED"), "\(last)")
    }

    @Test func importsExportsAndMaps() async throws {
        let file = try writeWaypoints()
        try await interrupt("import \(file) --as waypoints", showing: "ing waypoints: ")
        #expect(try run("waypoint count").output == "0\n")
        #expect(try run("import \(file) --as waypoints | get waypoints").output == "\(Self.many)\n")
        try await interrupt("waypoint list | reverse | export \(path("out.gpx"))", showing: "s, Ctrl-C stops")
        try await interrupt("map show", showing: "s, Ctrl-C stops")
        try await interrupt("map show --out \(path("out.svg"))", showing: "s, Ctrl-C stops")
        try await interrupt("waypoint near 10,10 --radius 20000km | count", showing: "s, Ctrl-C stops")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!left.contains { $0.hasPrefix("out.") }, "\(left)")
        #expect(try run("waypoint count").output == "\(Self.many)\n")
    }

    @Test func anImportOfAHike() async throws {
        let points = (0..<Self.many * 4).map {
            "<trkpt lat=\"\(Double($0) / 10_000)\" lon=\"1\"><ele>\($0 % 900)</ele></trkpt>"
        }
        try Data("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>".utf8).write(
            to: folder.url.appendingPathComponent("walk.gpx"))
        try await interrupt("import \(path("walk.gpx"))", showing: "s, Ctrl-C stops")
        #expect(try run("hike list | count").output == "0\n")
    }

    @Test func waitingForTheLockOfAnotherProgram() async throws {
        #expect(try run("waypoint add 1,1 --label before").status == 0)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: workspace + "/waypoints.db", configuration: configuration)
        try await other.writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
        try await interrupt("waypoint add 2,2", showing: "s, Ctrl-C stops")
        try await other.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
        #expect(try run("waypoint list | get label").output == "before\n")
    }

    @Test func watchingAStore() async throws {
        #expect(try run("waypoint add 1,1 --label before").status == 0)
        try await interrupt("store watch waypoints.db", showing: "s, Ctrl-C stops")
        // On a terminal a row is shown when it comes, not at the end.
        let terminal = try start("store watch waypoints.db | where field == label | select change after")
        try await terminal.waitFor("s, Ctrl-C stops")
        #expect(try run("waypoint add 2,2 --label Ford").status == 0)
        try await terminal.waitFor("inserted  Ford")
        terminal.send(Self.interrupt)
        #expect(try await terminal.waitForExit() == 130)
    }

    /// A reader of a pipe has each row when it comes.
    @Test func watchingAStoreInAPipe() throws {
        #expect(try run("waypoint add 1,1 --label before").status == 0)
        let process = Process()
        process.executableURL = RutterProcess.executable
        process.arguments = [
            "--workspace", workspace, "-c", "store watch waypoints.db | where field == label",
        ]
        let output = folder.url.appendingPathComponent("rows")
        try Data().write(to: output)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        let deadline = Date(timeIntervalSinceNow: RutterProcess.patience)
        var added = 0
        // Nothing is shown before it watches: earlier writes are not its changes.
        while try Data(contentsOf: output).isEmpty, Date() < deadline {
            added += 1
            #expect(try run("waypoint add 2,2 --label Ford\(added)").status == 0)
        }
        let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
        #expect(text.hasPrefix("commit\ttable\t") && text.contains("\tinserted\tlabel\t\tFord"), "\(text)")
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationStatus == 130)
    }

    @Test func rowsAreCountedAsTheyPass() async throws {
        let terminal = try start("range 1 1000000000000 | where it < 0 | count")
        try await terminal.waitFor(" rows, ")
        terminal.send(Self.interrupt)
        #expect(try await terminal.waitForExit() == 130)
    }

    @Test func aQuickCommandShowsNoProgress() async throws {
        let terminal = try start("1 + 1")
        #expect(try await terminal.waitForExit() == 0)
        #expect(terminal.transcript == "2\r\n")
    }

    @Test func noProgressInAPipe() throws {
        // Long enough for a terminal to show some.
        let outcome = try run("range 1 300000 | where it < 0 | count")
        #expect(outcome.output == "0\n")
        #expect(outcome.errors == "")
    }

    @Test func notebooksShowHowManyHaveRun() async throws {
        try Data("```rutter\nrutter> range 1 1000000000000 | count\n1\n```\n".utf8).write(
            to: folder.url.appendingPathComponent("long.md"))
        let terminal = try PseudoTerminal(
            RutterProcess.executable.path, ["test", path("long.md")],
            environment: ["HOME": folder.url.path, "TERM": "xterm", "TMPDIR": folder.url.path])
        try await terminal.waitFor("running notebooks: 0 of 1 (0%), ")
        terminal.send(Self.interrupt)
        #expect(try await terminal.waitForExit() == 130)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!left.contains { $0.hasPrefix("rutter-test-") }, "\(left)")
    }
}
