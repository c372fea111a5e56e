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
        ("hike export Walk", "hike show Walk | export FILE"), ("list hikes", "hike list"),
        ("delete hike Walk", "hike delete"), ("remove waypoint Hut", "waypoint delete"),
        ("create beacon Home", "beacon add"), ("show me all waypoints", "waypoint list"),
        ("beacons", "beacon list"), ("waypoints near 1,1", "waypoint near"), ("categories", "category list"),
        ("hikes longer than 10 km", "hike list"), ("?", "`help`"),
        ("hike list ?", "help hike list"),
        ("SELECT label FROM waypoints", "sql \"SELECT label FROM waypoints\""),
        ("hike list || waypoint list", "`;` separates commands"),
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
        ("route plan --from 1,1 --to 1,2", "FROM stands without a name"),
        ("notebook save --out n.md", "FILE stands without a name"),
        ("waypoint near 1,1 --category hut", "waypoint near … | where category == hut"),
        ("departures Central --line S1", "departures … | where route == S1"),
        ("stop show Central --out s.svg", "stop show … | map --out s.svg"),
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
        ("route round 1,1 --length 5km", "--distance"), ("beacon bearings --at 1,1", "--place"),
        ("route plan 1,1 1,2 --by cycling", "--profile"), ("journey plan A B --arrival 09:00", "--arrive-by"),
        ("journey plan A B --depart 09:00", "--at"), ("hike crop Walk --until 09:00", "--to"),
        ("beacon render a.wav --duration 5", "--seconds"),
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
        ("elevation Walk", "E-ARG-EXTRA", "@Walk | elevation"),
        ("waypoint add Camp 46.5,7.9", "E-ARG-EXTRA", "waypoint add 46.5,7.9 --label Camp"),
        ("waypoint add 46.5 7.9 --label Camp", "E-ARG-EXTRA", "waypoint add 46.5,7.9"),
        ("place at 46.5, 7.9", "E-ARG-EXTRA", "place at 46.5,7.9"),
        ("route plan 46.5 7.9 46.6 7.8", "E-ARG-EXTRA", "route plan 46.5,7.9 46.6,7.8"),
        (
            "route plan Null Station Meridian Hut", "E-ARG-EXTRA",
            "route plan \"Null Station\" \"Meridian Hut\""
        ),
        (
            "route plan Null Station to Meridian Hut", "E-ARG-EXTRA",
            "route plan \"Null Station\" \"Meridian Hut\""
        ),
        ("departures Central Station 08:00", "E-ARG-EXTRA", "departures \"Central Station\" --at 08:00"),
        ("hike list | count > 3", "E-ARG-EXTRA", "(… | count) > 3"),
        ("hike list, waypoint list", "E-ARG-EXTRA", "`;` separates commands"),
        ("journey plan Central to Airport", "E-ARG-EXTRA", "journey plan Central Airport"),
        ("waypoint near 46.5,7.9 --radius 1 km", "E-ARG-EXTRA", "a quantity is one word: 1km"),
        ("hike list | where distance > 1 mile", "E-ARG-EXTRA", "a quantity is one word: 1mi"),
        ("hike list | where name == Church to Hut", "E-ARG-EXTRA", "\"Church to Hut\""),
        ("hike show Church to Hut", "E-ARG-EXTRA", "hike show \"Church to Hut\""),
        ("sql select * from waypoints", "E-ARG-EXTRA", "sql \"select * from waypoints\""),
        ("departures Central 08:00", "E-ARG-EXTRA", "--at 08:00"),
        ("departures Central at 8am", "E-ARG-EXTRA", "--at 8am"),
        ("departures from Central", "E-ARG-EXTRA", "departures Central"),
        ("waypoint edit Hut label Alm", "E-ARG-EXTRA", "--label Alm"),
        ("waypoint edit Hut Alm", "E-ARG-EXTRA", "--label Alm"),
        ("beacon add 46.5,7.9 Home", "E-PLACE-SERVER", "beacon add Home 46.5,7.9"),
        ("device add Anna phone", "E-ARG-CHOICE", "device add phone Anna"),
        ("hike list > hikes.csv", "E-ARG-EXTRA", "… | save hikes.csv"),
        ("hike list 2>/dev/null", "E-ARG-EXTRA", "--quiet"),
        ("hike list && waypoint list", "E-ARG-EXTRA", "`;` separates commands"),
        ("history 10", "E-ARG-EXTRA", "history | first 10, or last 10"),
        ("let x 5", "E-ARG-CHOICE", "= 5"),
        ("first walk.csv", "E-ARG-KIND", "open walk.csv | first"),
        ("[{a: 1}] | count by a", "E-ARG-EXTRA", "… | summarize count() by a"),
        ("[{a: 1, b: 2}] | select a,b", "E-FIELD-UNKNOWN", "a b"),
        ("[{a: 5m}] | where a > 1000s", "E-UNIT-DIMENSION", "1000m"),
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

    @Test func severalRowsAreTheFirstAndTheFollowingOfANounWithOthers() async throws {
        let test = try TestSession(plugins: builtInPlugins)
        await test.run(
            """
            for n in [1 2] { let name = "walk${n}.gpx"; "<gpx><trk><name>Walk $n</name><trkseg>\
            <trkpt lat='46.$n' lon='7.9'><time>2026-02-0${n}T08:00:00Z</time></trkpt>\
            <trkpt lat='46.${n}1' lon='7.9'><time>2026-02-0${n}T08:30:00Z</time></trkpt>\
            </trkseg></trk></gpx>" | save $name; import $name }
            """)
        #expect(await test.run("hike list | count") == "2")
        #expect(await test.result("hike merge (hike list)").failure == nil)
        #expect(await test.run("hike list | count") == "1")
    }

    @Test func aWordOfANameWithATypingErrorFindsTheName() async throws {
        let test = try TestSession(plugins: builtInPlugins)
        await test.run("waypoint add 1,1 --label 'Church Square'; waypoint add 1,2 --label 'Mill Inn'")
        #expect(await test.result("waypoint show Chruch").failure?.suggestion == "@\"Church Square\"")
        await test.run("waypoint add 1,3 --label 'Old Church'")
        #expect(await test.result("waypoint show Chruch").failure?.fix?.contains("Old Church") == true)
    }

    @Test func dashHAsksForHelpWhereItIsTheLastWord() async throws {
        let test = try TestSession(plugins: builtInPlugins)
        #expect(await test.run("hike list -h") == test.run("help hike list"))
        #expect(await test.run("hike -h") == test.run("help hike"))
        #expect(await test.run("-h") == test.run("help"))
        #expect(await test.run("--help") == test.run("help"))
    }

    @Test func wordsForUnitsAndCitiesAreSettings() async throws {
        let test = try TestSession(plugins: builtInPlugins)
        #expect(await test.result("set units miles").failure == nil)
        #expect(await test.run("set | where setting == units | get value") == "imperial")
        #expect(await test.result("set timezone Berlin").failure?.suggestion == "Europe/Berlin")
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
