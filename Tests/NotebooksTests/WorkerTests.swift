import FakeNotebookWorker
import Foundation
import PluginTestKit
import Synchronization
import Testing

@testable import Notebooks

@Suite(.serialized, .timeLimit(.minutes(10))) struct WorkerTests {
    private static let quick: NotebookLimits = {
        var limits = NotebookLimits()
        limits.killGrace = .seconds(1)
        return limits
    }()

    private func run(
        _ notebooks: [String: String], worker: WorkerCommand = fakeWorker(),
        limits: NotebookLimits = Self.quick,
        _ change: (inout TestOptions, TemporaryFolder) -> Void = { _, _ in }
    ) async throws -> (status: Int32, text: String, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        for (name, text) in notebooks { try folder.write(name, text) }
        var options = TestOptions()
        options.paths = [folder.url.path]
        options.jobs = 2
        change(&options, folder)
        let sink = Sink()
        let status = await TestRun(
            options: options, worker: worker,
            surroundings: .init(print: sink.print, environment: [:]), limits: limits
        ).run()
        return (status, sink.text.replacingOccurrences(of: folder.url.path + "/", with: ""), folder)
    }

    @Test func findsNotebooksInFolders() async throws {
        let good = cell("rutter> say a", "a")
        let (status, text, _) = try await run([
            "b.md": good, "a.md": good, "sub/c.md": good, "d.txt": good, "readme.md": "nothing",
            ".hidden/e.md": good, "node_modules/x/f.md": good, "sub/g.markdown": good,
        ])
        #expect(status == 0)
        #expect(
            text == """
                no cells  readme.md
                passed   a.md
                passed   b.md
                passed   sub/c.md
                passed   sub/g.markdown
                4 passed, 0 failed, 0 skipped
                """)
    }

    /// As before a commit, where all Markdown files that change are named.
    @Test func namedFilesWithoutCellsCanBePassedOver() async throws {
        let files = ["a.md": cell("rutter> say a", "a"), "readme.md": "nothing"]
        let (status, text, _) = try await run(files) { options, folder in
            options.paths = [folder.path("a.md"), folder.path("readme.md")]
            options.skipsPlain = true
        }
        #expect(status == 0)
        #expect(text == "no cells  readme.md\npassed   a.md\n1 passed, 0 failed, 0 skipped")
        let (plain, _, _) = try await run(files) { options, folder in
            options.paths = [folder.path("readme.md")]
            options.skipsPlain = true
        }
        #expect(plain == 0)
        let (named, _, _) = try await run(files) { options, folder in
            options.paths = [folder.path("readme.md")]
        }
        #expect(named == 1)
    }

    @Test func oneFileByTwoNamesIsOneNotebook() async throws {
        let (status, text, _) = try await run(["a.md": cell("rutter> say a", "a")]) { options, folder in
            options.paths = [folder.path("a.md"), folder.url.path + "/./a.md", folder.url.path]
        }
        #expect(status == 0)
        #expect(text.hasSuffix("1 passed, 0 failed, 0 skipped"))
    }

    @Test func whatIsNoRegularFileIsRefusedAtOnce() async throws {
        let (status, text, _) = try await run([:]) { options, folder in
            mkfifo(folder.path("pipe.md"), 0o600)
            options.paths = ["/dev/zero", folder.path("pipe.md")]
        }
        #expect(status == 1)
        #expect(text.contains("E-NOTEBOOK-FILE: zero is not a regular file"))
        #expect(text.contains("E-NOTEBOOK-FILE: pipe.md is not a regular file"))
    }

    @Test func progressIsToldAsNotebooksEnd() async throws {
        let folder = try TemporaryFolder()
        for name in ["a.md", "b.md"] { try folder.write(name, cell("rutter> say a", "a")) }
        var options = TestOptions()
        options.paths = [folder.url.path]
        let sink = Sink()
        _ = await TestRun(
            options: options, worker: fakeWorker(),
            surroundings: .init(
                print: { _ in }, progress: { sink.print($0.map { "\($0.done)/\($0.total)" } ?? "end") },
                environment: [:])
        ).run()
        #expect(sink.text.hasPrefix("0/2\n"))
        #expect(sink.text.hasSuffix("2/2\nend"))
    }

    @Test func printsTheSameTextEveryTime() async throws {
        let notebooks = [
            "b.md": cell("rutter> say a", "a"), "c.md": cell("rutter> say a", "b"),
            "z.md": "---\ndata: x\n---\n" + cell("rutter> say a", "a"), "e.md": "```rutter\n",
        ]
        let expected = """
            passed   b.md
            FAILED   c.md
              c.md:2: cell 1: the output differs
                rutter> say a
                --- c.md:3 expected
                +++ actual
                @@ -3,1 +1,1 @@
                -b
                +a
            FAILED   e.md
              e.md:1: E-NOTEBOOK-CELL: the cell is not closed; end it with ```
            skipped  z.md: the data file `x` is missing
            1 passed, 2 failed, 1 skipped
            """
        for jobs in [1, 2, 4] {
            let (status, text, _) = try await run(notebooks) { options, _ in options.jobs = jobs }
            #expect(status == 1)
            #expect(text == expected)
        }
    }

    @Test func aCrashCostsOneNotebook() async throws {
        let crash =
            cell("rutter> say a", "b") + cell("rutter> say c", "c")
            + cell("rutter> count", "1", "rutter> crash", "rutter> say d", "d") + cell("rutter> say e", "e")
        let good = cell("rutter> count", "1")
        let (status, text, folder) = try await run(["a.md": good, "b.md": crash, "c.md": good]) {
            options, folder in
            options.jobs = 1
            options.junit = folder.url.appendingPathComponent("junit.xml")
        }
        #expect(status == 1)
        #expect(text.contains("b.md:12: cell 3: the worker was terminated by signal 6 (Aborted)"), "\(text)")
        #expect(text.contains("b.md:2: cell 1: the output differs"))
        #expect(text.contains("the last words"))
        #expect(text.hasPrefix("passed   a.md\nFAILED   b.md\n"))
        #expect(text.hasSuffix("passed   c.md\n2 passed, 1 failed, 0 skipped"))
        let junit = try folder.read("junit.xml").replacingOccurrences(of: folder.url.path + "/", with: "")
        #expect(
            junit.contains(#"<testsuite name="b.md" tests="4" failures="1" errors="1" skipped="1""#),
            "\(junit)")
    }

    @Test func aHangCostsOneNotebook() async throws {
        let hang = "---\ntimeout: 200ms\n---\n" + cell("rutter> say a", "a") + cell("rutter> hang")
        let (status, text, _) = try await run(["a.md": hang, "b.md": cell("rutter> count", "1")]) {
            options, _ in
            options.jobs = 1
        }
        #expect(status == 1)
        #expect(
            text.contains(
                "a.md:9: cell 2: timeout: the command took longer than 200ms and was ended with its worker"),
            "\(text)")
        #expect(text.hasSuffix("passed   b.md\n1 passed, 1 failed, 0 skipped"))
    }

    @Test func aCommandThatCanBeCancelledKeepsItsWorker() async throws {
        let nap = "---\ntimeout: 200ms\n---\n" + cell("rutter> nap")
        let (_, text, _) = try await run(["a.md": nap])
        #expect(text.contains("a.md:5: cell 1: timeout: the command took longer than 200ms\n"), "\(text)")
    }

    @Test func printingDoesNotDisturbTheProtocol() async throws {
        let (status, text, _) = try await run(["a.md": cell("rutter> print {\"done\":1}", "printed")])
        #expect(status == 0, "\(text)")
    }

    @Test func endsWhatACrashedWorkerStarted() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("pid")
        _ = try await run(["a.md": cell("rutter> orphan \(file)")])
        let id = try #require(pid_t(try folder.read("pid")))
        var isGone = false
        for _ in 0..<100 where !isGone {
            isGone = kill(id, 0) != 0 || Self.isZombie(id)
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(isGone)
    }

    private static func isZombie(_ id: pid_t) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
        return status?.contains(") Z ") ?? true
    }

    @Test(arguments: [
        ("garbage", "invalid report from the worker: Segmentation fault?"),
        ("exit", "the worker ended with status 3"), ("silent", "took longer than 1s to open or close"),
        ("other-version", "another version of the protocol"),
        ("endless", "invalid report from the worker"),
    ])
    func aWorkerThatIsNoneIsReported(_ argument: String, _ part: String) async throws {
        var limits = Self.quick
        limits.workerLineBytes = 1 << 20
        if argument == "silent" { limits.setUpTimeout = .seconds(1) }
        let (status, text, _) = try await run(
            ["a.md": cell("rutter> say a", "a"), "b.md": cell("rutter> say a", "a")],
            worker: fakeWorker(argument),
            limits: limits)
        #expect(status == 1)
        #expect(text.components(separatedBy: part).count == 3, "\(text)")
        #expect(text.hasSuffix("0 passed, 2 failed, 0 skipped"))
    }

    @Test func aWorkerStartedByHandWritesToNobodysFile() async throws {
        let folder = try TemporaryFolder()
        let content = String(repeating: "x", count: 8192)
        try folder.write("own.txt", content)
        let file = try folder.write("a.md", cell("rutter> say a", "a"))
        let job = WorkerJob(id: 1, file: file.path, name: "a.md", scratch: folder.url.path)
        try folder.write("job", String(decoding: WorkerLine.encode(job), as: UTF8.self))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c",
            "cd '\(folder.url.path)'; (cat job; sleep 1) | '\(fakeWorker().executable)' 3<>own.txt >out",
        ]
        try process.run()
        process.waitUntilExit()
        #expect(try folder.read("out").contains("\"passed\""))
        #expect(try folder.read("own.txt") == content)
    }

    @Test func aMissingWorkerIsReported() async throws {
        let (status, text, _) = try await run(
            ["a.md": cell("rutter> say a", "a")],
            worker: WorkerCommand(executable: "/no/such/worker", arguments: []))
        #expect(status == 1)
        #expect(text.contains("`/no/such/worker` cannot be started: No such file or directory"), "\(text)")
    }

    @Test func cancellingKillsTheWorkers() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("pid")
        // A shell that prints its process id and then becomes the worker.
        let shell = WorkerCommand(
            executable: "/bin/sh",
            arguments: ["-c", "echo $$ > '\(file)'; exec '\(fakeWorker().executable)'"])
        let task = Task { try await run(["a.md": cell("rutter> hang")], worker: shell) }
        var id: pid_t?
        for _ in 0..<200 where id == nil {
            try await Task.sleep(for: .milliseconds(20))
            id = (try? folder.read("pid")).flatMap {
                pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines))
            }
        }
        let worker = try #require(id)
        func name() -> String? { try? String(contentsOfFile: "/proc/\(worker)/comm", encoding: .utf8) }
        while name()?.hasPrefix("FakeNotebook") == false { try await Task.sleep(for: .milliseconds(5)) }
        #expect(kill(worker, 0) == 0)
        task.cancel()
        let (status, text, _) = try await task.value
        #expect(status == 130)
        #expect(text == "interrupted")
        #expect(kill(worker, 0) != 0)
    }

    @Test func aWorkerEndsWhenNobodyWaitsForItAnyMore() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("a.md", cell("rutter> hang"))
        let job = WorkerJob(id: 1, file: file.path, name: "a.md", scratch: folder.url.path)
        let process = Process()
        let input = Pipe()
        process.executableURL = URL(fileURLWithPath: fakeWorker().executable)
        process.standardInput = input
        process.standardOutput = Pipe()
        process.standardError = Pipe()
        try process.run()
        input.fileHandleForWriting.write(Data(WorkerLine.encode(job)))
        try input.fileHandleForWriting.close()
        for _ in 0..<200 where process.isRunning { try await Task.sleep(for: .milliseconds(20)) }
        #expect(!process.isRunning)
        process.terminate()
    }
}
