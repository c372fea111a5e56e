import Core
import FakeNotebookWorker
import Foundation
import PluginTestKit
import Synchronization
import Testing

@testable import Notebooks

@Suite struct RunnerTests {
    private func run(
        _ text: String, files: [String: String] = [:], beginsToNap: @escaping @Sendable () -> Void = {},
        _ change: (inout NotebookRunner.Options) -> Void = { _ in }
    ) async throws -> NotebookReport {
        let folder = try TemporaryFolder()
        for (name, content) in files { try folder.write(name, content) }
        let file = try folder.write("a.md", text)
        var options = NotebookRunner.Options()
        options.scratch = folder.url.appendingPathComponent("scratch")
        change(&options)
        let factory = FakeFactory(beginsToNap: beginsToNap)
        let report = await NotebookRunner(factory: factory, options: options).run(file, named: "a.md")
        let left = try? FileManager.default.contentsOfDirectory(atPath: folder.path("scratch"))
        #expect(left ?? [] == [], "a workspace was left behind")
        return report
    }

    @Test func sharesOneSessionAndOneFreshWorkspace() async throws {
        let report = try await run(
            "---\nseed: 7\n---\n" + cell("rutter> count", "1", "rutter> write x", "0 files before")
                + cell("rutter> count", "2", "rutter> write y", "1 files before", "rutter> seed", "7"))
        #expect(report.outcome == .passed, "\(TextReport.text(report))")
        #expect(report.cells.map(\.status) == [.passed, .passed])
        #expect(report.cells.allSatisfy { ($0.seconds ?? -1) >= 0 })
    }

    @Test func reportsEveryDifferenceWithItsPlace() async throws {
        let report = try await run(
            cell("rutter> say a", "b", "rutter> say c", "c", "rutter> say d", "e")
                + cell("rutter> say f", "f")
                + cell("rutter> say g", "h"))
        #expect(report.outcome == .failed)
        #expect(report.failures.map(\.line) == [2, 6, 14])
        #expect(report.failures.map(\.cell) == [1, 1, 3])
        #expect(report.failures.map(\.kind) == [.differs, .differs, .differs])
        #expect(report.failures.first?.diff == "--- a.md:3 expected\n+++ actual\n@@ -3,1 +1,1 @@\n-b\n+a")
        #expect(report.cells.map(\.status) == [.failed, .passed, .failed])
        #expect(report.failures.allSatisfy { $0.actual == nil })
    }

    @Test func obeysTheFlags() async throws {
        let report = try await run(
            cell("rutter> say b\\na", "a", "b", flags: "unordered")
                + cell("rutter> say 5", "4", flags: "approx")
                + cell("rutter> say x", "y", flags: "nocheck") + cell("rutter> crash", flags: "norun")
                + cell("rutter> fail E-ONE no", "no", flags: "fails")
                + cell("rutter> say a", "a", "rutter> fail E-ONE no", "no", flags: "fails"))
        #expect(report.outcome == .passed, "\(TextReport.text(report))")
        #expect(report.cells.map(\.status) == [.passed, .passed, .unchecked, .shown, .passed, .passed])
    }

    @Test func failsWhatDoesNotFail() async throws {
        let report = try await run(
            cell("rutter> say a", "a", flags: "fails") + cell("rutter> fail E-TWO bad", "good"))
        #expect(report.failures.map(\.kind) == [.didNotFail, .differs])
        #expect(
            report.failures.map(\.message) == [
                "the cell is marked `fails`, but no command failed", "the command failed with E-TWO",
            ])
        #expect(report.failures.first?.diff == nil)
    }

    @Test("a command that fails in a cell without `fails` fails the cell, whatever the text expects")
    func failuresAreMarked() async throws {
        let report = try await run(
            cell("rutter> fail E-ONE no", "no") + cell("rutter> fail E-TWO no", flags: "nocheck")
                + cell("rutter> fail E-TWO no", "...") + cell("rutter> say a", "a"))
        #expect(report.outcome == .failed)
        #expect(report.cells.map(\.status) == [.failed, .failed, .failed, .passed])
        #expect(report.failures.map(\.kind) == [.failed, .failed, .failed])
        #expect(
            report.failures.first?.message
                == "the command failed with E-ONE; mark the cell `fails` if that is expected")
        #expect(report.failures.first?.diff == "no")
    }

    @Test func capturesBecomeVariables() async throws {
        let report = try await run(
            cell("rutter> say length 6.1km", "length <<d=number>>km", "rutter> get d", "6.1")
                + cell(
                    "rutter> say it's\\t1", "<<t=*>>", "rutter> get t",
                    "\"it's\\t1\"".replacingOccurrences(of: "\\", with: "\\\\"))
                + cell("rutter> say 6.1!", "<<$d>>!"))
        #expect(report.outcome == .passed, "\(TextReport.text(report))")
    }

    @Test(.timeLimit(.minutes(10)))
    func stopsAtAnEntryThatTakesTooLong() async throws {
        let report = try await run(
            "---\ntimeout: 200ms\n---\n" + cell("rutter> say a", "a")
                + cell("rutter> nap", "x", "rutter> say b", "b")
                + cell("rutter> say c", "c"))
        #expect(report.failures.map(\.kind) == [.timeout])
        #expect(report.failures.first?.message == "timeout: the command took longer than 200ms")
        #expect(report.failures.first?.line == 9)
        #expect(report.cells.map(\.status) == [.passed, .failed, .notReached])
    }

    @Test(.timeLimit(.minutes(10)))
    func canBeInterrupted() async throws {
        let (naps, nap) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await run(
                cell("rutter> say a", "a") + cell("rutter> nap") + cell("rutter> say b", "b"),
                beginsToNap: { nap.yield() })
        }
        for await _ in naps { break }
        task.cancel()
        let report = try await task.value
        #expect(report.failures.map(\.kind) == [.interrupted])
        #expect(report.cells.map(\.status).last == .notReached)
    }

    @Test func playsThroughACellInAPresentSession() async throws {
        let notebook = try NotebookParser().parse(
            cell("rutter> count", "1") + cell("rutter> count", "5", "rutter> count", "3")
                + cell("rutter> count", "4"))
        let session = FakeSession()
        let seen = Mutex<[String]>([])
        let cells = try await NotebookPlayer(in: session).play(
            notebook, named: "a.md", through: 2,
            .init { entry, output, failure in
                seen.withLock { $0.append("\(entry.input) \(output.text) \(failure == nil)") }
            })
        #expect(seen.withLock { $0 } == ["count 1 true", "count 2 false", "count 3 true"])
        #expect(cells.map(\.status) == [.passed, .failed])
        #expect(await session.run("count").text == "4")
        #expect(!session.isClosed)
        await #expect(throws: NotebookError.self) {
            try await NotebookPlayer(in: session).play(
                notebook, named: "a.md", through: 4, .init { _, _, _ in })
        }
    }

    @Test func refusesEmptyNotebooks() async throws {
        for text in ["# none\n", cell("rutter> say a", flags: "nocheck")] {
            let report = try await run(text)
            #expect(report.outcome == .failed)
            #expect(report.error?.code == .empty)
        }
    }
}

@Suite struct InputDataTests {
    // `printf x | sha256sum`.
    static let hashOfX = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"

    private func run(
        _ text: String, in folder: TemporaryFolder,
        _ change: (inout NotebookRunner.Options) -> Void = { _ in }
    ) async throws -> NotebookReport {
        var options = NotebookRunner.Options()
        change(&options)
        let file = try folder.write("notes/a.md", text)
        return await NotebookRunner(factory: FakeFactory(), options: options).run(file, named: "a.md")
    }

    @Test func hashesAsOthersDo() throws {
        #expect(Digest.sha256(Array("x".utf8)) == Self.hashOfX)
        // The first test vector of FIPS 180-2, "abc".
        #expect(
            Digest.sha256(Array("abc".utf8))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let folder = try TemporaryFolder()
        let file = try folder.write("x", "x")
        #expect(try Digest.sha256(contentsOf: file) == Self.hashOfX)
    }

    @Test func findsDataBesideTheNotebookOrInTheFolder() async throws {
        let folder = try TemporaryFolder()
        try folder.write("notes/sub/near.txt", "near")
        try folder.write("data/far.txt", "far")
        let text =
            "---\ndata: [sub/near.txt, far.txt]\n---\n"
            + cell("rutter> read sub/near.txt", "near", "rutter> read far.txt", "far")
        let skipped = try await run(text, in: folder)
        #expect(skipped.outcome == .skipped)
        #expect(skipped.reason == "the data file `far.txt` is missing")
        let strict = try await run(text, in: folder) { $0.noSkip = true }
        #expect(strict.outcome == .failed)
        let report = try await run(text, in: folder) {
            $0.dataFolder = folder.url.appendingPathComponent("data")
        }
        #expect(report.outcome == .passed, "\(TextReport.text(report))")
    }

    @Test func skipsWithoutAPlugin() async throws {
        let folder = try TemporaryFolder()
        let report = try await run(
            "---\nrequires: [Routing, Transit]\n---\n" + cell("rutter> say a", "a"), in: folder)
        #expect(report.outcome == .skipped)
        #expect(report.reason == "the plugin `Transit` is missing")
        let present = try await run("---\nrequires: Routing\n---\n" + cell("rutter> say a", "a"), in: folder)
        #expect(present.outcome == .passed)
    }

    @Test func refusesALinkThatLeadsOut() async throws {
        let folder = try TemporaryFolder()
        try folder.write("secret.txt", "secret")
        try folder.write("notes/own.txt", "own")
        for (name, target) in [
            ("out.txt", folder.path("secret.txt")), ("in.txt", folder.path("notes/own.txt")),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path("notes/\(name)"), withDestinationPath: target)
        }
        let report = try await run(
            "---\ndata: out.txt\n---\n" + cell("rutter> read out.txt", "secret"), in: folder)
        #expect(report.error?.code == .data)
        #expect(report.error?.line == 2)
        let inside = try await run(
            "---\ndata: in.txt\n---\n" + cell("rutter> read in.txt", "own"), in: folder)
        #expect(inside.outcome == .passed)
    }

    @Test(
        arguments: [
            // (hash pinned, expected output, content, parts of the notes)
            (hashOfX, "x", "x", []),
            (hashOfX, "y", "x", []),
            (hashOfX, "y", "z", ["input data changed: `d.txt`"]),
            (hashOfX, "z", "z", ["input data changed: `d.txt`"]),
            (nil, "y", "x", ["whether `d.txt` changed is unknown", "{file: d.txt, sha256: \(hashOfX)}"]),
            (nil, "x", "x", []),
        ] as [(String?, String, String, [String])])
    func saysWhatIsToBlame(_ hash: String?, _ expected: String, _ content: String, _ parts: [String])
        async throws
    {
        let folder = try TemporaryFolder()
        try folder.write("notes/d.txt", content)
        let data = hash.map { "{file: d.txt, sha256: \($0)}" } ?? "d.txt"
        let report = try await run(
            "---\ndata: [\(data)]\n---\n" + cell("rutter> read d.txt", expected), in: folder)
        #expect(report.outcome == (expected == content ? .passed : .failed))
        #expect(report.notes.count == min(parts.count, 1))
        for part in parts { #expect(report.notes.joined().contains(part), "\(report.notes)") }
    }
}
