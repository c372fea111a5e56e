import Foundation
import PluginTestKit
import TerminalTestKit
import Testing

/// Control characters and marks of direction in every field of every format: the bytes that arrive at a terminal.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: PluginFolders.have("Waypoints", "Hikes"), "needs Waypoints and Hikes"))
struct TerminalEscapeTests {
    /// Sequences that would set the clipboard, clear the screen and turn the direction of writing.
    private static let bad = "x\u{1B}]52;c;eA\u{07}\u{9B}2J\u{202E}y\u{2066}z\u{200F}"
    /// The part of it that XML allows.
    private static let badXML = "x\u{9B}2J\u{202E}y\u{2066}z\u{200F}"
    private static let badJSON = "x\\u001b]52;c;eA\\u0007\\u009b2J\\u202ey\\u2066z\\u200f"

    private static let files: [String: String] = [
        "a.csv": "n\(bad),b\n\(bad),1\n",
        "a.json": "[{\"\(badJSON)\": \"\(badJSON)\", \"l\": [\"\(badJSON)\"]}]",
        "a.geojson": """
        {"type":"FeatureCollection","features":[{"type":"Feature","id":"\(badJSON)","geometry":{"type":"Point",\
        "coordinates":[7.9,46.5]},"properties":{"name":"\(badJSON)","\(badJSON)":"\(badJSON)"}}]}
        """,
        "a.gpx": """
        <gpx creator="\(badXML)"><metadata><name>\(badXML)</name><desc>\(badXML)</desc><keywords>\(badXML)</keywords>\
        <author><name>\(badXML)</name></author></metadata><wpt lat="46.5" lon="7.9"><name>\(badXML)</name>\
        <cmt>\(badXML)</cmt><desc>\(badXML)</desc><sym>\(badXML)</sym><type>\(badXML)</type><src>\(badXML)</src></wpt>\
        <trk><name>\(badXML)</name><cmt>\(badXML)</cmt><type>\(badXML)</type><trkseg>\
        <trkpt lat="46.5" lon="7.9"><ele>1</ele><time>2026-02-06T08:00:00Z</time></trkpt>\
        <trkpt lat="46.51" lon="7.9"><ele>9</ele><time>2026-02-06T08:30:00Z</time></trkpt></trkseg></trk></gpx>
        """,
        "a.kml": """
        <kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>\(badXML)</name><Placemark><name>\(badXML)</name>\
        <description>\(badXML)</description><ExtendedData><Data name="\(badXML)"><value>\(badXML)</value></Data>\
        </ExtendedData><Point><coordinates>7.9,46.5</coordinates></Point></Placemark></Document></kml>
        """,
        "a.tcx": """
        <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities>\
        <Activity Sport="\(badXML)"><Id>2026-02-06T08:00:00Z</Id><Notes>\(badXML)</Notes></Activity></Activities>\
        </TrainingCenterDatabase>
        """,
        "a.txt": "\(bad)\n",
        "a.rut": "'\(bad)'\n'\(bad)' + 1\n",
        "a.md": """
        # \(bad)

        Prose \(bad).

        ```rutter
        rutter> '\(bad)'
        \(bad)
        ```
        """,
    ]

    private static let lines =
        files.keys.sorted().flatMap { file in
            [
                "open \(file)", "open \(file) | first", "open \(file) | to csv", "open \(file) | to markdown",
                "open \(file) | describe",
            ]
        } + [
            "open a.geojson | map", "open a.kml | map", "open a.csv | select nosuch",
            "import a.gpx --as waypoints",
            "waypoint list | select label note", "waypoint list | first", "waypoint list | map",
            "import a.gpx",
            "hike list", "hike list | first", "import a.tcx", "source a.rut", "notebook run a.md",
            "let a = open a.json; let", "open a.json | to json; $_",
        ]

    private static func harmful(_ transcript: String) -> [String] {
        ["\u{1B}]52", "\u{9B}", "\u{202E}", "\u{2066}", "\u{200F}", "\u{07}"].filter(transcript.contains)
            .map(\.debugDescription)
    }

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, text) in files { try Data(text.utf8).write(to: folder.url.appendingPathComponent(name)) }
        return folder
    }

    private static func environment(_ home: TemporaryFolder) -> [String: String] {
        ["HOME": home.url.path, "TERM": "xterm-256color", "LANG": "C.UTF-8", "NO_COLOR": "1", "TZ": "UTC"]
    }

    @Test func nothingFromDataControlsTheTerminal() async throws {
        let home = try Self.folder()
        let terminal = try PseudoTerminal(
            RutterProcess.executable.path, ["--seed", "42", "--clock", "2026-02-06T08:00:00Z"],
            environment: Self.environment(home), columns: 100)
        try await terminal.waitFor("rutter> ")
        for line in Self.lines {
            // Its files stand in the home folder; the process runs elsewhere.
            let absolute = line.replacing(/a\.[a-z]+/) {
                home.url.appendingPathComponent(String($0.output)).path
            }
            terminal.send(absolute + "\r")
            try await terminal.waitFor("\r\n")
            try await terminal.waitFor("rutter> ")
            #expect(
                Self.harmful(terminal.transcript).isEmpty, "\(line): \(Self.harmful(terminal.transcript))")
        }
        // Both kinds of data did arrive: what was shown are the rests of the sequences.
        #expect(terminal.transcript.contains("·]52;c;eA·") && terminal.transcript.contains("x·2J·y·z·"))
    }

    @Test(arguments: [
        ["run", "a.md"], ["test", "a.md"], ["run", "a.rut"], ["-c", "open a.csv"], ["-c", "'\(bad)' + 1"],
    ])
    func norFromNotebooksAndScripts(arguments: [String]) async throws {
        let home = try Self.folder()
        let absolute = arguments.map {
            $0.replacing(/\ba\.[a-z]+/) { home.url.appendingPathComponent(String($0.output)).path }
        }
        let terminal = try PseudoTerminal(
            RutterProcess.executable.path, absolute, environment: Self.environment(home), columns: 100)
        _ = try await terminal.waitForExit()
        #expect(Self.harmful(terminal.transcript).isEmpty, "\(Self.harmful(terminal.transcript))")
        #expect(terminal.transcript.contains("]52;c;eA"))
    }
}
