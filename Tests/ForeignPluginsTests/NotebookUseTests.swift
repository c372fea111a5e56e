import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import ForeignPlugins

/// Notebooks that name plugins, and sessions that are saved as such.
@Suite(.patient, .timeLimit(.minutes(10)))
struct NotebookUseTests {
    private static let cell = "# N\n\n```rutter\nrutter> hostile do\n1\n```\n"

    /// A folder with a plugin that is trusted, and a notebook in another folder that names it.
    private func prepared(_ plugins: String) async throws -> ForeignSession {
        let session = try ForeignSession()
        try session.script(ForeignSession.command(), ["result.json": #"{"value":1}"#])
        try FileManager.default.createDirectory(at: session.url("books"), withIntermediateDirectories: true)
        try Data("---\nplugins: [\(plugins)]\n---\n\(Self.cell)".utf8).write(to: session.url("books/n.md"))
        return session
    }

    private func rutter(_ session: ForeignSession, _ arguments: String...) throws -> RutterProcess.Outcome {
        try RutterProcess.run(
            arguments, environment: ["XDG_DATA_HOME": session.url("home").path], folder: session.url("."))
    }

    /// `notebook run` loads the plugins that the front matter lists, only with permission.
    @Test func aNotebookRunsInASession() async throws {
        let session = try await prepared("../hostile")
        try await session.test.value("plugin trust ./hostile")
        let without = await session.test.result("notebook run books/n.md")
        #expect(without.failure?.code == "E-PLUGIN-CONFINED", "\(without.text)")
        #expect(without.text.contains("--allow-plugins"), "\(without.text)")
        let with = await session.test.result("notebook run books/n.md --allow-plugins")
        #expect(with.failure == nil, "\(with.text)")
        #expect(with.text.hasSuffix("1 cell ran, all as expected"), "\(with.text)")
        #expect(await session.test.run("hostile do") == "1")
        await session.test.session.close()
    }

    /// An untrusted, a changed and a missing plugin each result in one sentence with its code and fix.
    @Test func whatCannotBeLoadedIsSaid() async throws {
        let session = try await prepared("../hostile")
        func output() throws -> String {
            let outcome = try rutter(session, "test", "--allow-plugins", "books/n.md")
            #expect(outcome.status != 0)
            return outcome.output + outcome.errors
        }
        let untrusted = try output()
        #expect(untrusted.contains("E-PLUGIN-UNTRUSTED: the plugin `hostile` is not trusted"), "\(untrusted)")
        #expect(untrusted.contains("plugin trust") && !untrusted.contains("RutterError("), "\(untrusted)")
        #expect(try rutter(session, "-c", "plugin trust ./hostile").status == 0)
        #expect(try rutter(session, "test", "--allow-plugins", "books/n.md").status == 0)
        try Data("x".utf8).write(to: session.url("hostile/cache"))
        #expect(try output().contains("changed since it was trusted: cache is new"))
        try FileManager.default.removeItem(at: session.url("hostile"))
        #expect(try output().contains("E-FILE-MISSING"))
    }

    /// A plugin that is installed may be referenced by its name, whatever the name of its folder.
    @Test func anInstalledOneIsNamedByName() async throws {
        let session = try await prepared("hostile")
        let missing = try rutter(session, "test", "--allow-plugins", "books/n.md")
        #expect(
            missing.output.contains("E-PLUGIN-UNKNOWN: no plugin `hostile` is installed"), "\(missing.output)"
        )
        let home = session.url("home/rutter/plugins")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            at: session.url("hostile"), to: home.appendingPathComponent("horizon"))
        #expect(try rutter(session, "-c", "plugin trust hostile").status == 0)
        let outcome = try rutter(session, "test", "--allow-plugins", "books/n.md")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    /// A session that loaded a plugin from beside its folder is saved as a notebook that reruns; outputs are kept although
    /// they went to a pipe.
    @Test func aSavedSessionReruns() async throws {
        let session = try await prepared("../hostile")
        let environment = ["XDG_DATA_HOME": session.url("home").path]
        let books = session.url("books")
        #expect(try rutter(session, "-c", "plugin trust ./hostile").status == 0)
        let saved = try RutterProcess.run(
            [
                "-c", "plugin load ../hostile", "-c", "hostile do", "-c", "[1 2]", "-c", "range 1 3",
                "-c", "expect-error E-ARG-EXTRA hostile do 5", "-c", "notebook save s.md",
            ], environment: environment, folder: books)
        #expect(saved.status == 0, "\(saved.errors)")
        let page = try String(contentsOf: books.appendingPathComponent("s.md"), encoding: .utf8)
        #expect(
            page.contains("plugins: [\"../hostile\"]") || page.contains("plugins: [../hostile]"), "\(page)")
        #expect(!page.contains("data:"), "\(page)")
        #expect(page.contains("rutter> hostile do\n1\n"), "\(page)")
        let rerun = try RutterProcess.run(
            ["test", "--allow-plugins", "s.md"], environment: environment, folder: books)
        #expect(rerun.status == 0, "\(page)\(rerun.output)\(rerun.errors)")
    }
}
