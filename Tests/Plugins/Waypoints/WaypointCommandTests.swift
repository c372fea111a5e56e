import Foundation
import PluginKit
import PluginTestKit
import Testing
import TrailStores
import WaypointsPlugin

/// Every waypoint command through the language: results and errors.
struct WaypointCommandTests {
    private let test: TestSession

    init() throws { test = try TestSession(plugins: { [WaypointsPlugin()] }) }

    /// The code of the error of an entry.
    private func code(_ entry: String) async -> String? { await test.result(entry).failure?.code }

    @Test func examplesPrintWhatTheySay() async throws {
        let failures = await ExampleRunner.failures(of: { [WaypointsPlugin()] })
        #expect(failures == [])
    }

    @Test func everyCommandHasHelp() async {
        for command in WaypointsPlugin().commands {
            let help = await test.run("help \(command.spec.name)")
            #expect(help.contains(command.spec.summary))
            for parameter in command.spec.parameters {
                #expect(!parameter.help.isEmpty)
                let written =
                    parameter.style == .positional ? parameter.name.uppercased() : "--\(parameter.name)"
                #expect(help.contains("  \(written) "), "\(command.spec.name): \(parameter.name)")
            }
        }
    }

    @Test func everyErrorIsExplained() async {
        for kind in WaypointsPlugin().errors {
            #expect(await test.run("explain \(kind.code)").contains(kind.title))
        }
    }

    @Test(arguments: ["where nosuch == 1", "select nosuch", "sort nosuch", "summarize max(nosuch) by label"])
    func anEmptyListKnowsItsFields(line: String) async {
        #expect(await code("waypoint list | \(line)") == "E-FIELD-UNKNOWN")
        #expect(await code("waypoint list | \(line.replacing("nosuch", with: "note"))") == nil)
    }

    @Test func adding() async throws {
        let text = await test.run(
            "waypoint add 46.5763,7.9904,1973m --label 'Upper Hut' --category shelter --note 'closed in winter'"
        )
        #expect(
            text == """
                id        15780b2e
                label     Upper Hut
                category  shelter
                at        46.5763,7.9904
                altitude  1973m
                time      2026-02-06T08:00:00Z
                note      closed in winter
                photo     false
                hike
                modified  2026-02-06T08:00:00Z
                uuid      15780B2E-0C2E-4716-A104-D9866D113A7E
                """)
        #expect(await test.run("waypoint count") == "1")
        #expect(await test.run("waypoint add 46.5,7.9,100m --altitude 200m | get altitude") == "200m")
    }

    @Test func anglesOutOfRangeAreNotWrapped() async throws {
        let latitude = await test.run("waypoint add 91,7")
        #expect(latitude.contains("latitude 91 is outside -90…90"))
        #expect(await test.run("waypoint add 46,181").contains("longitude 181 is outside -180…180"))
        #expect(await code("waypoint add 46,-180.001") == "E-COORDINATE")
        #expect(await code("waypoint near 90.1,0") == "E-COORDINATE")
        #expect(await test.run("waypoint count") == "0")
        #expect(await code("waypoint add -90,180") == nil)
    }

    @Test func anUnknownCategoryListsTheNineAndSuggestsTheNearest() async throws {
        let result = await test.result("waypoint add 46.5,7.9 --category sheltr")
        #expect(result.failure?.code == "E-CATEGORY")
        #expect(result.failure?.suggestion == "shelter")
        let nine = "trailMarker, viewpoint, waterSource, campsite, danger, food, shelter, parking, custom"
        #expect(result.failure?.fix == "one of: \(nine)")
        #expect(await test.run("waypoint count") == "0")
        #expect(await test.run("category list | get category | count") == "9")
    }

    @Test func referencesByLabelAndByIdentifier() async throws {
        await test.run("waypoint add 1,1 --label Hut")
        await test.run("waypoint add 2,2 --label Spring")
        #expect(await test.run("waypoint show hut | get label") == "Hut")
        #expect(await test.run("waypoint show 15780 | get label") == "Hut")
        #expect(await test.run("waypoint show 15780B2E-0C2E-4716-A104-D9866D113A7E | get label") == "Hut")
        #expect(await test.run("waypoint show @Spring | get label") == "Spring")
        #expect(await code("waypoint show nothing") == "E-REFERENCE-UNKNOWN")
        #expect(await code("waypoint show ffff") == "E-REFERENCE-UNKNOWN")
        await test.run("waypoint add 3,3 --label Hut")
        let ambiguous = await test.result("waypoint show Hut")
        #expect(ambiguous.failure?.code == "E-REFERENCE-AMBIGUOUS")
        #expect(ambiguous.failure?.fix?.contains("@15780b2e") == true)
    }

    @Test func fewLettersNameNoIdentifier() async throws {
        let id = await test.run("waypoint add 1,0 --label Hut | get id")
        #expect(await test.run("waypoint show \(id.prefix(4)) | get label") == "Hut")
        #expect(await code("waypoint show '\(id.prefix(3))'") == "E-REFERENCE-UNKNOWN")
    }

    @Test func listing() async throws {
        await test.run("waypoint add 1,1 --label first --category danger")
        await test.run("clock +1min")
        await test.run("waypoint add 2,2 --label second --hike 6F9619FF-8B86-D011-B42D-00C04FC964FF")
        await test.run("clock +1min")
        await test.run("waypoint add 3,3 --label third --hike 6F9619FF-8B86-D011-B42D-00C04FC964FF")
        #expect(await test.run("waypoint list | get label") == "third\nsecond\nfirst")
        #expect(
            await test.run("waypoint list --hike 6f9619ff-8b86-d011-b42d-00c04fc964ff | get label")
                == "second\nthird")
        #expect(await test.run("waypoint list --category danger | get label") == "first")
        #expect(await code("waypoint list --hike nowhere") == "E-WAYPOINT-NOHIKE")
        #expect(await test.run("waypoint count --by-category | get count") == "2\n1")
    }

    @Test func near() async throws {
        await test.run("waypoint add 0,179.9 --label west")
        await test.run("waypoint add 0,-179.95 --label east")
        await test.run("waypoint add 89.9,0 --label pole")
        #expect(await test.run("waypoint near 0,180 --radius 20km | get label") == "east\nwest")
        #expect(await test.run("waypoint near 0,180 --radius 20km --limit 1 | get label") == "east")
        #expect(await test.run("waypoint near 90,77 --radius 12km | get label") == "pole")
        #expect(await test.run("waypoint near 0,0 --radius 0m | count") == "0")
        #expect(await test.run("waypoint near 0,0 --radius 20100km | count") == "3")
        #expect(await code("waypoint near 0,0 --radius -1m") == "E-ARG-RANGE")
        #expect(await code("waypoint near 0,0 --radius 30000km") == "E-ARG-RANGE")
        #expect(await code("waypoint near 0,0 --radius 5s") == "E-UNIT-DIMENSION")
    }

    @Test func everyCandidateOfASearchIsTraced() async {
        await test.run("waypoint add 0,-179.95 --label near")
        await test.run("waypoint add 0.06,-179.95 --label corner")
        await test.run("waypoint add 1,180 --label far")
        // 8 km are 0.072°: the corner lies 0.078° away, in the box but not in the circle.
        let trace = await test.run("trace waypoint near 0,180 --radius 8km")
        #expect(trace.contains("within the radius"))
        #expect(trace.contains("inside the box, outside the ra"))
        #expect(!trace.contains("far"))
    }

    /// é as one code point and as two looks the same, and is another text for a search.
    @Test func anEditOfTheCompositionAlone() async throws {
        await test.run("waypoint add 46.5,7.9 --label 'caf\u{e9}' --note '\u{e9}'")
        for edit in ["--note 'e\u{301}'", "--label 'cafe\u{301}'"] {
            #expect(await code("waypoint edit caf\u{e9} \(edit)") == nil)
            #expect(await code("waypoint edit caf\u{e9} \(edit)") == "E-WAYPOINT-NOCHANGE")
        }
        let label = await test.run("waypoint show caf\u{e9} | get label")
        #expect(label.unicodeScalars.elementsEqual("cafe\u{301}".unicodeScalars))
        await test.run("undo")
        let before = await test.run("waypoint show caf\u{e9} | get label")
        #expect(before.unicodeScalars.elementsEqual("caf\u{e9}".unicodeScalars))
    }

    @Test func editingAndLinking() async throws {
        await test.run("waypoint add 46.5,7.9,800m --label Hut")
        #expect(await code("waypoint edit Hut") == "E-WAYPOINT-NOCHANGE")
        #expect(await code("waypoint edit Hut --label Hut") == "E-WAYPOINT-NOCHANGE")
        #expect(await test.run("waypoint edit Hut --place 47,8 | get altitude") == "800m")
        #expect(await test.run("waypoint edit Hut --place 47,8,900m | get altitude") == "900m")
        #expect(await test.run("waypoint edit Hut --category food --note n | get category") == "food")
        #expect(await code("waypoint edit Hut --photo missing.jpg") == "E-FILE-MISSING")
        #expect(await code("waypoint link Hut nowhere") == "E-WAYPOINT-NOHIKE")
        #expect(await code("waypoint link Hut") == "E-WAYPOINT-NOCHANGE")
        let hike = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
        #expect(await test.run("waypoint link Hut \(hike) | get hike") == hike)
        #expect(await code("waypoint link Hut \(hike)") == "E-WAYPOINT-NOCHANGE")
        #expect(await test.run("waypoint link Hut | get hike") == "")
    }

    @Test func deleting() async throws {
        for label in ["a1", "b1", "c1"] { await test.run("waypoint add 1,1 --label \(label)") }
        #expect(await test.run("waypoint delete a1 b1 a1") == "deleted 2 waypoints; `undo` restores them")
        #expect(await test.run("waypoint list | get label") == "c1")
        #expect(await code("waypoint delete c1 zzz") == "E-REFERENCE-UNKNOWN")
        #expect(await test.run("waypoint count") == "1")
        #expect(await code("waypoint delete") == "E-ARG-MISSING")
    }

    @Test func rowsBetweenParenthesesAreOneArgumentEach() async throws {
        for label in ["a1", "b1", "c1"] { await test.run("waypoint add 1,1 --label \(label)") }
        #expect(
            await test.run("waypoint delete (waypoint list | where label != b1)")
                == "deleted 2 waypoints; `undo` restores them")
        #expect(await test.run("waypoint list | get label") == "b1")
        #expect(
            await test.run("waypoint delete (waypoint list | get label)")
                == "deleted 1 waypoint; `undo` restores it")
        #expect(await code("waypoint delete (waypoint list)") == "E-ARG-MISSING")
        #expect(await code("waypoint delete (range 1 2)") == "E-ARG-KIND")
    }

    @Test func withoutAPlace() async throws {
        #expect(await code("waypoint add --label x") == "E-WAYPOINT-PLACE")
        #expect(await code("waypoint photo nothing") == "E-REFERENCE-UNKNOWN")
    }

    /// A stored category that nobody defined has its own name everywhere, and is kept.
    @Test func aCategoryThatIsNoneOfTheNineHasItsOwnName() async throws {
        await test.run("waypoint add 1,1 --label Cache")
        await test.run("waypoint add 2,2 --label Hut --category shelter")
        try await sql("UPDATE waypoints SET category = 'geocache' WHERE label = 'Cache'")
        #expect(await test.run("waypoint show Cache | get category") == "geocache")
        #expect(await test.run("waypoint list --category geocache | get label") == "Cache")
        #expect(await test.run("waypoint list | where category == geocache | get label") == "Cache")
        #expect(
            await test.run("waypoint count --by-category | to csv") == "category,count\ngeocache,1\nshelter,1"
        )
        #expect(await test.run("waypoint list | reverse | to gpx").contains("<type>geocache</type>"))
        await test.run("waypoint edit Cache --note 'under a stone'")
        #expect(await test.run("waypoint show Cache | get category") == "geocache")
    }

    private func sql(_ statement: String) async throws {
        let store = try WaypointStore(
            test.folder.url.appendingPathComponent("workspace/waypoints.db"), access: .own)
        try store.connection.write { db in try db.execute(sql: statement) }
    }

    @Test func altitudesKeepToTheEarth() async {
        #expect(await code("waypoint add 1,2,1e300m") == "E-ARG-RANGE")
        #expect(await test.run("waypoint add 1,2,200km").contains("the altitude 200000m is outside -"))
        #expect(await code("waypoint add 1,2 --altitude 101km") == "E-ARG-RANGE")
        #expect(await test.run("waypoint count") == "0")
        await test.run("waypoint add 1,2 --label Hut")
        #expect(await code("waypoint edit Hut --place 1,2,-13km") == "E-ARG-RANGE")
    }

    @Test func aPhotoIsNotAddedAndTakenAwayAtOnce() async throws {
        await test.run("waypoint add 1,2 --label Hut; 'x' | save p.jpg")
        let result = await test.result("waypoint edit Hut --photo p.jpg --no-photo")
        #expect(result.failure?.message == "--photo and --no-photo cannot be combined")
    }

    @Test func exportKeepsWhatItCan() async throws {
        await test.run("waypoint add 1.1234567,2 --altitude -12.345m --label ' lead ' --note ' two  words '")
        await test.run(
            "waypoint list | reverse | save w.gpx; waypoint delete ' lead '; import w.gpx")
        for entry in ["label == ' lead '", "note == ' two  words '", "altitude == -12.345m"] {
            #expect(await test.run("waypoint list | where \(entry) | count") == "1", "\(entry)")
        }
    }

    /// A session from its second entry on, on identifiers that are drawn at random: a rerun finds the same ones.
    @Test func aPartOfASessionRunsAgain() async {
        await test.run("waypoint add 1,1 --label A")
        await test.run("waypoint add 2,2 --label B")
        await test.run("notebook save part.md --from 2")
        #expect(await test.run("notebook test part.md | get outcome") == "passed")
    }

    @Test(
        .enabled(if: RealData.has("malformed/gpx"), "needs the folder of real data"),
        arguments: RealData.files(in: "malformed/gpx"))
    func malformedFilesLeaveTheStoreAsItWas(file: URL) async {
        await test.run("waypoint add 1,1 --label Hut")
        let result = await test.result("import '\(file.path)' --as waypoints")
        if let failure = result.failure {
            #expect(
                failure.code.hasPrefix("E-GPX-")
                    || ["E-IMPORT-NOTHING", "E-IMPORT-KIND"].contains(failure.code),
                "\(file.lastPathComponent): \(failure)")
            #expect(failure.fix != nil, "\(file.lastPathComponent): \(failure.message)")
            #expect(await test.run("waypoint list | get label") == "Hut")
            #expect(await test.run("undo").contains("Hut"))
        } else {
            // A file may be unusual and still contain points.
            let isCut = file.lastPathComponent == "bad_truncated.gpx"
            #expect(file.lastPathComponent.hasPrefix("edge_") || isCut, "\(file.lastPathComponent)")
        }
    }
}

/// Importing and exporting GPX.
struct WaypointGPXTests {
    @Test func roundTrip() async throws {
        let test = try TestSession(plugins: { [WaypointsPlugin()] })
        await test.run(
            "waypoint add 46.5763,7.9904,1973m --label 'Zürich & 東京' --category shelter --note 'a < b'")
        await test.run("clock +1min")
        await test.run("waypoint add -1,-2 --category danger")
        #expect(await test.run("waypoint list | reverse | save w.gpx").hasSuffix("bytes written to w.gpx"))
        #expect(await test.result("waypoint list | reverse | save w.gpx").failure?.code == "E-FILE-EXISTS")
        #expect(await test.result("waypoint list | reverse | save w.gpx --force").failure == nil)
        let before = await test.run("waypoint list | select label category at altitude time note")
        let other = try TestSession(
            plugins: { [WaypointsPlugin()] },
            files: ["w.gpx": Data(contentsOf: test.folder.url.appendingPathComponent("w.gpx"))])
        #expect(await other.run("import w.gpx --as waypoints | get waypoints") == "2")
        #expect(await other.run("waypoint list | select label category at altitude time note") == before)
    }

    @Test func aPositionThatIsNoneTakesNothingElseWithIt() async throws {
        let bad = "<gpx><wpt lat='1' lon='2'/><wpt lat='91' lon='2'/></gpx>"
        let test = try TestSession(plugins: { [WaypointsPlugin()] }, files: ["bad.gpx": Data(bad.utf8)])
        let result = await test.result("import bad.gpx --as waypoints")
        #expect(result.failure == nil)
        #expect(await test.run("waypoint count") == "1")
        await test.run("undo")
        let said = await test.run("import bad.gpx --as waypoints | get dropped")
        #expect(said.contains("points without a position, since theirs is none: 1"))
    }

    /// A symbol beside a type says something that the category does not, unless both mean the same.
    @Test func aSymbolThatIsNotKeptIsSaid() async throws {
        let places = [("Flag, Blue", "campsite"), ("Campground", "campsite"), ("Campsite", "campsite")]
        let points = places.enumerated().map { index, place in
            "<wpt lat='1' lon='\(index)'><sym>\(place.0)</sym><type>\(place.1)</type></wpt>"
        }
        let test = try TestSession(
            plugins: { [WaypointsPlugin()] },
            files: ["a.gpx": Data("<gpx>\(points.joined())</gpx>".utf8)])
        let said = await test.run("import a.gpx --as waypoints | get dropped")
        #expect(said.contains("symbol (1)"), "\(said)")
    }

    @Test func aStoppedImportLeavesNothing() async throws {
        var gpx = "<gpx>"
        for index in 0..<20_000 {
            gpx += "<wpt lat=\"\(Double(index) / 1000)\" lon=\"7\"><name>\(index)</name></wpt>"
        }
        gpx += "</gpx>"
        let stop = CancelAtProgress()
        let test = try TestSession(
            plugins: { [WaypointsPlugin()] }, files: ["many.gpx": Data(gpx.utf8)], progress: stop.reporter)
        await test.run("waypoint add 1,1")
        // Stopped at moments from the reading to the writing.
        for (label, done) in [
            ("reading points", 1), ("reading points", 19_000), ("storing waypoints", 1),
            ("storing waypoints", 15_000),
        ] {
            let (result, isReached) = await stop.run(stoppingAt: label, done: done) {
                await test.result("import many.gpx --as waypoints")
            }
            #expect(isReached, "\(label) \(done)")
            #expect(result.failure?.code == "E-INTERRUPTED", "\(label) \(done)")
            #expect(await test.run("waypoint count") == "1")
        }
        #expect(await test.run("import many.gpx --as waypoints | get waypoints") == "20000")
        #expect(await test.run("undo") == "undone: imported 20000 waypoints")
        #expect(await test.run("waypoint count") == "1")
    }

    @Test(.enabled(if: RealData.has("gpx"), "the folder of real data is not there"))
    func realFiles() async throws {
        // Waypoints of each file as Python's xml.etree counts them.
        let expected = [
            "test_files_cerknicko-jezero.gpx": 7, "reference_track_fit-sample.gpx": 7,
            "test_files_unicode.gpx": 6,
            "test_files_gpx1.1_with_all_fields.gpx": 2, "test_files_Mojstrovka.gpx": 0,
        ]
        for (name, count) in expected {
            let data = try Data(contentsOf: RealData.url("gpx/\(name)"))
            let test = try TestSession(plugins: { [WaypointsPlugin()] }, files: ["w.gpx": data])
            let result = await test.result("import w.gpx --as waypoints")
            #expect(result.failure?.code == (count == 0 ? "E-IMPORT-NOTHING" : nil))
            #expect(await test.run("waypoint count") == "\(count)")
        }
    }
}
