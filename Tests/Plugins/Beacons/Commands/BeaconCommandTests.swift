import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import BeaconsPlugin

/// Every command of beacons through the language: results, errors, and the contents of files.
struct BeaconCommandTests {
    private let test: TestSession

    init() throws { test = try TestSession(plugins: { [BeaconsPlugin()] }) }

    private func code(_ entry: String) async -> String? { await test.result(entry).failure?.code }

    private func file(_ name: String) -> URL { test.folder.url.appendingPathComponent("workspace/\(name)") }

    private func json(_ name: String) throws -> [[String: Any]] {
        try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file(name))) as? [[String: Any]])
    }

    @Test func examplesPrintWhatTheySay() async throws {
        let failures = await ExampleRunner.failures(of: { [BeaconsPlugin()] })
        #expect(failures == [])
    }

    @Test func everyCommandHasHelp() async {
        for command in BeaconsPlugin().commands {
            let help = await test.run("help \(command.spec.name)")
            #expect(help.contains(command.spec.summary))
            for parameter in command.spec.parameters {
                let isWord = parameter.style == .positional
                #expect(help.contains(isWord ? parameter.name.uppercased() : "--\(parameter.name)"))
            }
        }
    }

    @Test func everyErrorIsExplained() async {
        for kind in BeaconsPlugin().errors {
            #expect(await test.run("explain \(kind.code)").contains(kind.title))
        }
    }

    @Test func northAloneNeedsNoPlace() async throws {
        #expect(await test.run("beacon bearings --heading 90deg | get relative") == "270deg")
        #expect(await code("beacon render --heading 90deg --seconds 1 --simple --out n.wav") == nil)
        await test.run("beacon add home 46.2,7.41")
        #expect(await test.run("beacon bearings --heading 90deg").contains("which home must be heard from"))
    }

    @Test func aPlaceWhereTheListenerIsLiesInNoDirection() async throws {
        await test.run("beacon add home 46.2,7.41")
        let here = "beacon bearings --place 46.2,7.41 --heading 90deg | where beacon == home"
        for field in ["bearing", "relative", "x", "behind", "magnetic"] {
            #expect(await test.run("\(here) | get \(field) | where it != nothing | count") == "0", "\(field)")
        }
        #expect(await test.run("\(here) | get arrived") == "true")
    }

    @Test func theFixOfAHeadingBeyondAFullTurnIsTheSameDirection() async throws {
        #expect(await test.run("beacon bearings --heading 370deg").contains("write 10deg"))
        #expect(await test.run("beacon bearings --heading -370deg").contains("write 350deg"))
    }

    @Test func aSharedToneIsSaid() async throws {
        #expect(await test.run("beacon add a 46.2,7.4 | get tone") == "Warm Alternate")
        #expect(await test.run("beacon add b 46.21,7.4 | get note").contains("sounds the same as north"))
        #expect(await code("beacon edit b --tone warm") == nil)
    }

    @Test func whatIsTooShortToHearIsNoSource() async throws {
        await test.run("beacon add home 46.2,7.41")
        let line = "beacon render --place 46.2,7.4 --heading 0deg --simple --out s.wav --force --seconds"
        #expect(await test.run("\(line) 1 | get sources") == "north")
        #expect(await test.run("\(line) 1 | get notice") == "too short to hear home")
        #expect(await test.run("\(line) 3 | get sources") == "north\nhome")
    }

    /// An app does not require names to differ.
    @Test func ofTwoWithOneNameTheEnabledOneSounds() async throws {
        await test.run("beacon add a 46.21,7.4")
        await test.run("beacon add b 46.22,7.4 ; beacon disable b")
        var entries = try json("locations.json")
        for index in entries.indices { entries[index]["name"] = "inn" }
        try JSONSerialization.data(withJSONObject: entries).write(to: file("locations.json"))
        let shown = await test.run("beacon bearings --place 46.2,7.4 --heading 0deg | each beacon")
        #expect(shown == "north\ninn", "\(shown)")
    }

    /// A recorder that was stopped on the way writes two tracks.
    @Test func allTracksOfAWalkAreWalked() async throws {
        func track(_ steps: ClosedRange<Int>) -> String {
            "<trk><trkseg>"
                + steps.map {
                    let minute = $0 < 10 ? "0\($0)" : "\($0)"
                    return
                        "<trkpt lat=\"\(46.2 + Double($0) * 0.0005)\" lon=\"7.4\"><time>2026-05-04T08:\(minute):00Z</time></trkpt>"
                }.joined() + "</trkseg></trk>"
        }
        try Data("<gpx>\(track(0...5))\(track(6...12))</gpx>".utf8)
            .write(to: test.folder.url.appendingPathComponent("walk.gpx"))
        await test.run("beacon add home 46.206,7.4")
        let shown = await test.run(
            "beacon bearings --track walk.gpx --after 12min | where beacon == home | get distance")
        #expect(shown == "0m", "\(shown)")
    }

    @Test func whatIsAddedStandsInTheAppsFormat() async throws {
        await test.run("beacon add home 46.5,7.25 --tone warm")
        let entry = try #require(try json("locations.json").first)
        #expect(Set(entry.keys) == ["id", "name", "coordinate", "toneProfileId", "isEnabled"])
        #expect(entry["name"] as? String == "home")
        #expect(entry["isEnabled"] as? Bool == true)
        #expect((entry["coordinate"] as? [String: Double]) == ["latitude": 46.5, "longitude": 7.25])
        let id = try #require(entry["id"] as? String)
        #expect(UUID(uuidString: id)?.uuidString == id)
        await test.run("tone edit warm --frequency 610Hz")
        let tone = try #require(try json("tones.json").first { $0["name"] as? String == "Warm Alternate" })
        #expect(tone["id"] as? String == entry["toneProfileId"] as? String)
        #expect(
            Set(tone.keys) == [
                "id", "name", "frequency", "pingDuration", "pingInterval", "echoDelay", "echoAttenuation",
                "fundamentalAmplitude", "harmonic2Amplitude", "harmonic3Amplitude", "harmonic4Amplitude",
                "transientFrequency", "transientAmplitude", "transientDecay", "pingEnvelopeDecay",
                "echoEnvelopeDecay", "frequencySweepAmount",
            ])
    }

    @Test func whatAnAppsFileHasBeyondStays() async throws {
        try FileManager.default.createDirectory(
            at: file("").deletingLastPathComponent(), withIntermediateDirectories: true)
        let text = """
            [{"id": "6f9619ff-8b86-d011-b42d-00c04fc964ff", "name": "office", "isEnabled": false, "note": {"a": [1, null]},
              "toneProfileId": "6F9619FF-8B86-D011-B42D-00C04FC96400",
              "coordinate": {"latitude": -33.5, "longitude": 151}}]
            """
        await test.run("beacon list")
        try Data(text.utf8).write(to: file("locations.json"))
        #expect(await test.run("beacon list | where name == office | get enabled") == "false")
        // Its tone is unknown here: the first is used.
        #expect(
            await test.run("beacon list | where name == office | get tone").contains("Default North Tone"))
        await test.run("beacon edit office --enabled true")
        let entry = try #require(try json("locations.json").first)
        #expect(entry["isEnabled"] as? Bool == true)
        #expect((entry["note"] as? [String: Any])?["a"] != nil)
        #expect(entry["toneProfileId"] as? String == "6F9619FF-8B86-D011-B42D-00C04FC96400")
    }

    @Test(arguments: [
        "", "{}", "[1]", "[{\"id\": 5}]",
        "[{\"id\": \"6F9619FF-8B86-D011-B42D-00C04FC964FF\", \"name\": \"x\"}]",
        "[{\"id\": \"6F9619FF-8B86-D011-B42D-00C04FC964FF\", \"name\": \"x\", \"isEnabled\": true, \"toneProfileId\": "
            + "\"6F9619FF-8B86-D011-B42D-00C04FC964FF\", \"coordinate\": {\"latitude\": 95, \"longitude\": 0}}]",
    ])
    func aDamagedFileIsToldAndLeftAlone(text: String) async throws {
        await test.run("beacon list")
        try Data(text.utf8).write(to: file("locations.json"))
        #expect(await code("beacon list") == "E-BEACON-FILE")
        #expect(await code("beacon add x 1,1") == "E-BEACON-FILE")
        #expect(try Data(contentsOf: file("locations.json")) == Data(text.utf8))
    }

    @Test func damagedTonesAndNorthAreToldToo() async throws {
        await test.run("beacon list")
        try Data(
            "[{\"id\": \"6F9619FF-8B86-D011-B42D-00C04FC964FF\", \"name\": \"x\", \"frequency\": 0}]".utf8
        )
        .write(to: file("tones.json"))
        #expect(await test.run("tone list").contains("x: frequency must be between 20 and 20000, not 0"))
        try FileManager.default.removeItem(at: file("tones.json"))
        try Data("[]".utf8).write(to: file("north.json"))
        #expect(await code("beacon list") == "E-BEACON-FILE")
    }

    @Test func northIsAlwaysThere() async {
        #expect(await test.run("beacon list | get name") == "north")
        for entry in [
            "beacon delete north", "beacon edit North --place 1,1", "beacon edit north --name south",
        ] {
            #expect(await code(entry) == "E-BEACON-NORTH")
        }
        await test.run("beacon edit north --enabled false")
        #expect(await test.run("beacon list | get enabled") == "false")
        #expect(await test.run("beacon bearings --place 1,1 | count") == "0")
        await test.run("undo")
        #expect(await test.run("beacon list | get enabled") == "true")
        #expect(await test.run("beacon edit north --tone warm | get tone") == "Warm Alternate")
    }

    @Test func newBeaconsGetTheToneThatFewestHave() async {
        for name in ["a", "b", "c"] { await test.run("beacon add \(name) 1,1") }
        let tones = await test.run("beacon list | get tone").split(separator: "\n").map(String.init)
        #expect(
            tones == [
                "Default North Tone", "Warm Alternate", "Default North Tone", "Warm Alternate",
            ])
    }

    @Test(arguments: [
        "beacon add b 1,2", "beacon edit a --name c --place 2,2 --tone default", "beacon delete a",
        "beacon edit a --enabled false",
        "beacon edit north --enabled false", "tone add x --frequency 500Hz",
        "tone edit warm --ping-interval 2s --name Warmer",
        "beacon edit north --tone warm",
    ])
    func everyChangeIsTakenBack(entry: String) async throws {
        await test.run("beacon add a 1,1 --tone warm")
        let look = "beacon list | select name at tone enabled; tone list"
        let before = await test.run(look)
        #expect(await test.result(entry).failure == nil)
        #expect(await test.run(look) != before)
        #expect(await test.run("undo").hasPrefix("undone: "))
        #expect(await test.run(look) == before)
    }

    @Test func whatAnotherSessionChangedIsNotTakenBack() async throws {
        await test.run("beacon add a 1,1")
        let other = try String(contentsOf: file("locations.json"), encoding: .utf8)
            .replacingOccurrences(of: "\"a\"", with: "\"theirs\"")
        try Data(other.utf8).write(to: file("locations.json"))
        #expect(await code("undo") == "E-BEACON-CHANGED")
        #expect(await test.run("beacon list | get name") == "north\ntheirs")
    }

    @Test(arguments: [
        ("beacon add 'two\\nlines' 1,1", nil), ("beacon add '' 1,1", "E-BEACON-NAME"),
        ("beacon add '  ' 1,1", "E-BEACON-NAME"), ("beacon add A 1,1", "E-BEACON-NAME"),
        ("beacon add x 91,1", "E-COORDINATE"), ("beacon add x 1,1 --tone none", "E-BEACON-TONE"),
        ("beacon add x somewhere", "E-ARG-KIND"), ("beacon delete x", "E-BEACON-NONE"),
        ("beacon delete a x", "E-BEACON-NONE"), ("beacon edit a", "E-BEACON-NOCHANGE"),
        ("beacon edit a --name north", "E-BEACON-NAME"), ("tone show x", "E-BEACON-TONE"),
        ("tone add 'Warm Alternate'", "E-BEACON-NAME"), ("tone add x --frequency 0Hz", "E-BEACON-TONE"),
        ("tone add x --ping-duration -1s", "E-BEACON-TONE"),
        ("tone add x --ping-duration 9s", "E-BEACON-TONE"),
        ("tone add x --frequency 50", "E-UNIT-DIMENSION"), ("tone edit warm", "E-BEACON-NOCHANGE"),
        ("beacon bearings", "E-BEACON-LISTENER"),
        ("beacon bearings --place 1,1 --heading 500deg", "E-ARG-RANGE"),
        ("beacon render --place 1,1 --turn fast --out x.wav", "E-BEACON-LISTENER"),
        ("beacon render --place 1,1 --turn 90deg/0s --out x.wav", "E-BEACON-LISTENER"),
        ("beacon render --place 1,1 --seconds -1 --out x.wav", "E-ARG-RANGE"),
        ("beacon render --place 1,1 --seconds 1e9 --out x.wav", "E-ARG-RANGE"),
        ("beacon render --place 1,1", "E-ARG-MISSING"),
        ("beacon render --place 1,1 --sofa none.sofa --out x.wav", "E-FILE-MISSING"),
        ("beacon render --track bad.sofa --out x.wav", "E-IMPORT-FORMAT"),
        ("beacon compass --place 1,1 --out x.gif", "E-BEACON-PICTURE"),
    ])
    func badInput(entry: String, code: String?) async throws {
        await test.run("beacon add a 1,1")
        try Data("no sofa".utf8).write(to: test.folder.url.appendingPathComponent("bad.sofa"))
        let files = try FileManager.default.contentsOfDirectory(atPath: test.folder.url.path).sorted()
        let before = await test.run("beacon list; tone list")
        let result = await test.result(entry)
        #expect(result.failure?.code == code, "\(entry)\n\(result.text)")
        if code != nil { #expect(await test.run("beacon list; tone list") == before) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: test.folder.url.path).sorted() == files)
    }

    @Test(.needs(.sofa)) func aFileWithoutAHeadIsRefused() async throws {
        await test.run("beacon add a 1,1")
        try Data("no sofa".utf8).write(to: test.folder.url.appendingPathComponent("bad.sofa"))
        #expect(await code("beacon render --place 1,1 --sofa bad.sofa --out x.wav") == "E-BEACON-SOFA")
        #expect(!FileManager.default.fileExists(atPath: test.folder.url.appendingPathComponent("x.wav").path))
    }

    @Test func bearingsAreGreatCircles() async {
        // By hand: from the equator due east 90°, and to a place 90° of longitude away at 60° north 30° from north.
        await test.run("beacon add east 0,10; beacon add far 60,90; beacon add south -10,0")
        let text = await test.run(
            "beacon bearings --place 0,0 --heading 0deg | where beacon != north | get bearing")
        #expect(text == "90deg\n30deg\n180deg")
    }

    @Test func ownPositionPolesAndTheAntimeridian() async {
        await test.run("beacon add here 10,20; beacon add pole 90,0; beacon add across 10,-179.9")
        let here = await test.run(
            "beacon bearings --place 10,20 | where beacon == here | select distance arrived")
        #expect(here == "distance  arrived\n      0m  true")
        #expect(
            await test.run("beacon bearings --place 10,20 | where beacon == pole | get bearing")
                == "0deg")
        let across = await test.run(
            "beacon bearings --place 10,179.9 | where beacon == across | select distance bearing")
        #expect(across == "distance  bearing\n  21.9km    90deg")
        for pole in ["90,0", "-90,0"] {
            let bearings = await test.result(
                "beacon bearings --place \(pole); beacon compass --place \(pole)")
            #expect(bearings.failure == nil)
            #expect(!bearings.text.contains("nan"))
        }
    }

    @Test func moreThan32LeaveTheFarthestOutAndSaySo() async {
        for number in 0..<33 { await test.run("beacon add b\(number) 0,\(number + 1)") }
        let text = await test.run("beacon bearings --place 0,0 --heading 0deg")
        #expect(text.contains("more than 32 sources: the farthest are omitted: b31, b32"))
        #expect(await test.run("beacon bearings --place 0,0 | count") == "32")
        #expect(await test.run("beacon bearings --place 0,0 | where beacon == 'b31' | count") == "0")
        let notice = await test.run(
            "beacon render --place 0,0 --seconds 0.1 --simple --out w.wav | get notice")
        #expect(notice.contains("b31, b32"))
        await test.run("beacon edit b0 b1 --enabled false")
        #expect(!(await test.run("beacon bearings --place 0,0")).contains("omitted"))
    }

    @Test func aWalkArrivesAndLeavesAgain() async throws {
        // 100 m to the east in 10 s, past a place at 50 m: arrived within 20 m, left at 35 m.
        let points = [(0.0, 0), (0.0009, 10)].map { longitude, second in
            "<trkpt lat=\"0\" lon=\"\(longitude)\"><time>2026-02-06T08:00:\(second < 10 ? "0" : "")\(second)Z</time></trkpt>"
        }
        let gpx =
            "<gpx version=\"1.1\" creator=\"t\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>"
            + points.joined() + "</trkseg></trk></gpx>"
        try Data(gpx.utf8).write(to: test.folder.url.appendingPathComponent("walk.gpx"))
        await test.run("beacon add mid 0,0.00045; beacon edit north --enabled false")
        let text = await test.run("beacon bearings --track walk.gpx --every 1s | select time arrived")
        let arrived = text.split(separator: "\n").dropFirst().map { $0.hasSuffix("true") }
        // By hand: 10 m a second, the place at 50 m; at 4 s one is 10 m away, at 8 s 30 m, at 9 s 40 m.
        #expect(arrived == [false, false, false, false, true, true, true, true, true, false, false])
        let bearing = await test.run("beacon bearings --track walk.gpx | get relative")
        #expect(bearing == "0deg")
        #expect(
            await test.run("beacon render --track walk.gpx --simple --out walk.wav | get arrivals") == "mid")
        #expect(await code("beacon bearings --track walk.gpx --place 1,1") == "E-BEACON-LISTENER")
    }

    @Test func theStepsLeadFromABearingToALevel() async throws {
        await test.run("beacon add home 0,1; beacon edit north --enabled false")
        await test.run("let t = trace beacon ears --place 0,0 --heading 45deg --simple")
        let kinds = await test.run("$t | get kind")
        #expect(
            kinds.split(separator: "\n").map(String.init) == [
                "start", "bearing", "relative", "position", "timbre", "arrival", "gain", "delay", "level",
                "end",
            ])
        // At 45° to the right 4 m away: 2.83 m to the right and as much ahead.
        #expect(await test.run("$t | where kind == position | get values.x") == "2.828")
        #expect(await test.run("$t | where kind == position | get values.z") == "-2.828")
    }

    @Test func renderingSaysByWhichMethod() async throws {
        let simple = await test.run(
            "beacon render --place 1,1 --seconds 0.1 --simple --out a.wav | get method")
        #expect(simple == "time and level difference")
        if FileManager.default.fileExists(atPath: BeaconSettings.systemSofa), NativeLibrary.sofa.isAvailable {
            let measured = await test.run("beacon render --place 1,1 --seconds 0.1 --out b.wav | get method")
            #expect(measured.hasPrefix("measured, default.sofa: 710 directions"))
        }
        #expect(await code("beacon render --place 1,1 --seconds 0.1 --simple --out a.wav") == "E-FILE-EXISTS")
        #expect(await code("beacon render --place 1,1 --seconds 0.1 --simple --out a.wav --force") == nil)
        let pipe = test.folder.url.appendingPathComponent("pipe.wav").path
        try #require(mkfifo(pipe, 0o600) == 0)
        let refused = await code("beacon render --place 1,1 --seconds 0.1 --simple --out pipe.wav --force")
        #expect(refused == "E-FILE-ACCESS")
    }

    @Test func distanceMakesQuieterOnlyWhenAsked() async {
        await test.run("beacon add near 0,0.0005; beacon add far 0,0.009; beacon edit north --enabled false")
        #expect(await test.run("beacon bearings --place 0,0 | get gain") == "1\n1")
        #expect(await test.run("beacon bearings --place 0,0 --fade | get gain") == "1\n0.1")
    }

    @Test func namesOfBeaconsCompleteAndRefer() async throws {
        await test.run("beacon add 'My Home' 46.5,7.5")
        #expect(await test.run("@\"My Home\" | get at") == "46.5,7.5")
        #expect(
            await test.run("beacon bearings --place @\"My Home\" | where beacon != north | get arrived")
                == "true")
    }
}
