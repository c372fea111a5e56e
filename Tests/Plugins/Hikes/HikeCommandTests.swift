import Foundation
import HikesPlugin
import PluginKit
import PluginTestKit
import Testing
import TrailStores

/// Every hike command through the language: results and errors.
struct HikeCommandTests {
    /// Two tracks: one of three points with times, 111.2 m each; one without times.
    private static let walk = """
        <gpx><trk><name>Walk</name><trkseg>
        <trkpt lat="46.5" lon="7.9"><ele>500</ele><time>2026-02-05T08:00:00Z</time></trkpt>
        <trkpt lat="46.501" lon="7.9"><ele>520</ele><time>2026-02-05T08:01:40Z</time></trkpt>
        <trkpt lat="46.502" lon="7.9"><ele>540</ele><time>2026-02-05T08:03:20Z</time></trkpt></trkseg></trk>
        <trk><trkseg><trkpt lat="1" lon="2"/><trkpt lat="1" lon="2.001"/></trkseg></trk></gpx>
        """

    private let test: TestSession

    init() throws {
        test = try TestSession(
            plugins: { [HikesPlugin()] },
            files: [
                "walk.gpx": Data(Self.walk.utf8),
                "points.gpx": Data("<gpx><wpt lat='1' lon='2'/></gpx>".utf8),
                "bad.gpx": Data((Self.walk.prefix(60)).utf8),
            ])
    }

    private func text(of file: String) throws -> String {
        try String(contentsOf: test.folder.url.appendingPathComponent(file), encoding: .utf8)
    }

    private func code(_ entry: String) async -> String? { await test.result(entry).failure?.code }

    @Test func examplesPrintWhatTheySay() async {
        let failures = await ExampleRunner.failures(of: { [HikesPlugin()] })
        #expect(failures == [])
    }

    @Test func everyCommandHasHelpAndEveryErrorIsExplained() async {
        for command in HikesPlugin().commands {
            let help = await test.run("help \(command.spec.name)")
            #expect(help.contains(command.spec.summary))
            for parameter in command.spec.parameters { #expect(help.lowercased().contains(parameter.name)) }
        }
        for kind in HikesPlugin().errors {
            #expect(await test.run("explain \(kind.code)").contains(kind.title))
        }
    }

    @Test(arguments: ["where nosuch == 1", "select nosuch", "sort nosuch", "group nosuch"])
    func anEmptyListKnowsItsFields(line: String) async {
        #expect(await code("hike list | \(line)") == "E-FIELD-UNKNOWN")
        #expect(await code("hike list | \(line.replacing("nosuch", with: "distance"))") == nil)
    }

    @Test func importing() async throws {
        #expect(await test.run("import walk.gpx | get name") == "Walk, walk 2")
        // Newest first: the row of the track without times has the session's time, a day later.
        #expect(await test.run("hike list | get name") == "walk 2\nWalk")
        #expect(await test.run("hike show Walk | get distance") == "222m")
        #expect(await test.run("hike show Walk | get moving") == "3min20s")
        #expect(await test.run("hike show Walk | get start") == "2026-02-05T08:00:00Z")
        // It is not shown: the time of that walk, its climb and its speed are unknown.
        for field in ["start", "end", "gain", "loss", "moving", "resting", "speed"] {
            #expect(await test.run("hike show 'walk 2' | get \(field)") == "", "\(field)")
        }
        #expect(
            await test.run("hike show Walk | get method").contains(
                "climb between peaks and valleys of 3m or more"))
        #expect(await test.run("hike points Walk | count") == "3")
        #expect(await test.run("hike points 'walk 2' | where time != nothing | count") == "0")
        #expect(await test.run("import walk.gpx --number 2 --name Other --again | get name") == "Other")
    }

    @Test func importsThatFailAddNothing() async {
        #expect(await code("import points.gpx --as hikes") == "E-IMPORT-NOTHING")
        #expect(await code("import bad.gpx") == "E-GPX-XML")
        #expect(await code("import walk.gpx --number 3") == "E-IMPORT-NUMBER")
        #expect(await code("import walk.gpx --number 0") == "E-ARG-RANGE")
        #expect(await code("import nothing.gpx") == "E-FILE-MISSING")
        #expect(await test.run("hike list | count") == "0")
        #expect(await code("undo") == "E-UNDO-NOTHING")
    }

    @Test func namesAndIdentifiers() async throws {
        await test.run("import walk.gpx")
        let id = await test.run("hike show Walk | get id")
        #expect(await test.run("hike show \(id.prefix(6)) | get name") == "Walk")
        #expect(await test.run("hike show WALK | get name") == "Walk")
        #expect(await code("hike show nothing") == "E-REFERENCE-UNKNOWN")
        await test.run("import walk.gpx --again")
        #expect(await code("hike show Walk") == "E-REFERENCE-AMBIGUOUS")
    }

    @Test func editing() async {
        await test.run("import walk.gpx --number 1")
        #expect(await test.run("hike edit Walk --name 'Morning walk' | get name") == "Morning walk")
        #expect(await code("hike edit 'Morning walk' --name ' '") == "E-HIKE-NAME")
        #expect(await code("hike edit 'Morning walk' --name 'Morning walk'") == "E-HIKE-NOCHANGE")
        #expect(await test.run("hike edit 'Morning walk' --comment 'Icy' | get comment") == "Icy")
        #expect(await test.run("hike edit 'Morning walk' --comment '' | get comment") == "")
    }

    private static let all =
        "hike list | select name start end distance gain loss moving resting comment uuid | to csv"

    @Test(arguments: [
        "import walk.gpx --again", "hike edit Walk --name Other", "hike edit Walk --comment Icy",
        "hike delete Walk",
        "hike crop Walk --from 2026-02-05T08:01:00Z", "hike crop Walk --radius 50m",
        "hike split Walk --distance 100m",
        "hike reverse Walk", "hike shift Walk --time -1h",
        "hike merge Walk 'walk 2'",
    ])
    func everyChangeIsTakenBack(entry: String) async throws {
        await test.run("import walk.gpx")
        let before = await test.run(Self.all)
        await test.run("let walk = hike show Walk")
        let track = await test.run("hike points $walk | to csv")
        #expect(track.contains("2026-02-05T08:03:20Z"))
        #expect(await test.result(entry).failure == nil)
        #expect(await test.run(Self.all) != before)
        #expect(await test.run("undo").hasPrefix("undone: "))
        #expect(await test.run(Self.all) == before)
        #expect(await test.run("hike points $walk | to csv") == track)
    }

    /// Three points at 0 m, 111.2 m and 222.4 m: the second one is in both parts.
    @Test(arguments: ["--distance 100m", "--at 2026-02-05T08:01:40Z", "--place 46.501,7.9"])
    func thePartsOfAHikeHaveItsWholeDistance(cut: String) async {
        await test.run("import walk.gpx --number 1")
        #expect(await test.run("hike split Walk \(cut) | get distance") == "111m\n111m")
        #expect(await test.run("hike points Walk | count") == "2")
        #expect(await test.run("hike points 'Walk (2)' | count") == "2")
        #expect(await test.run("hike show Walk --original | get distance") == "222m")
        #expect(await test.run("hike merge Walk 'Walk (2)' | get distance") == "222m")
        #expect(await test.run("hike show Walk | get moving") == "3min20s")
    }

    @Test func aPauseBelongsToNoPartAndTheLastPointIsNoCut() async {
        await test.run("import walk.gpx --number 1")
        #expect(await code("hike split Walk --distance 150m") == "E-HIKE-RANGE")
        #expect(
            await test.result("hike split Walk --at 2026-02-05T08:03:00Z").failure?.message.contains(
                "its last") == true)
        #expect(await test.run("hike split Walk --gap 1min | get distance") == "0m\n0m\n0m")
    }

    /// The restored recording has no edits; later ones are counted from it.
    @Test func editsAreUndone() async {
        await test.run("import walk.gpx")
        await test.run("hike reverse Walk")
        await test.run("hike crop Walk --skip 150m")
        #expect(await test.run("hike restore Walk | get change") == "2 edits undone")
        #expect(await code("hike restore Walk") == "E-HIKE-NOCHANGE")
        await test.run("hike crop Walk --skip 150m")
        #expect(await test.run("hike restore Walk | get change") == "1 edit undone")
        await test.run("undo")
        #expect(await test.run("hike restore Walk | get change") == "1 edit undone")
        #expect(await test.run("hike show Walk | get edits | count") == "0")
    }

    @Test func statisticsByTheImportsAndByOtherMethods() async {
        await test.run("import walk.gpx")
        let record = await test.run("hike stats Walk")
        for (field, value) in [
            ("points", "3"), ("segments", "1"), ("distance", "222m"), ("gain", "40m"), ("lowest", "500m"),
            ("highest", "540m"), ("unknownElevations", "0"), ("moving", "3min20s"),
        ] {
            #expect(await test.run("hike stats Walk | get \(field)") == value, "\(field)")
        }
        #expect(record.contains("climb between peaks and valleys of 3m or more"))
        // The net climb is left whatever the threshold.
        #expect(await test.run("hike stats Walk --threshold 50m | get gain") == "40m")
        // 111 m in 100 s is slower than 1.2 m/s: all of it is rest then.
        #expect(await test.run("hike stats Walk --rest 1.2m/s | get moving") == "0s")
        #expect(await test.run("hike stats Walk --rest 1.2m/s --pause 1h | get moving") == "3min20s")
        #expect(await code("hike stats Walk --smoothing 4") == "E-UNIT-DIMENSION")
        #expect(await code("hike stats Walk --smoothing 20km") == "E-ARG-RANGE")
        #expect(await code("hike stats Walk --threshold 5s") == "E-UNIT-DIMENSION")
        let all = await test.run("hike stats")
        for (field, value) in [
            ("hikes", "2"), ("distance", "334m"), ("withoutElevations", "1"), ("withoutTimes", "1"),
        ] {
            #expect(await test.run("hike stats | get \(field)") == value, "\(field): \(all)")
        }
        #expect(await code("hike stats Nobody") == "E-REFERENCE-UNKNOWN")
    }

    @Test func statisticsOfAnEmptyStoreAndOfAHikeWithoutPoints() async throws {
        #expect(await test.run("hike stats | get hikes") == "0")
        await test.run("import walk.gpx --number 1")
        try store().connection.write { db in try db.execute(sql: "UPDATE saved_routes SET track_data = x''") }
        #expect(await code("hike stats Walk") == "E-HIKE-NOPOINTS")
        #expect(await code("hike link Walk") == "E-HIKE-NOPOINTS")
    }

    private func store() throws -> HikeStore {
        try HikeStore(test.folder.url.appendingPathComponent("workspace/routes.db"), access: .foreignWritable)
    }

    @Test(arguments: [
        ("import walk.gpx --number 1 --name Two --again", "E-IMPORT-CHANGED"),
        ("hike edit Walk --name Two", "E-HIKE-CHANGED"),
    ])
    func whatAnotherSessionChangedIsNotTakenBack(entry: String, expected: String) async throws {
        await test.run("import walk.gpx --number 1")
        #expect(await test.result(entry).failure == nil)
        let hike = try #require(try store().hikes(named: "Two").first)
        var theirs = hike
        theirs.comment = "theirs"
        #expect(try store().update(hike, to: theirs))
        #expect(await code("undo") == expected)
        #expect(await test.run("hike show Two | get comment") == "theirs")
    }

    @Test func aHikeWithADamagedTrackCanBeListedAndDeleted() async throws {
        await test.run("import walk.gpx --number 1")
        try store().connection.write { db in
            try db.execute(sql: "UPDATE saved_routes SET track_data = x'FFFF'")
        }
        #expect(await test.run("hike list | get name") == "Walk")
        #expect(await code("hike points Walk") == "E-STORE-TRACK")
        #expect(await test.result("hike delete Walk").failure == nil)
        #expect(await test.run("undo") == "undone: deleted hike Walk")
        #expect(await code("hike points Walk") == "E-STORE-TRACK")
    }

    @Test(.enabled(if: RealData.has("gpx"), "the folder of real data is not there"))
    func aRealRecording() async throws {
        let data = try Data(contentsOf: RealData.url("gpx/reference_track_garmin-oregon-700-output.gpx"))
        let test = try TestSession(plugins: { [HikesPlugin()] }, files: ["oregon.gpx": data])
        // By an independent Python program: 22186.12 m, +396.6 m, −407.8 m, 4046 s in motion, 1997 s at
        // rest.
        #expect(await test.run("import oregon.gpx --name Oregon | get gain") == "397m")
        #expect(await test.run("hike list | get loss") == "408m")
        let distance = try #require(try await test.value("hike list | first | get distance").asNumberOfMetres)
        #expect(abs(distance - 22186.1205) < 1e-4)
        #expect(await test.run("hike points Oregon | count") == "997")
    }

    @Test("a track is coloured by what was measured, and nothing stands for what was not")
    func colors() async throws {
        await test.run("import walk.gpx")
        #expect(
            await test.run("hike show Walk | map --color speed --out speed.svg") == "map written to speed.svg"
        )
        let speed = try text(of: "speed.svg")
        // 111.2 m in 100 s: one class, which the legend names.
        #expect(speed.contains("4 km/h") && !speed.contains("speed unknown"))
        await test.run("hike show Walk | map --color grade --out grade.svg")
        #expect(try text(of: "grade.svg").contains("over 15 % up"))
        let lacking = await test.result("hike show Walk | map --color heartrate").failure
        #expect(lacking?.code == "E-PICTURE-NOTHING" && lacking?.message.contains("was not recorded") == true)
        #expect(await code("[46.5,7.9 46.6,7.8] | map --color speed") == "E-PICTURE-NOTHING")
        #expect(await code("hike show Walk | map --color height") == "E-ARG-CHOICE")
        // Beside a track that has the measure, one that lacks it is drawn as unknown.
        await test.run("hike list | map --color speed --out all.svg")
        #expect(try text(of: "all.svg").contains("speed unknown"))
        // A terminal without colours cannot show a scale, and says so.
        #expect(await test.run("hike show Walk | map --color speed").hasSuffix("--out shows the scale"))
    }

    @Test(
        "a size is paper or points, and the legend is part of it",
        arguments: [
            ("a4", "595.28", "841.89"), ("A5-landscape", "595.28", "419.53"), ("800x600", "800", "600"),
        ])
    func sizes(size: String, width: String, height: String) async throws {
        await test.run("import walk.gpx")
        await test.run("hike show Walk | map --color grade --size \(size) --out sized.svg")
        let head = try text(of: "sized.svg").prefix(400)
        #expect(head.contains("width=\"\(width)\"") && head.contains("height=\"\(height)\""), "\(head)")
    }

    @Test(arguments: ["a9", "800", "800x", "10x10", "9000x9000", "x", "a4-portrait"])
    func noSize(size: String) async {
        #expect(await code("[46.5,7.9] | map --size \(size) --out a.svg") == "E-ARG-RANGE")
    }

    /// A damaged track is an error in every command that reads it, with store, row and bytes.
    @Test(arguments: ["hike show Walk | map", "hike show Walk | elevation", "map show", "hike points Walk"])
    func aDamagedTrackIsTold(entry: String) async throws {
        await test.run("import walk.gpx")
        let store = try HikeStore(
            test.folder.url.appendingPathComponent("workspace/routes.db"), access: .own)
        try store.connection.write { db in
            try db.execute(sql: "UPDATE saved_routes SET track_data = x'0102030405' WHERE name = 'Walk'")
        }
        let failure = await test.result(entry).failure
        #expect(failure?.code == "E-STORE-TRACK")
        #expect(failure?.message.contains("routes.db, hike ") == true)
        #expect(failure?.message.contains("5 bytes") == true)
        #expect(await test.result("hike show Walk").failure == nil)
    }

    @Test(
        .enabled(if: RealData.has("malformed/gpx"), "needs the folder of real data"),
        arguments: RealData.files(in: "malformed/gpx"))
    func malformedFilesLeaveTheStoreAsItWas(file: URL) async {
        let result = await test.result("import '\(file.path)'")
        if let failure = result.failure {
            let codes = ["E-IMPORT-NOTHING", "E-IMPORT-KIND"]
            #expect(failure.code.hasPrefix("E-GPX-") || codes.contains(failure.code), "\(file): \(failure)")
            #expect(await test.run("hike list | count") == "0")
        } else {
            let readable = ["bad_lat_out_of_range.gpx", "bad_truncated.gpx"].contains(file.lastPathComponent)
            #expect(file.lastPathComponent.hasPrefix("edge_") || readable, "\(file.lastPathComponent)")
        }
    }
}

extension Value {
    /// Metres of a length, also of one in a list of one.
    fileprivate var asNumberOfMetres: Double? {
        switch self {
        case .quantity(let quantity): quantity.value
        case .list(let items): items.first?.asNumberOfMetres
        default: nil
        }
    }
}
