import Foundation
import PluginTestKit
import Testing

/// `-` as standard input and output, patterns of files, and options of the output.
@Suite(.timeLimit(.minutes(10)))
struct StandardStreamTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let track = """
        <gpx><trk><trkseg><trkpt lat="46.5" lon="7.9"><time>2026-02-06T08:00:00Z</time></trkpt>\
        <trkpt lat="46.501" lon="7.9"><time>2026-02-06T08:01:30Z</time></trkpt></trkseg></trk></gpx>
        """

    private func run(_ arguments: [String], input: String = "", zone: String = "UTC") throws
        -> RutterProcess.Outcome
    {
        try RutterProcess.run(
            arguments, input: input,
            environment: [
                "XDG_DATA_HOME": folder.url.path + "/data", "XDG_CONFIG_HOME": folder.url.path + "/config",
                "TZ": zone,
            ],
            folder: folder.url)
    }

    private func write(_ text: String, _ path: String) throws {
        let url = folder.url.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    // MARK: Streams

    @Test func whatIsPipedInIsImportedByItsContent() throws {
        let outcome = try run(["import", "-"], input: Self.track)
        #expect(outcome.output.contains("standard-input\timported\t1 hike"), "\(outcome.errors)")
    }

    @Test func whatIsPipedInIsOpened() throws {
        #expect(try run(["-c", "open - | get n"], input: "{\"n\": 7}").output == "7\n")
        #expect(try run(["-c", "open - | count"], input: "a,b\n1,2\n3,4\n").output == "2\n")
        // It can be read again.
        #expect(
            try run(
                ["-c", "from csv --file - | count", "-c", "from csv --file - | max a"], input: "a\n1\n9\n"
            )
            .output == "2\n9\n")
    }

    @Test func whatIsWrittenIsNothingButTheData() throws {
        let outcome = try run(["-c", "[{a: 1}] | save -.csv"])
        #expect(outcome.output == "a\r\n1\r\n")
        #expect(outcome.errors == "note: 6 bytes written to -.csv\n")
        #expect(try run(["-c", "'text' | save -"]).output == "text")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).allSatisfy {
                !$0.hasPrefix("-")
            })
    }

    @Test func aFailedCommandWritesNothing() throws {
        let outcome = try run(["-c", "[1 0] | each 1 / it | save -.json"])
        #expect(outcome.status == 1 && outcome.output == "")
    }

    @Test func aNotebookHasNoStreams() throws {
        try write(
            "# A\n\n```rutter\nrutter> expect-error E-FILE-MISSING open -\nno such file: -\n```\n", "a.md")
        let outcome = try run(["test", "a.md"], input: "{}")
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    // MARK: Patterns

    @Test func patternsNameFilesBelow() throws {
        try write(Self.track, "a/one.gpx")
        try write(Self.track.replacing("46.5", with: "46.7"), "a/b/two.gpx")
        try write(Self.track.replacing("46.5", with: "46.8"), "a/.hidden/three.gpx")
        let all = try run(["import", "a/**/*.gpx"]).output
        #expect(all.contains("one.gpx") && all.contains("two.gpx") && !all.contains("three.gpx"))
        #expect(try run(["import", "a/[n-z]*.gpx"]).output.contains("duplicate"))
        let none = try run(["import", "*.fit"])
        #expect(none.status == 1 && none.errors.contains("no file matches *.fit"))
    }

    /// A part without signs may be a link to a folder, or lead upwards.
    @Test func patternsFollowNamedLinks() throws {
        try write("{\"n\": 1}", "far/a.json")
        try FileManager.default.createSymbolicLink(
            atPath: folder.url.path + "/near", withDestinationPath: folder.url.path + "/far")
        #expect(try run(["-c", "open near/*.json | get n"]).output == "1\n")
        #expect(try run(["-c", "open far/../near/*.json | get n"]).output == "1\n")
        // A link that leads back is no endless walk.
        try FileManager.default.createSymbolicLink(
            atPath: folder.url.path + "/far/back", withDestinationPath: folder.url.path)
        #expect(try run(["-c", "open **/a.json | get n"]).output == "1\n")
    }

    @Test func onePlaceTakesOneFile() throws {
        try write("{\"n\": 1}", "a.json")
        #expect(try run(["-c", "open *.json | get n"]).output == "1\n")
        try write("{\"n\": 2}", "b.json")
        let outcome = try run(["-c", "from json --file *.json"])
        #expect(
            outcome.errors.contains("2 files match *.json")
                && outcome.errors.contains("fix: name one: a.json"))
        // Several of them open as one table.
        #expect(try run(["-c", "open *.json | get n"]).output == "1\n2\n")
        // A file of that very name is meant.
        try write("{\"n\": 3}", "*.json")
        #expect(try run(["-c", "open *.json | get n"]).output == "3\n")
    }

    // MARK: Options

    @Test func resultsAsJSON() throws {
        #expect(try run(["--json", "-c", "1km", "-c", "'a'", "-c", "let x = 2"]).output == "1000\n\"a\"\n")
        #expect(try run(["--json", "range", "1", "3"]).output == "[1, 2, 3]\n")
    }

    @Test func errorsAsJSON() throws {
        let line = try run(["--log", "json", "-c", "open a.csv"]).errors
        #expect(
            line == "{\"code\":\"E-FILE-MISSING\",\"level\":\"error\",\"message\":\"no such file: a.csv\"}\n")
    }

    @Test func quietLeavesNotesOut() throws {
        #expect(try run(["--quiet", "-c", "'a' | save -"]).errors == "")
    }

    @Test func aZoneThatIsNoneIsSaid() throws {
        #expect(try run(["-c", "1"], zone: "Foo/Bar").errors.contains("TZ=Foo/Bar is no time zone"))
        #expect(try run(["-c", "1"], zone: "CET-1CEST").errors.contains("TZ=CET-1CEST is a rule"))
        for zone in [":Europe/Berlin", "CET-1", "Europe/Berlin"] {
            #expect(try run(["-c", "1"], zone: zone).errors == "", "\(zone)")
        }
    }

    // MARK: The start-up file

    @Test func settingsAreKept() throws {
        #expect(try run(["-c", "set units imperial --save", "-c", "set width 90 --save"]).status == 0)
        #expect(try run(["config", "show"]).output == "set units imperial\nset width 90\n")
        // Entries of -c do not depend on it, unless they ask for it.
        #expect(try run(["-c", "100m | to text"]).output == "100m\n")
        #expect(try run(["--config", "-c", "100m | to text"]).output == "328.084ft\n")
        #expect(try run(["-c", "set units default --save"]).status == 0)
        #expect(try run(["config", "show"]).output == "set width 90\n")
        #expect(try run(["-c", "set units furlong --save"]).status == 1)
        #expect(try run(["config", "show"]).output == "set width 90\n")
    }

    @Test func tablesOfTimetablesAreRows() throws {
        try write("\u{FEFF}stop_id,stop_name\r\nA,Alpha\r\n", "stops.txt")
        #expect(try run(["-c", "open stops.txt | get stop_name | first"]).output == "Alpha\n")
        try write("Dear reader, this is a letter.\n", "letter.txt")
        #expect(try run(["-c", "open letter.txt"]).output == "Dear reader, this is a letter.\n\n")
        #expect(try run(["-c", "open letter.txt | count"]).errors.contains("| from csv | count"))
    }

    @Test func rowsAsJSONLines() throws {
        #expect(try run(["-c", "[{a: 1} {a: 2km}] | to jsonl"]).output == "{\"a\":1}\n{\"a\":2000}\n")
        #expect(
            try run(["-c", "[{a: 1} {a: 2}] | save rows.jsonl", "-c", "open rows.jsonl | sum a"]).output
                .hasSuffix("3\n"))
    }
}
