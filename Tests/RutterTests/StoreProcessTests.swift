import Foundation
import GRDB
import PluginTestKit
import Testing

/// Several processes at one workspace, and a process that is killed.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: PluginFolders.have("Waypoints"), "needs the plugin Waypoints"))
struct StoreProcessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var workspace: String { folder.url.appendingPathComponent("workspace").path }

    private func entries(_ writer: String, _ count: Int) -> String {
        (0..<count).map { "waypoint add 46.5,7.9 --label \(writer)-\($0) | get label\n" }.joined()
    }

    /// A process that runs entries from a file, its output in a file.
    private func start(_ name: String, entries: String) throws -> (process: Process, output: URL) {
        let input = folder.url.appendingPathComponent("\(name).in")
        let output = folder.url.appendingPathComponent("\(name).out")
        try Data(entries.utf8).write(to: input)
        try Data().write(to: output)
        let process = Process()
        process.executableURL = RutterProcess.executable
        process.arguments = ["--workspace", workspace]
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: output)
        try process.run()
        return (process, output)
    }

    private func lines(_ url: URL) throws -> [String] {
        try String(decoding: Data(contentsOf: url), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func run(_ entry: String) throws -> RutterProcess.Outcome {
        try RutterProcess.run(["--workspace", workspace, "-c", entry])
    }

    @Test func processesThatWriteAtOnceLoseNothing() throws {
        // The first of them makes the store; none waits for another to have done so.
        let writers = try ["a", "b", "c"].map { try start($0, entries: entries($0, 60)) }
        for writer in writers {
            writer.process.waitUntilExit()
            let printed = try lines(writer.output)
            #expect(writer.process.terminationStatus == 0, "\(printed.suffix(3))")
            #expect(printed.count == 60)
        }
        #expect(try run("waypoint count").output == "180\n")
    }

    @Test(arguments: [5, 200, 600]) func aKilledWriterLosesNothingThatItAcknowledged(acknowledged: Int) throws
    {
        let writer = try start("a", entries: entries("a", 1000))
        let deadline = Date(timeIntervalSinceNow: RutterProcess.patience)
        while try lines(writer.output).count < acknowledged, Date() < deadline { usleep(500) }
        kill(writer.process.processIdentifier, SIGKILL)
        writer.process.waitUntilExit()
        #expect(writer.process.terminationReason == .uncaughtSignal)
        let printed = try lines(writer.output).filter { $0.hasPrefix("a-") }
        #expect(printed.count >= acknowledged && printed.count < 1000)
        let outcome = try run("waypoint list | select label | to csv")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let stored = Set(outcome.output.split(whereSeparator: \.isNewline).map(String.init))
        #expect(stored.isSuperset(of: printed))
        // At most the one that was under way had not been printed yet.
        #expect(stored.count <= printed.count + 2, "with the line of the column's name")
        let check = try RutterProcess.shell(
            "sqlite3", [workspace + "/waypoints.db", "PRAGMA integrity_check"])
        #expect(check == nil || check == "ok\n")
    }

    /// Sums of hikes say what they left out.
    @Test(
        .enabled(if: PluginFolders.have("Hikes"), "needs the plugin Hikes"),
        arguments: ["hike stats", "hike stats --by year", "hike calendar 2026"])
    func aHikeThatCannotBeReadIsMissedAloud(entry: String) throws {
        let file = folder.url.appendingPathComponent("walks.gpx")
        let walks = [1, 2].map { day in
            let time = "2026-06-0\(day)T08:00:0"
            return
                "<trk><name>Walk \(day)</name><trkseg><trkpt lat='46.5' lon='7.9'><time>\(time)0Z</time></trkpt>"
                + "<trkpt lat='46.501' lon='7.9'><time>\(time)9Z</time></trkpt></trkseg></trk>"
        }
        try Data("<gpx>\(walks.joined())</gpx>".utf8).write(to: file)
        #expect(try run("import \(file.path)").status == 0)
        let queue = try DatabaseQueue(path: workspace + "/routes.db")
        try queue.write {
            try $0.execute(sql: "UPDATE saved_routes SET start_time = 'yesterday' WHERE name = 'Walk 2'")
        }
        try queue.close()
        let outcome = try run(entry)
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("1 row of routes.db cannot be read and is skipped: row "))
    }

    /// One bad row never hides the others: each command shows these, and says what it left out.
    @Test func aRowThatCannotBeReadIsReportedAndTheOthersAreThere() throws {
        for label in ["Church", "Hut", "Peak"] {
            #expect(try run("waypoint add 46.5,7.9 --label \(label)").status == 0)
        }
        let store = workspace + "/waypoints.db"
        let queue = try DatabaseQueue(path: store)
        try queue.write {
            try $0.execute(sql: "UPDATE waypoints SET timestamp = 'yesterday' WHERE label = 'Church'")
        }
        try queue.close()
        let gpx = folder.url.appendingPathComponent("out.gpx").path
        for (entry, shown) in [
            ("waypoint near 46.5,7.9 --radius 1km | get label | sort", "Hut\nPeak\n"),
            ("waypoint list | export \(gpx)", "489 bytes written to out.gpx\n"),
            ("waypoint show Hut | get label", "Hut\n"),
        ] {
            let outcome = try run(entry)
            #expect(outcome.status == 0 && outcome.output == shown, "\(entry): \(outcome)")
            if entry.contains("show") { continue }
            let notice =
                entry.contains("export")
                ? "rows that cannot be read are skipped (1): "
                : "1 row of waypoints.db cannot be read and is skipped: row 1: "
            #expect(outcome.errors.split(separator: notice, omittingEmptySubsequences: false).count == 2)
        }
        #expect(try String(contentsOfFile: gpx, encoding: .utf8).split(separator: "<wpt").count == 1 + 2)
        // One with an invalid coordinate may be near, too.
        let other = try DatabaseQueue(path: store)
        try other.write {
            try $0.execute(sql: "UPDATE waypoints SET latitude = 'north' WHERE label = 'Hut'")
        }
        try other.close()
        let outcome = try run("waypoint near 46.5,7.9 --radius 1km | get label")
        #expect(outcome.output == "Peak\n" && outcome.errors.contains("row 2: "), "\(outcome)")
    }

    @Test func aFullDiskIsAnErrorAndNothingIsLost() throws {
        #expect(try run("waypoint add 1,1 --label before").status == 0)
        // A file size limit simulates a full disk: SQLite's writes fail in the same way.
        let gpx = folder.url.appendingPathComponent("many.gpx")
        let points = (0..<30_000).map {
            "<wpt lat=\"1\" lon=\"\(Double($0) / 1000)\"><name>\($0)</name></wpt>"
        }
        try Data("<gpx>\(points.joined())</gpx>".utf8).write(to: gpx)
        let (status, text) = try limited(to: 1500, "import \(gpx.path) --as waypoints")
        #expect(status == 1)
        #expect(text.contains("error E-STORE-DISK"), "\(text)")
        #expect(try run("waypoint list | get label").output == "before\n")
        #expect(try run("import \(gpx.path) --as waypoints").status == 0)
    }

    /// With too few open files an installed library is not said to be missing.
    @Test func fewOpenFilesAreNoMissingLibrary() throws {
        let gpx = folder.url.appendingPathComponent("few.gpx")
        try Data("<gpx><wpt lat=\"1\" lon=\"2\"/></gpx>".utf8).write(to: gpx)
        var refused: [String] = []
        for count in 8...14 {
            let (status, text) = try limited(by: "ulimit -n \(count)", "import \(gpx.path) --dry-run")
            #expect(status == 0 || status == 1, "\(count): \(status) \(text)")
            if status != 0 { refused.append(text) }
        }
        #expect(!refused.isEmpty)
        for text in refused { #expect(!text.contains("not installed"), "\(text)") }
    }

    /// Runs an entry while no file may be longer than a number of KiB.
    private func limited(to size: Int, _ entry: String) throws -> (status: Int32, errors: String) {
        try limited(by: "ulimit -f \(size); trap '' XFSZ", entry)
    }

    /// Runs an entry under a limit of the shell.
    private func limited(by limit: String, _ entry: String) throws -> (status: Int32, errors: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = [
            "-c", "\(limit); exec \"$0\" --workspace \"$1\" -c \"$2\"",
            RutterProcess.executable.path, workspace, entry,
        ]
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    /// Output that does not fit leaves the old file, and nothing beside it.
    @Test func aFullDiskKeepsTheFileThatWasToBeReplaced() throws {
        let out = folder.url.appendingPathComponent("out")
        try FileManager.default.createDirectory(at: out, withIntermediateDirectories: false)
        let file = out.appendingPathComponent("numbers.csv")
        try Data("old".utf8).write(to: file)
        let (status, text) = try limited(to: 16, "range 1 100000 | save \(file.path) --force")
        #expect(status == 1)
        #expect(text.contains("error E-FILE-ACCESS"), "\(text)")
        #expect(text.contains("numbers.csv cannot be written: File too large"), "\(text)")
        #expect(try String(contentsOf: file, encoding: .utf8) == "old")
        #expect(try FileManager.default.contentsOfDirectory(atPath: out.path) == ["numbers.csv"])
    }

    @Test func aWorkspaceThatMayNotBeWritten() throws {
        #expect(try run("waypoint add 1,1 --label before").status == 0)
        let file = folder.url.appendingPathComponent("file")
        try Data().write(to: file)
        let outcome = try RutterProcess.run(["--workspace", file.path + "/inside", "-c", "waypoint list"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("error E-WORKSPACE"))
    }
}
