import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import ForeignPlugins

/// A plugin runs only as the files that were trusted.
@Suite(.patient, .timeLimit(.minutes(10)))
struct TrustTests {
    /// A plugin that leaves a file where it ran.
    private func witness(_ session: ForeignSession) throws -> URL {
        let witness = session.url("it-ran")
        try session.write("plugins/hostile", command: ["sh", "main.sh"])
        let program = ForeignSession.program("hostile-plugin")
        try Data("touch '\(witness.path)'\nexec '\(program)'\n".utf8).write(
            to: session.url("plugins/hostile/main.sh"))
        return witness
    }

    @Test func whatIsNotTrustedNeverRuns() async throws {
        let session = try ForeignSession()
        let witness = try witness(session)
        for entry in [
            "plugin list", "help", "help commands", "help hostile", "plugin load hostile",
            "plugin test hostile",
            "hostile do", "hostile do --help", "hostile --help", "help 'hostile do'",
            "plugin load hostile --help", "reference", "explain E-HOSTILE-X", "plugin unload hostile",
            "plugin load hostile; hostile do",
        ] { await session.test.run(entry) }
        _ = await session.test.session.completions(of: "hostile do --word ")
        #expect(!FileManager.default.fileExists(atPath: witness.path))
        let unknown = await session.test.result("hostile do")
        #expect(unknown.failure?.code == "E-COMMAND-UNKNOWN")
        #expect(
            unknown.text.contains("the plugin `hostile` is installed and not trusted")
                && unknown.text.contains("plugin trust hostile"), "\(unknown.text)")
        #expect(
            await session.test.run("plugin list | where status != 'built-in' | get status") == "untrusted")
    }

    @Test func aFileThatChangedAsksAgain() async throws {
        let session = try ForeignSession()
        let witness = try witness(session)
        try await session.test.value("plugin trust hostile")
        try await session.test.value("plugin load hostile")
        #expect(await session.test.run("hostile do | to json") == "null")
        #expect(FileManager.default.fileExists(atPath: witness.path))
        await session.test.session.close()
        try FileManager.default.removeItem(at: witness)
        // An additional file is a change, too: Python would import it.
        try Data("x".utf8).write(to: session.url("plugins/hostile/other.py"))
        let again = try session.again()
        let result = await again.run("hostile do")
        #expect(result.failure?.code == "E-PLUGIN-UNTRUSTED", "\(result.text)")
        #expect(result.text.contains("changed since it was trusted: other.py is new"), "\(result.text)")
        #expect(!FileManager.default.fileExists(atPath: witness.path))
        #expect(await again.run("plugin list | where status != 'built-in' | get status").text == "changed")
        #expect(await again.run("plugin test hostile").failure?.code == "E-PLUGIN-UNTRUSTED")
        try FileManager.default.removeItem(at: session.url("plugins/hostile/other.py"))
        #expect(await again.run("hostile do | to json").text == "null")
        #expect(await again.run("plugin trust hostile --revoke").failure == nil)
        #expect(await again.run("plugin load hostile").failure?.code == "E-PLUGIN-UNTRUSTED")
        await again.close()
    }

    /// The error names what changed: edited, added, deleted, made executable, and how many more.
    @Test func theFilesThatChangedAreNamed() async throws {
        let session = try ForeignSession()
        try session.script(ForeignSession.command(), ["a.txt": "a", "b.txt": "b"])
        try await session.test.value("plugin trust ./hostile")
        func message() async -> String {
            await session.test.result("plugin load ./hostile").failure?.message ?? "loaded"
        }
        let folder = session.url("hostile")
        try Data("x".utf8).write(to: folder.appendingPathComponent("a.txt"))
        #expect(await message().hasSuffix("since it was trusted: a.txt changed"))
        try FileManager.default.removeItem(at: folder.appendingPathComponent("b.txt"))
        #expect(await message().hasSuffix(": a.txt changed, b.txt is gone"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.appendingPathComponent("plugin.json").path)
        try Data().write(to: folder.appendingPathComponent("cache.log"))
        #expect(await message().hasSuffix(": a.txt changed, b.txt is gone, cache.log is new and 1 more"))
    }

    /// A folder may have another name than its plugin, and a copy that is installed is found by its plugin's name.
    @Test func anInstalledCopyIsTrusted() async throws {
        let session = try ForeignSession()
        try session.script(ForeignSession.command())
        try await session.test.value("plugin trust ./hostile")
        try FileManager.default.createDirectory(
            at: session.url("plugins"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: session.url("hostile"), to: session.url("plugins/horizon"))
        #expect(await session.test.run("plugin list | where status != 'built-in' | get status") == "trusted")
        #expect(await session.test.run("plugin load hostile") == "loaded hostile 1.0")
        #expect(await session.test.result("hostile do").failure == nil)
        await session.test.session.close()
    }

    /// Trust belongs to the files, in whatever folder they are.
    @Test func aCopyIsTrusted() async throws {
        let session = try await ForeignSession.hostile("good")
        try await session.test.value("plugin unload hostile")
        let copy = session.url("else/hostile")
        try FileManager.default.createDirectory(
            at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: session.url("hostile"), to: copy)
        #expect(await session.test.run("plugin load ./else/hostile; hostile do | to json").hasSuffix("null"))
        try await session.test.value("plugin unload hostile")
        try await session.test.value("plugin trust ./else/hostile --revoke")
        #expect(await session.test.result("plugin load ./hostile").failure?.code == "E-PLUGIN-UNTRUSTED")
        try await session.test.value("plugin trust ./hostile")
        try Data("x".utf8).write(to: copy.appendingPathComponent("more"))
        #expect(await session.test.result("plugin load ./else/hostile").failure?.code == "E-PLUGIN-UNTRUSTED")
        await session.test.session.close()
    }

    @Test func whatIsTrustedNoMoreIsEnded() async throws {
        let session = try await ForeignSession.hostile("good")
        #expect(await session.test.run("hostile do | to json") == "null")
        #expect(!session.leftovers().isEmpty)
        try await session.test.value("plugin trust ./hostile --revoke")
        #expect(session.leftovers().isEmpty)
        #expect(await session.test.result("hostile do").failure?.code == "E-COMMAND-UNKNOWN")
        await session.test.session.close()
    }

    /// A notebook's own front matter is not a permission, even in a session whose user may run plugins.
    @Test func aNotebookInASessionNeedsLeave() async throws {
        let session = try ForeignSession()
        let witness = try witness(session)
        let cells = "```rutter\nrutter> plugin trust ../plugins/hostile | get plugin\nhostile\n```\n"
        try FileManager.default.createDirectory(at: session.url("books"), withIntermediateDirectories: true)
        try Data(("# N\n\n" + cells).utf8).write(to: session.url("books/n.md"))
        for entry in ["notebook run books/n.md", "notebook test books/n.md"] {
            #expect(await session.test.result(entry).failure?.code == "E-NOTEBOOK-DIFFERS")
            #expect(!FileManager.default.fileExists(atPath: witness.path))
        }
        #expect(await session.test.run("notebook run books/n.md").contains("E-PLUGIN-CONFINED"))
        await session.test.session.close()
    }

    @Test func aNotebookNeedsLeave() async throws {
        let session = try ForeignSession()
        _ = try witness(session)
        let notebook =
            "---\nplugins: [../plugins/hostile]\n---\n# N\n\n```rutter\nrutter> hostile do | to json\nnull\n```\n"
        try FileManager.default.createDirectory(at: session.url("books"), withIntermediateDirectories: true)
        try Data(notebook.utf8).write(to: session.url("books/n.md"))
        let without = try RutterProcess.run(["test", "books/n.md"], folder: session.url("."))
        #expect(without.output.contains("skipped"), "\(without.output)")
        #expect(without.output.contains("--allow-plugins"), "\(without.output)")
    }
}
