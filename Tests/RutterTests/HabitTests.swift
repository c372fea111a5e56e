import PluginTestKit
import Testing
import Workbench

@testable import rutter

/// What people type by habit from other programs: errors lead to what does the same here.
struct HabitTests {
    /// A guessed command, and where its error leads.
    private static let guesses = [
        ("hike remove Walk", "hike delete"), ("waypoint rm Hut", "waypoint delete"),
        ("route ls", "route list"),
        ("waypoint rename Hut Alm", "waypoint edit"), ("hike update Walk", "hike edit"),
        ("stop search Central", "stop find"), ("region view", "region show"), ("line info 4", "line show"),
        ("hike trim Walk", "hike crop HIKE --radius LENGTH"), ("device new phone anna", "device add"),
        ("waypoint find Hut", "waypoint list | where FIELD =~ 'TEXT'"),
        ("hike export", "hike list | export FILE"),
        ("trail sort", "trail list | sort FIELD"), ("beacon json", "beacon list | to json"),
    ]

    @Test(arguments: guesses) func guessedCommandsLeadOn(entry: String, meant: String) async throws {
        let session = try TestSession(plugins: builtInPlugins).session
        let failure = try #require(await session.run(entry).failure, "`\(entry)` runs")
        let said = [failure.suggestion, failure.fix].compactMap { $0 }.joined(separator: " ")
        #expect(said.contains(meant), "\(entry): \(said)")
    }

    /// A guessed option, and what does the same.
    private static let options = [
        ("hike list --sort distance", "hike list | sort FIELD"),
        ("waypoint list --limit 3", "waypoint list | first 10"),
        ("route list --json", "route list | to json"),
        ("route plan 1,1 1,2 --mode cycling", "it is now --profile"),
        ("hike list --from 2026-01-01", "hike list | where FIELD >="),
        ("hike list --until 2026-01-01", "hike list | where FIELD <"),
        ("trip show --trip x", "stands without a name"), ("hike show --csv", "hike show … | to csv"),
        ("departures Harbour --to Central", "journey plan FROM TO"),
        ("notebook save --out n.md", "FILE stands without a name"),
        ("waypoint near 1,1 --category hut", "waypoint near … | where category …"),
        ("feed alerts --line 4", "feed alerts | where lines …"),
    ]

    @Test(arguments: options) func guessedOptionsLeadOn(entry: String, meant: String) async throws {
        let session = try TestSession(plugins: builtInPlugins).session
        let failure = try #require(await session.run(entry).failure, "`\(entry)` runs")
        #expect(failure.code == "E-OPTION-UNKNOWN")
        #expect((failure.fix ?? "").contains(meant), "\(entry): \(failure.fix ?? "")")
    }

    /// An option by another name of its meaning, and the one that is here.
    private static let renamed = [
        ("departures Central --date tomorrow", "--at"), ("waypoint near 1,1 --distance 2km", "--radius"),
        ("waypoint edit Hut --name Alm", "--label"), ("hike edit Walk --title Alm", "--name"),
        ("waypoint edit Hut --position 1,2", "--place"), ("hike edit Walk --description Wet", "--comment"),
        ("waypoint near 1,1 --max 3", "--limit"), ("declination 46,7 --at today", "--on"),
        ("route round 1,1 --length 5km", "--distance"), ("beacon render a.wav --duration 5", "--seconds"),
    ]

    @Test(arguments: renamed) func optionsOfOneMeaningAreSuggested(entry: String, meant: String) async throws
    {
        let session = try TestSession(plugins: builtInPlugins).session
        let failure = try #require(await session.run(entry).failure, "`\(entry)` runs")
        #expect(failure.code == "E-OPTION-UNKNOWN")
        #expect(failure.suggestion == meant, "\(entry)")
    }

    /// A value in another place than the one that takes it, and where it belongs.
    private static let misplaced = [
        ("waypoint list | waypoint delete", "E-INPUT-KIND", "`waypoint delete (…)`"),
        ("waypoint list | route match", "E-INPUT-KIND", "it reads a file"),
        ("elevation Walk", "E-ARG-EXTRA", "… | elevation"),
        ("elevation @Walk", "E-ARG-EXTRA", "@Walk | elevation"),
        ("waypoint add 46.5,7.9 --time 5m", "E-ARG-KIND", "a length is given by --altitude"),
        ("[{a: yes} {a: no}] | where a == true", "E-TYPE", "it is text, such as yes"),
        ("'<gpx/>' | export --as gpx", "E-DATA-PLACE", "import FILE --dry-run"),
    ]

    @Test(arguments: misplaced) func misplacedValuesLeadOn(
        entry: String, code: String, meant: String
    ) async throws {
        let session = try TestSession(plugins: builtInPlugins).session
        let failure = try #require(await session.run(entry).failure, "`\(entry)` runs")
        #expect(failure.code == code)
        #expect((failure.fix ?? "").contains(meant), "\(entry): \(failure.fix ?? "")")
    }

    @Test func aWordOfASettingsNameFindsIt() async throws {
        let session = try TestSession(plugins: builtInPlugins).session
        #expect(await session.run("set zone Europe/Zurich").failure?.suggestion == "timezone")
    }

    @Test func anUnknownNameLeadsToTheListOfNames() async throws {
        let test = try TestSession(plugins: builtInPlugins)
        await test.run("waypoint add 1,1 --label Hut")
        let failure = await test.result("waypoint show 1").failure
        #expect(failure?.code == "E-REFERENCE-UNKNOWN")
        #expect(failure?.fix == "the names and ids are those of `waypoint list`")
    }

    /// Whatever verb is guessed of whatever noun, what is named in its place is a command.
    @Test func whatIsNamedExists() async throws {
        let session = try TestSession(plugins: builtInPlugins).session
        let registry = await session.registry
        let nouns = Set(registry.names.filter { $0.contains(" ") }.map { String($0.prefix { $0 != " " }) })
        for noun in nouns.sorted() {
            for verb in ["remove", "ls", "info", "new", "rename", "search", "load", "stats", "undo", "find"] {
                guard registry["\(noun) \(verb)"] == nil, registry[noun] == nil else { continue }
                let failure = await session.run("\(noun) \(verb)").failure
                guard let suggestion = failure?.suggestion else { continue }
                #expect(registry[suggestion] != nil, "\(noun) \(verb): \(suggestion)")
            }
        }
    }
}
