import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import ForeignPlugins

/// Commands of a plugin exist from the statement after its `plugin load` on, in the same entry, too.
@Suite(.patient, .timeLimit(.minutes(10)))
struct EntryTests {
    /// A session with a plugin that is trusted and not loaded.
    private func trusted() async throws -> TestSession {
        let session = try ForeignSession()
        try session.write("hostile", command: [ForeignSession.program("hostile-plugin"), "good"])
        try await session.test.value("plugin trust ./hostile")
        return session.test
    }

    @Test(arguments: [
        "plugin load ./hostile; 5 | hostile do", "plugin load ./hostile\n5 | hostile do --word x # now",
        "plugin load ./hostile; let x = (5 | hostile do); $x",
        "plugin load ./hostile; (5 | hostile do | to json)",
        "if true { plugin load ./hostile; 5 | hostile do }",
        "if true { plugin load ./hostile }; 5 | hostile do",
        "plugin load ./hostile; for n in [5] { $n | hostile do }",
        "def f [] { plugin load ./hostile; 5 | hostile do }; f",
        "plugin load ./hostile; def f [] { hostile do }; 5 | f",
    ])
    func inOneEntry(_ entry: String) async throws {
        let test = try await trusted()
        let result = await test.result(entry)
        #expect(result.failure == nil, "\(result.text)")
        #expect(result.text.hasSuffix("5"), "\(result.text)")
        await test.session.close()
    }

    /// A syntax error runs nothing, unless it is in words that only the plugin's command can read.
    @Test(arguments: [
        "plugin load ./hostile; 5 | hostile do; 1 +", "plugin load ./hostile; hostile do 'x",
        "plugin load ./hostile; hostile do | first --nmae", "hostile do; plugin load ./hostile",
        "plugin load ./hostile | hostile do", "for n in [1] { plugin load ./hostile; hostile do }; range 1 )",
    ])
    func aSyntaxErrorRunsNothing(_ entry: String) async throws {
        let test = try await trusted()
        #expect(await test.result(entry).failure != nil)
        #expect(await test.run("plugin list | where status == loaded | count") == "0")
        await test.session.close()
    }

    @Test func whatIsStillUnknownIsSaidWhereItStands() async throws {
        let test = try await trusted()
        let result = await test.result("plugin load ./hostile; hostile od")
        #expect(result.failure?.code == "E-COMMAND-UNKNOWN")
        #expect(result.text.contains("did you mean `hostile do`?"), "\(result.text)")
        #expect(
            result.text.contains("  plugin load ./hostile; hostile od\n                         ^"),
            "\(result.text)")
        // Removed commands are unavailable in the same entry, too.
        let gone = await test.result("plugin unload hostile; hostile do")
        #expect(gone.failure?.code == "E-COMMAND-UNKNOWN", "\(gone.text)")
        await test.session.close()
    }

    @Test func inAFile() async throws {
        let test = try await trusted()
        try Data("plugin load ./hostile; 5 | hostile do\n6 | hostile do\n".utf8).write(
            to: test.folder.url.appendingPathComponent("both.rut"))
        #expect(await test.run("source both.rut").hasSuffix("5\n6"))
        try Data("def twice [n: integer] { $n * 2 }\n".utf8).write(
            to: test.folder.url.appendingPathComponent("own.rut"))
        #expect(await test.run("source own.rut; twice 4") == "8")
        await test.session.close()
    }
}
