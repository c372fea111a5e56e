import CivilTime
import Foundation
import Logging
import PluginKit
import Synchronization
import Testing

@testable import Workbench

/// What is printed: complete for programs, fitted and harmless for terminals.
@Suite struct OutputTests {
    /// Without it a cancelled train reads like a running one.
    @Test func whatSaysWhetherARowHoldsIsTheLastToGo() throws {
        let cells: [Value] = ["09:12", "Airport and further", "accessible", "trip-number-12", "Cancelled"].map
        { .text($0) }
        let shown = try Self.table(["time", "headsign", "wheelchair", "trip", "status"], [cells], width: 40)
        #expect(shown.contains("Cancelled"))
        #expect(shown.contains("2 columns not shown: wheelchair, trip") || shown.contains("not shown: trip"))
    }

    private static func table(_ columns: [String], _ cells: [[Value]], width: Int) throws -> String {
        var environment = PluginKit.Environment.notebook
        environment.width = width
        return try ValueRenderer(environment: environment).text(.table(columns: columns, cells: cells))
    }

    @Test func numbersAreNeverCutAndWhatIsMissingIsNamed() throws {
        let row: [Value] = [
            .text("a long name of a place that does not fit"), .integer(123_456_789), .nothing,
            .quantity(Quantity(1234.5, .length)),
        ]
        let shown = try Self.table(["name", "id", "note", "far"], [row], width: 40)
        #expect(shown.contains("123456789") && shown.contains("1.2345km"))
        #expect(shown.hasSuffix("… 1 column not shown: note; cut: name (set view wide)"))
        #expect(shown.split(separator: "\n").dropLast().allSatisfy { DisplayWidth.of($0) <= 40 })
        let narrow = try Self.table(["id", "far", "name"], [[row[1], row[3], row[0]]], width: 20)
        #expect(
            narrow == "       id       far\n123456789  1.2345km\n… 1 column not shown: name (set view wide)")
    }

    @Test func aTableThatFitsHasNoRemark() throws {
        #expect(try Self.table(["a", "b"], [[.integer(1), .nothing]], width: 20) == "a  b\n1")
    }

    @Test func viewsOfRows() async throws {
        let data = try await DataSession.withHuts()
        _ = await data.run("set view record")
        #expect(
            await data.run("$huts | first 2 | select name beds")
                == "name  Illa\nbeds  50\n\nname  Sorteny\nbeds  46")
        #expect(await data.code("set view nosuch") == "E-ARG-CHOICE")
    }

    /// The first rows of `to csv` arrive before the last is computed, and nothing is lost or doubled.
    @Test(arguments: ["csv", "json --compact"]) func aPipeGetsTheFirstRowsAtOnce(format: String) async throws
    {
        let data = try DataSession()
        let pieces = Mutex<[String]>([])
        var environment = PluginKit.Environment.notebook
        environment.isPipe = true
        var configuration = SessionConfiguration(
            seed: 1, clock: SessionClock(standingAt: Timestamp(milliseconds: 0)), environment: environment,
            workspace: data.folder.appendingPathComponent("w", isDirectory: true),
            files: FileAccess(unconfinedIn: data.folder), log: Logger(label: "test"),
            progress: ProgressReporter())
        configuration.output = { piece in pieces.withLock { $0.append(piece) } }
        let session = try Session(configuration: configuration, plugins: { [] })
        let entry = "range 1 30000 | each {n: it} | to \(format)"
        #expect(await session.run(entry).failure == nil)
        let whole = await data.run(entry)
        #expect(pieces.withLock { $0.count } > 2)
        #expect(pieces.withLock { $0.joined() }.replacing("\r\n", with: "\n") == whole + "\n")
        // Where the value is needed, nothing is written.
        pieces.withLock { $0 = [] }
        #expect(
            await session.run("let t = (range 1 30000 | each {n: it} | to csv); length($t) > 100000").text
                == "")
        #expect(pieces.withLock { $0.joined() } == "true\n")
    }

    @Test func aProgramGetsEveryRowAndColumn() throws {
        var environment = PluginKit.Environment.notebook
        environment.isPipe = true
        let output = EntryOutput()
        let cells = (0..<500).map {
            [Value.integer($0), .text(String(repeating: "x", count: 200)), .nothing]
        }
        try output.show(.table(columns: ["n", "text", "none"], cells: cells), environment)
        let lines = output.text.split(separator: "\n")
        #expect(lines.count == 501)
        #expect(lines[0] == "n\ttext\tnone")
        #expect(lines[500] == "499\t\(String(repeating: "x", count: 200))\t")
        let hostile = EntryOutput()
        try hostile.show(
            .table(columns: ["a\tb"], cells: [[.text("x\ty\nz\u{1B}[2J\u{202E}\\")]]), environment)
        #expect(hostile.text == #"a\tb"# + "\n" + #"x\ty\nz\u{1B}[2J\u{202E}\\"#)
    }

    @Test func listsAreShortOnATerminalAndWholeInAPipe() throws {
        let points = Value.list((1...20).map(Value.integer))
        let rows = Value.list([
            .record(
                Record(keys: ["n", "rows"], values: [points, .table(columns: ["a"], cells: [[points]])]))
        ])
        #expect(
            try ValueRenderer(environment: .notebook).text(rows)
                == "n                rows\n[1 2 … 18 more]  [1 row]")
        var environment = PluginKit.Environment.notebook
        environment.isPipe = true
        let output = EntryOutput()
        try output.show(rows, environment)
        let all = "[" + (1...20).map(String.init).joined(separator: " ") + "]"
        #expect(output.text == "n\trows\n\(all)\t[{a: \(all)}]")
    }

    /// Values with their own form on a terminal are rows for a program.
    @Test func aDescriptionInAPipeIsRows() async throws {
        let data = try DataSession(files: ["u.json": #"[{"a":1},{"a":5}]"#])
        var environment = PluginKit.Environment.notebook
        environment.isPipe = true
        let output = EntryOutput()
        try output.show(try await data.value("open u.json | describe"), environment)
        #expect(output.text == "field\tkind\tfilled\tmissing\tmin\tmax\texample\na\tnumber\t2\t0\t1\t5\t1")
    }

    /// Control characters and marks of direction in every place that data can reach.
    @Test func nothingHarmfulIsShown() async throws {
        let bad = "x\u{1B}]52;c;eA\u{07}\u{9B}2J\u{202E}y\u{2066}z\u{200F}"
        let json = "{\"\(bad.jsonEscaped)\":\"\(bad.jsonEscaped)\"}"
        let data = try DataSession(files: [
            "bad.json": "[\(json),\(json)]", "one.json": json, "bad.csv": "\(bad),b\n\(bad),1\n",
            "bad.txt": bad,
            "bad.geojson": """
            {"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[1.5,42.5]},\
            "properties":\(json)}]}
            """,
        ])
        for line in [
            "open bad.json", "open one.json", "open bad.csv", "open bad.txt", "open bad.geojson",
            "open bad.geojson | map",
            "open bad.json | to markdown", "open bad.csv | to csv", "open bad.csv | describe",
            "open bad.json | first",
            "open bad.csv | select nosuch", "open bad.csv | group b | get rows",
            "set view record; open bad.csv",
            "let a = open one.json; let", "open bad.txt | from json", "[1] | where it == '\(bad)'",
            "nosuch\(bad)",
            "source bad.txt", "def f [] { '\(bad)' + 1 }; f",
        ] {
            let shown = await data.run(line)
            let harmful = shown.unicodeScalars.filter {
                $0 != "\n" && $0 != "\t" && TerminalText.isHarmful($0)
            }
            #expect(harmful.isEmpty, "\(line) shows \(harmful.map { String($0.value, radix: 16) })")
        }
    }

    @Test func theLastBoundaryLetsColoursThrough() {
        let text = "\u{1B}[1mhead\u{1B}[0m\r\nx\u{1B}]52;c;eA\u{07}y\u{1B}[2J\u{202E}\tz"
        #expect(TerminalText.styled(text) == "\u{1B}[1mhead\u{1B}[0m\nx·]52;c;eA·y·[2J·\tz")
    }

    @Test func commandLinesAreHelpful() async throws {
        let data = try await DataSession.withHuts()
        #expect(await data.run("$huts | first --help").hasPrefix("first: "))
        #expect(await data.run("notebook --help") == data.run("help notebook"))
        #expect(await data.run("notebook --help").hasPrefix("notebook: "))
        #expect(await data.run("$huts | sort beds -d").contains("--descending"))
        #expect(await data.run("$huts | first -x").contains("takes no options"))
        #expect(
            await data.run("$huts | where name != F-TRANSIT-SEARCH").contains(
                "fix: quote text that has signs: 'F-TRANSIT-SEARCH'"))
        #expect(await data.run("let n = 3; assert $n * 2 == 7").contains("$n * 2 = 6"))
    }

    @Test func describeShowsWhatIsMissing() async throws {
        let data = try DataSession(files: ["u.json": #"[{"a":1},{"a":5,"b":"x"}]"#])
        #expect(
            await data.run("open u.json | describe") == """
                table of 2 rows
                field  kind    filled  missing  min  max  example
                a      number       2        0    1    5  1
                b      text         1        1            x
                """)
    }
}

extension String {
    fileprivate var jsonEscaped: String {
        unicodeScalars.map { $0.value < 0x20 ? "\\u" + String(format: "%04x", $0.value) : String($0) }
            .joined()
    }
}
