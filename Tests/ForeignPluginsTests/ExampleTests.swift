import Foundation
import PluginKit
import PluginTestKit
import Testing
import Workbench

@testable import ForeignPlugins

/// The plugins that the project ships as examples, the templates, and the commands' own examples.
@Suite(.patient, .timeLimit(.minutes(10)))
struct ExampleTests {
    static let hasPython = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
    private static let plugins = RealData.project.appendingPathComponent("Notebooks/plugins")

    /// A session with a copy of an example, trusted and loaded.
    private func loaded(_ name: String) async throws -> TestSession {
        let session = try ForeignSession()
        try FileManager.default.createDirectory(at: session.url("plugins"), withIntermediateDirectories: true)
        let folder = session.url("plugins/\(name)")
        try FileManager.default.copyItem(at: Self.plugins.appendingPathComponent(name), to: folder)
        let kit = folder.appendingPathComponent("rutter_plugin.py")
        if (try? kit.checkResourceIsReachable()) != nil || name == "sun" {
            try FileManager.default.removeItem(at: kit)
            try Data(PackageResources.rutter_plugin_py).write(to: kit)
        }
        if name == "locator" {
            try FileManager.default.copyItem(
                atPath: ForeignSession.program("locator-plugin"),
                toPath: folder.appendingPathComponent("plugin").path)
        }
        try await session.test.value("plugin trust \(name)")
        try await session.test.value("plugin load \(name)")
        return session.test
    }

    @Test(arguments: ["words", "locator"])
    func conform(_ name: String) async throws {
        let test = try await loaded(name)
        let table = await test.run("plugin test \(name)")
        #expect(await test.run("plugin test \(name) | where result == failed | count") == "0", "\(table)")
        await test.session.close()
    }

    @Test(.enabled(if: hasPython, "needs python3"))
    func pythonConforms() async throws {
        let test = try await loaded("sun")
        let table = await test.run("plugin test sun")
        #expect(await test.run("plugin test sun | where result == failed | count") == "0", "\(table)")
        await test.session.close()
    }

    /// Against the tables of the Astronomical Applications Department of the U.S. Naval Observatory, to the minute:
    /// Greenwich on a solstice, the equator on an equinox.
    @Test(
        .enabled(if: hasPython, "needs python3"),
        arguments: [
            ("51.4769,0", "2026-06-21", "2026-06-21T03:43:00Z", "2026-06-21T20:21:00Z"),
            ("51.4769,0", "2026-12-21", "2026-12-21T08:04:00Z", "2026-12-21T15:53:00Z"),
            ("0,0", "2026-03-20", "2026-03-20T06:04:00Z", "2026-03-20T18:11:00Z"),
        ])
    func sunriseAndSunset(_ place: String, _ day: String, _ rise: String, _ set: String) async throws {
        let test = try await loaded("sun")
        await test.run("let s = sun times \(place) --date \(day)")
        for (field, wanted) in [("rise", rise), ("set", set)] {
            let shown = await test.run("$s.\(field)")
            let isNear = await test.run(
                "($s.\(field) > \(wanted) - 90s) and ($s.\(field) < \(wanted) + 90s)")
            #expect(isNear == "true", "\(field): \(shown)")
        }
        #expect(await test.result("sun times 80,0 --date 2026-06-21").failure?.code == "E-SUN-NEVER")
        await test.session.close()
    }

    /// Locators from the standard's own examples.
    @Test(arguments: [
        ("41.714775,-72.727260", "FN31pr"), ("48.14666,11.60833", "JN58td"), ("90,180", "RR99xx"),
    ])
    func locators(_ place: String, _ locator: String) async throws {
        let test = try await loaded("locator")
        #expect(await test.run("locator of \(place)") == locator)
        let wrong = await test.result("locator of \(place) --pairs 9")
        #expect(wrong.failure?.code == "E-LOCATOR-PAIRS")
        await test.session.close()
    }

    @Test(arguments: PluginTemplate.Language.allCases)
    func aNewPluginWorks(_ language: PluginTemplate.Language) async throws {
        guard language != .swift, language != .python || Self.hasPython else { return }
        let session = try ForeignSession()
        for entry in [
            "plugin new tides --language \(language.rawValue)", "plugin trust ./tides", "plugin load ./tides",
        ] {
            try await session.test.value(entry)
        }
        #expect(await session.test.run("tides hello Anna") == "Hello Anna")
        #expect(await session.test.result("tides hello ''").failure?.code == "E-TIDES-NOBODY")
        let table = await session.test.run("plugin test ./tides")
        #expect(
            await session.test.run("plugin test ./tides | where result == failed | count") == "0", "\(table)")
        #expect(await session.test.run("help tides hello").contains("greet somebody"))
        #expect(await session.test.run("help commands | where plugin == tides | count") == "1")
        #expect(await session.test.run("plugin list | where plugin == tides | get version") == "0.1")
        #expect(
            await session.test.session.completions(of: "tides he").candidates.map(\.replacement) == ["hello"])
        try await session.test.value("plugin unload tides")
        #expect(await session.test.result("tides hello Anna").failure?.code == "E-COMMAND-UNKNOWN")
        await session.test.session.close()
    }

    @Test func candidatesOfAPlugin() async throws {
        let session = try await ForeignSession.hostile("good")
        let candidates = await session.test.session.completions(of: "hostile do --word ").candidates
        #expect(candidates.map(\.replacement) == ["alpha", "beta"])
        #expect(candidates.map(\.summary) == ["", "the second"])
        let begun = await session.test.session.completions(of: "hostile do --word be").candidates
        #expect(begun.map(\.replacement) == ["beta"])
        let quoted = await session.test.session.completions(of: "hostile do --word 'al").candidates
        #expect(quoted.map(\.replacement) == ["'alpha'"])
        await session.test.session.close()
    }

    /// The notebook about it, with the permission that it requires.
    @Test(.enabled(if: hasPython, "needs python3"))
    func theNotebookPasses() throws {
        let outcome = try RutterProcess.run(
            ["test", "--allow-plugins", "Notebooks/write-a-plugin.md"],
            folder: RealData.project)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test func theExamplesOfTheCommands() async throws {
        guard Self.hasPython else { return }
        let failures = await ExampleRunner.failures { [ForeignPlugins()] }
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }
}
