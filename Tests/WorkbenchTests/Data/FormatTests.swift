import CivilTime
import Foundation
import Geodesy
import PluginKit
import Testing

@testable import Workbench

@Suite("Formats that values are written in")
struct FormatTests {
    private func text(_ value: Value, _ format: DataFormat, compact: Bool = true) throws -> String {
        let sink = TextSink()
        try format.writer(.notebook, compact: compact).write(value, to: sink)
        return sink.text
    }

    private static let hut = Record([
        ("label", .text("Refugi <de> l'Illa & Co")),
        ("at", .coordinate(Coordinate(latitude: 42.4953, longitude: 1.6556, altitude: 2488))),
        ("altitude", .quantity(.altitude(2488))), ("category", .text("shelter")), ("note", .text("50 beds")),
        ("timestamp", .date(Timestamp(milliseconds: 1_770_364_800_000))),
    ])

    @Test("KML: points with the data that has no element of its own, lines, no areas")
    func kml() throws {
        var hut = Self.hut
        hut["beds"] = .integer(50)
        let text = try text(.list([.record(hut)]), .kml)
        #expect(text.contains("<name>Refugi &lt;de&gt; l'Illa &amp; Co</name>"))
        #expect(text.contains("<when>2026-02-06T08:00:00Z</when>"))
        #expect(text.contains("<coordinates>1.6556,42.4953,2488</coordinates>"))
        #expect(text.contains("<Data name=\"beds\"><value>50</value></Data>"))
        #expect(!text.contains("name=\"altitude\"") && !text.contains("name=\"label\""))
        let line = Value.list([
            .coordinate(Coordinate(latitude: 1, longitude: 2)),
            .coordinate(Coordinate(latitude: 3, longitude: 4)),
        ])
        #expect(try self.text(line, .kml).contains("<LineString>"))
        #expect(throws: RutterError.self) { try self.text(.list([.list([line])]), .kml) }
    }

    @Test("JSON: base units, places, dates, nulls, nesting")
    func json() throws {
        #expect(
            try text(.record(Self.hut), .json) == """
                {"label":"Refugi <de> l'Illa & Co","at":{"latitude":42.4953,"longitude":1.6556,"altitude":2488},\
                "altitude":2488,"category":"shelter","note":"50 beds","timestamp":"2026-02-06T08:00:00Z"}
                """)
        let numbers: [Value] = [
            .number(.nan), .number(.infinity), .number(-0.0), .number(0.1), .number(1e22), .integer(.min),
            .quantity(Quantity(3, unit: try #require(MeasureUnit.named("mi")))), .nothing, .boolean(true),
        ]
        #expect(
            try text(.list(numbers), .json)
                == "[null,null,0,0.1,1e+22,-9223372036854775808,4828.032,null,true]")
        #expect(try text(.text("a\"\\\n\u{1}\u{9B}é"), .json) == #""a\"\\\n\u0001\u009bé""#)
        let box = BoundingBox(south: 1, west: 2, north: 3, east: 4)
        #expect(try text(.box(box), .json) == #"{"south":1,"west":2,"north":3,"east":4}"#)
    }

    @Test("JSON: the zone of the session shows in dates")
    func jsonZone() throws {
        var environment = Environment.notebook
        environment.timeZone = try #require(TimeZone(identifier: "Europe/Andorra"))
        let sink = TextSink()
        try DataFormat.json.writer(environment).write(
            .date(Timestamp(milliseconds: 1_770_364_800_000)), to: sink)
        #expect(sink.text == "\"2026-02-06T09:00:00+01:00\"")
    }

    @Test("JSON: objects are written by their fields, table rows by the table's columns")
    func jsonObjects() throws {
        let table = Value.table(columns: ["name"], rows: [.object(FormatHut(name: "Illa", beds: 50))])
        #expect(try text(table, .json) == #"[{"name":"Illa"}]"#)
        let hut = Value.object(FormatHut(name: "Illa", beds: 50))
        let nested = Value.record(Record([("hut", hut), ("rows", table)]))
        #expect(try text(nested, .json) == #"{"hut":{"name":"Illa","beds":50},"rows":[{"name":"Illa"}]}"#)
    }

    @Test("JSON: lines that fit stay whole, others are broken up")
    func jsonLayout() throws {
        let long = Value.record(
            Record([("a", .text(String(repeating: "x", count: 90))), ("b", .list([.integer(1)]))]))
        #expect(
            try text(.list([long, .integer(1)]), .json, compact: false) == """
                [
                  {
                    "a": "\(String(repeating: "x", count: 90))",
                    "b": [1]
                  },
                  1
                ]
                """)
        #expect(try text(.list([]), .json, compact: false) == "[]")
        #expect(
            try text(.rows(Rows([.integer(1), .integer(2)]).map { $0 }), .json, compact: false) == "[1, 2]")
    }

    @Test("CSV: quoting, nothing, nested values")
    func csv() throws {
        let row = Record([
            ("plain", .text("a")), ("comma", .text("a,b")), ("quote", .text("a\"b")), ("line", .text("a\nb")),
            ("digits", .text("12")), ("empty", .text("")), ("none", .nothing),
            ("length", .quantity(.metres(1500))),
            ("at", .coordinate(Coordinate(latitude: 1.5, longitude: 2))),
            ("list", .list([.integer(1), .integer(2)])),
        ])
        #expect(
            try text(.list([.record(row)]), .csv)
                == "plain,comma,quote,line,digits,empty,none,length,at,list\r\n"
                + "a,\"a,b\",\"a\"\"b\",\"a\nb\",\"12\",\"\",,1500,\"1.5,2\",\"[1,2]\"")
        #expect(try text(.list([.integer(1), .nothing]), .csv) == "value\r\n1\r\n\"\"")
        let ragged: [Value] = [.record(Record([("a", .integer(1))])), .record(Record([("b", .integer(2))]))]
        #expect(try text(.list(ragged), .csv) == "a,b\r\n1,\r\n,2")
        #expect(throws: RutterError.self) { try text(.integer(1), .csv) }
    }

    @Test("TSV has tabs, and quotes only where a tab, a quote or a line end needs them")
    func tsv() async throws {
        let data = try DataSession(files: ["x.csv": "a,b\n\"1,5 x\",\"t\tb\"\n\"q\"\"\",z\n"])
        #expect(await data.run("open x.csv | to tsv") == "a\tb\n1,5 x\t\"t\tb\"\n\"q\"\"\"\tz")
        _ = await data.run("open x.csv | save x.tsv")
        #expect(await data.run("open x.tsv | to json") == data.run("open x.csv | to json"))
        #expect(await data.run("open x.csv | save x.pdf").contains("fix: … | export 'x.pdf'"))
    }

    @Test("a first line `sep=;` of a spreadsheet is no row, and lines are counted with it")
    func declaredSeparator() async throws {
        let data = try DataSession(files: [
            "s.csv": "sep=;\r\na;b\r\n1;2,5\r\n3\r\n", "n.csv": "sep=,v\n1,2\n",
        ])
        #expect(await data.run("open s.csv | first | get b") == "2.5")
        #expect(await data.run("open s.csv").contains("at s.csv:4"))
        #expect(await data.run("open n.csv | get v") == "2")
    }

    @Test("Markdown: marks are escaped, numbers stand to the right")
    func markdown() throws {
        let rows = Value.list([
            .record(Record([("name", .text("a|b*_c_ <i> x_y\nz")), ("length", .quantity(.metres(1500)))]))
        ])
        #expect(
            try text(rows, .markdown) == """
                | name                      | length |
                | ------------------------- | -----: |
                | a\\|b\\*\\_c\\_ \\<i> x_y<br>z |  1.5km |
                """)
        #expect(try text(.list([.text("a"), .integer(2)]), .markdown) == "- a\n- 2")
        #expect(try text(.record(Record([("a", .integer(1))])), .markdown).hasPrefix("| field | value |"))
    }

    @Test("GeoJSON: longitude first, other fields as properties")
    func geojson() throws {
        #expect(
            try text(
                .list([
                    .record(
                        Record([
                            ("name", .text("x")),
                            ("at", .coordinate(Coordinate(latitude: 42.5, longitude: 1.5))),
                        ]))
                ]), .geojson)
                == #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[1.5,42.5]},"properties":{"name":"x"}}]}"#
        )
        let all = try text(.record(Self.hut), .geojson, compact: false)
        #expect(all.contains(#""coordinates": [1.6556, 42.4953, 2488]"#))
        #expect(try text(.list([]), .geojson) == #"{"type":"FeatureCollection","features":[]}"#)
        // What is written is read back as JSON.
        let read = try jsonValue(Array(all.utf8))
        #expect(read.fieldNames == ["type", "features"])
    }

    @Test("GeoJSON: a line across the antimeridian is cut at ±180 (RFC 7946, 3.1.9)")
    func antimeridian() throws {
        let parts = Antimeridian.parts(of: [
            Coordinate(latitude: 0, longitude: 170), Coordinate(latitude: 10, longitude: -170),
            Coordinate(latitude: 20, longitude: -160),
        ])
        #expect(parts.map { $0.map(\.longitude) } == [[170, 180], [-180, -170, -160]])
        #expect(parts.map { $0.map(\.latitude) } == [[0, 5], [5, 10, 20]])
    }

    @Test("GPX 1.1: elements in the order of the schema, text escaped")
    func gpx() throws {
        let line = Value.list([
            .coordinate(Coordinate(latitude: 42.5, longitude: 1.5, altitude: 1000)),
            .coordinate(Coordinate(latitude: 42.6, longitude: 1.6)),
        ])
        let track = Record([("name", .text("Ridge")), ("points", line)])
        let out = try text(.list([.record(track), .record(Self.hut)]), .gpx)
        #expect(
            out.split(separator: "\n").dropFirst(2).joined(separator: "\n") == """
                  <wpt lat="42.4953" lon="1.6556">
                    <ele>2488</ele>
                    <time>2026-02-06T08:00:00Z</time>
                    <name>Refugi &lt;de&gt; l'Illa &amp; Co</name>
                    <desc>50 beds</desc>
                    <sym>shelter</sym>
                    <type>shelter</type>
                  </wpt>
                  <trk>
                    <name>Ridge</name>
                    <trkseg>
                      <trkpt lat="42.5" lon="1.5"><ele>1000</ele></trkpt>
                      <trkpt lat="42.6" lon="1.6"/>
                    </trkseg>
                  </trk>
                </gpx>
                """)
    }

    @Test("what has no place, or an impossible one, is an error that names the row")
    func noPlace() async throws {
        let data = try await DataSession.withHuts()
        for format in ["geojson", "gpx"] {
            #expect(await data.code("$huts | to \(format)") == "E-DATA-PLACE")
            #expect(await data.code("5 | to \(format)") == "E-DATA-PLACE")
        }
        #expect(await data.run("[42.0,1 5] | to gpx").contains("row 2: a number has no coordinate"))
        let damaged = Value.coordinate(Coordinate(latitude: .nan, longitude: 0))
        #expect(throws: RutterError.self) { try text(damaged, .gpx) }
        #expect(await data.code("$huts | to yaml") == "E-ARG-CHOICE")
    }

    @Test("text: all rows, nothing cut")
    func plainText() async throws {
        let data = try DataSession()
        #expect(await data.run("range 1 300 | to text | from lines | count") == "300")
    }
}

private struct FormatHut: DomainObject {
    let name: String
    let beds: Int
    var typeName: String { "hut" }
    var fieldNames: [String] { ["name", "beds"] }
    var summary: String { name }
    func field(_ field: String) -> Value? {
        switch field {
        case "name": .text(name)
        case "beds": .integer(beds)
        default: nil
        }
    }
}
