import Foundation
import FoundationXML
import PluginTestKit
import Testing

/// `rutter test` with real workers: its options, and the state after a worker's end or a signal.
@Suite(.timeLimit(.minutes(10)))
struct TestCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ name: String, _ text: String) throws {
        let url = folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func read(_ name: String) throws -> String {
        try String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
    }

    private func cell(_ text: String, title: String = "N") -> String {
        "# \(title)\n\n```rutter\n\(text)\n```\n"
    }

    private func test(_ arguments: String...) throws -> RutterProcess.Outcome {
        try RutterProcess.run(["test"] + arguments, environment: ["CI": ""], folder: folder.url)
    }

    // MARK: Options

    @Test func aFilterChoosesByPathOrTitle() throws {
        try write("a.md", cell("rutter> 1\n1", title: "Lakes"))
        try write("b.md", cell("rutter> 1\n1", title: "Huts"))
        #expect(try test("--filter", "lake").output == "passed   a.md\n1 passed, 0 failed, 0 skipped\n")
        #expect(try test("--filter", "b.md").output.hasPrefix("passed   b.md\n1 passed"))
        #expect(try test("--filter", "xyz").status == 2)
    }

    /// An option of a session says so, and nothing of the parser alone.
    @Test func optionsOfSessionsAreNamed() throws {
        let outcome = try test("--workspace", "w", "a.md")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("fix: leave out --workspace"), "\(outcome.errors)")
    }

    @Test func tapAndJUnit() throws {
        try write("a.md", cell("rutter> 1 + 1\n2"))
        try write("b.md", cell("rutter> 1 + 1\n3"))
        let outcome = try test("--tap", "--junit", "report.xml")
        #expect(outcome.status == 1)
        #expect(outcome.output.hasPrefix("TAP version 14\n1..2\n"), "\(outcome.output)")
        #expect(outcome.output.contains("\nok 1 - a.md"))
        #expect(outcome.output.contains("\nnot ok 2 - b.md"))
        let report = try read("report.xml")
        #expect(XMLParser(data: Data(report.utf8)).parse())
        #expect(report.contains("failures=\"1\""))
    }

    @Test func coverageListsWhatIsUnused() throws {
        try write(
            "a.md", cell("rutter> [1 2] | count\n2\nrutter> expect-error E-UNIT-DIMENSION 2km > 3s\n<<*>>"))
        let outcome = try test("--coverage")
        #expect(outcome.status == 0, "\(outcome.output)")
        let lines = Set(outcome.output.split(separator: "\n"))
        #expect(lines.contains("  sort"))
        #expect(!lines.contains("  count"))
        #expect(lines.contains("  E-SYNTAX-UNFINISHED"))
        #expect(!lines.contains("  E-UNIT-DIMENSION"))
    }

    @Test func readingAndWritingElsewhereMustBeAllowed() throws {
        try write("outside/x.json", "[7]")
        let target = folder.url.appendingPathComponent("outside/y.txt").path
        let source = folder.url.appendingPathComponent("outside/x.json").path
        try write("in/n.md", cell("rutter> open '\(source)' | get 0\n7\nrutter> 'y' | save '\(target)'"))
        let refused = try test("in")
        #expect(refused.status == 1)
        #expect(refused.output.contains("E-FILE-CONFINED"))
        let outside = folder.url.appendingPathComponent("outside").path
        let reading = try test("--allow-read", outside, "in")
        #expect(reading.status == 1)
        #expect(!FileManager.default.fileExists(atPath: target))
        #expect(reading.output.contains("is not allowed here"))
        let both = try test("--allow-read", outside, "--allow-write", outside, "in")
        #expect(FileManager.default.fileExists(atPath: target), "\(both.output)")
        #expect(!both.output.contains("E-FILE-CONFINED"))
    }

    @Test func changedDataIsPinnedAnew() throws {
        try write("d.json", "[1]")
        let stale = String(repeating: "0", count: 64)
        try write(
            "n.md",
            "---\ndata: [{file: d.json, sha256: \(stale)}]\n---\n" + cell("rutter> open d.json | count\n2"))
        let differing = try test()
        #expect(differing.output.contains("input data changed: `d.json`"))
        #expect(try test("--update").output.contains("pinned `d.json` again"))
        // sha256sum of [1]
        #expect(try read("n.md").contains("080a9ed428559ef602668b4c00f114f1a11c3f6b02a435f0bdc154578e4d7f22"))
        #expect(try test().output == "passed   n.md\n1 passed, 0 failed, 0 skipped\n")
    }

    @Test func aNotebookThatRunsItselfIsAnErrorInItsCell() throws {
        try write("self.md", cell("rutter> notebook run self.md"))
        let outcome = try test("self.md")
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("E-NOTEBOOK-RECURSION"), "\(outcome.output)")
    }

    // MARK: Ends

    /// Starts `rutter test` with a scratch folder of its own.
    private func start(_ arguments: String...) throws -> (process: Process, output: URL) {
        let output = folder.url.appendingPathComponent("output.txt")
        try Data().write(to: output)
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("scratch"), withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = RutterProcess.executable
        process.arguments = ["test"] + arguments
        process.currentDirectoryURL = folder.url
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["TMPDIR": folder.url.appendingPathComponent("scratch").path, "CI": ""]) { $1 }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        return (process, output)
    }

    private func eventually(_ what: String, _ condition: () throws -> Bool) throws {
        let deadline = Date(timeIntervalSinceNow: RutterProcess.patience)
        while try !condition() {
            try #require(Date() < deadline, "\(what) did not come")
            usleep(20_000)
        }
    }

    /// The children of a process, according to the kernel.
    private func children(of parent: pid_t) -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { process in
            guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                let end = text.lastIndex(of: ")")
            else { return false }
            return text[end...].split(separator: " ").dropFirst(2).first.flatMap { pid_t($0) } == parent
        }
    }

    private var workspaces: [String] {
        let scratch = folder.url.appendingPathComponent("scratch")
        let runs = (try? FileManager.default.contentsOfDirectory(atPath: scratch.path)) ?? []
        return runs.flatMap { run in
            ((try? FileManager.default.contentsOfDirectory(atPath: scratch.path + "/" + run)) ?? [])
        }
    }

    private static let endless =
        "rutter> 1 + 1\n2\n```\n\n```rutter\nrutter> range 1 1000000000000 | count\n1"

    @Test func aWorkerThatDiesIsReportedAtItsCell() throws {
        try write("a.md", cell("rutter> 1\n1"))
        try write("b.md", cell(Self.endless))
        try write("c.md", cell("rutter> 2\n2"))
        let (process, output) = try start("--jobs", "1")
        try eventually("the second notebook's workspace") {
            try String(contentsOf: output, encoding: .utf8).contains("passed   a.md") && !workspaces.isEmpty
        }
        // Into the second cell: the first takes no time.
        let worker = try #require(children(of: process.processIdentifier).first)
        try RutterProcess.waitUntilBusy(worker)
        kill(worker, SIGSEGV)
        process.waitUntilExit()
        let text = try String(contentsOf: output, encoding: .utf8)
        #expect(process.terminationStatus == 1)
        #expect(text.contains("FAILED   b.md"), "\(text)")
        #expect(text.contains("b.md:9: cell 2: "), "\(text)")
        #expect(text.contains("signal"), "\(text)")
        #expect(text.contains("passed   c.md\n2 passed, 1 failed"), "\(text)")
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func aSignalLeavesNothingBehind(signal: Int32) throws {
        try write("a.md", cell(Self.endless))
        let (process, _) = try start()
        try eventually("the notebook's workspace") { !workspaces.isEmpty }
        let workers = children(of: process.processIdentifier)
        #expect(!workers.isEmpty)
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 130)
        let left = try FileManager.default.contentsOfDirectory(
            atPath: folder.url.appendingPathComponent("scratch").path)
        #expect(left.filter { $0.hasPrefix("rutter-") }.isEmpty, "\(left)")
        #expect(workers.allSatisfy { kill($0, 0) == -1 })
    }

    @Test func watchingRunsWhatChanges() throws {
        try write("a.md", cell("rutter> 1 + 1\n3"))
        let (process, output) = try start("--watch")
        func text() throws -> String { try String(contentsOf: output, encoding: .utf8) }
        try eventually("the first run") { try text().contains("0 passed, 1 failed") }
        try write("a.md", cell("rutter> 1 + 1\n2"))
        try eventually("the second run") { try text().contains("1 passed, 0 failed") }
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationStatus == 130)
    }
}
