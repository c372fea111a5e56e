import Formats
import Foundation
import PluginKit
import Testing

@testable import Workbench

@Suite("Reading JSON, CSV and text")
struct ReadingTests {
    private func json(_ text: String) throws -> Value {
        try jsonValue(Array(text.utf8))
    }

    private func failure(_ body: () throws -> Void) -> RutterError? {
        do { try body() } catch { return error as? RutterError }
        return nil
    }

    @Test("kinds of JSON values, in the order of their members")
    func kinds() throws {
        let value = try json(
            #"{"z":1,"a":-2.5e3,"b":[true,null],"t":"é\u00e9\ud83d\ude00\/\n","big":123456789012345678901}"#)
        #expect(value.fieldNames == ["z", "a", "b", "t", "big"])
        #expect(value.field("z")?.kindName == "number")
        #expect(value.field("a")?.asNumber == -2500)
        #expect(value.field("big").map { ValueText.inline($0) } == "123456789012345678901")
        guard case .text(let text)? = value.field("t") else { throw CommonErrors.inputKind("no text") }
        #expect(text == "éé😀/\n")
    }

    @Test("of members with the same name the last one stays")
    func duplicates() throws {
        #expect(try json(#"{"a":1,"b":2,"a":3}"#).field("a")?.asNumber == 3)
        let many = (0..<40).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        let value = try json("{\(many),\"k39\":1,\"k2\":7,\"k12\":8}")
        #expect(value.fieldNames?.count == 40)
        #expect(["k39", "k2", "k12"].map { value.field($0)?.asNumber } == [1, 7, 8])
    }

    @Test("arrays of objects are tables with the fields of all of them, others lists")
    func tables() throws {
        #expect(try json(#"[{"a":1,"b":2},{"b":3,"a":4}]"#).kindName == "table")
        #expect(try json(#"[{"a":1},{"b":3}]"#).asRows?.columns == ["a", "b"])
        #expect(try json(#"[{"a":1},2]"#).kindName == "list")
        #expect(try json("[]").kindName == "list")
        #expect(try json("[{}]").kindName == "list")
    }

    @Test(
        "what is not JSON",
        arguments: [
            "", "  ", "{", "[1,]", "[1 2]", "{\"a\":}", "{a:1}", "{\"a\":1,}", "01", "1.", ".5", "+1", "1e",
            "nul",
            "\"a", "\"\t\"", #""\x""#, #""\ud800""#, #""\ud800\u0041""#, #""\u12g4""#, "1 2", "'a'", "1e999",
            "NaN",
            "// c\n1", "\u{FEFF}\u{FEFF}1",
        ])
    func malformed(_ text: String) {
        #expect(failure { _ = try json(text) }?.code == "E-DATA-JSON")
    }

    @Test("errors know line and column")
    func position() throws {
        let error = failure { _ = try json("{\n  \"é\": tru\n}") }
        #expect(error?.message == "line 2, column 8: $.é: expected a value")
        let bytes: [UInt8] = Array("[\n\"".utf8) + [0xC3, 0x28] + Array("\"]".utf8)
        let encoding = failure { _ = try jsonValue(bytes, TextOrigin(file: "x.json")) }
        #expect(encoding?.code == "E-DATA-UTF8")
        #expect(encoding?.place == .file(path: "x.json", line: 2, column: 2))
    }

    @Test("hostile nesting is refused, not fatal")
    func nesting() throws {
        let fine = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        #expect(try json(fine).kindName == "list")
        #expect(failure { _ = try json(String(repeating: "[", count: 1_000_000)) }?.code == "E-DATA-DEPTH")
        let objects = String(repeating: "{\"a\":", count: 100_000)
        #expect(failure { _ = try json(objects) }?.code == "E-DATA-DEPTH")
    }

    @Test("CSV: line ends, quotes, marks, kinds of cells")
    func csv() async throws {
        let data = try DataSession(files: [
            "a.csv": "\u{FEFF}name,n,zip,q,e\r\n\"a,\"\"b\"\"\nc\",1.5,0042,\"7\",\r\n\r\nx,-2,1e3,y,z",
            "cr.csv": "a\r1\r2\r", "empty.csv": "", "head.csv": "a,b\n", "dup.csv": "a,a,\n1,2,3\n",
            "semi.csv": "a;b\n1;2\n", "t.tsv": "a\tb\n1\t2\n",
        ])
        #expect(
            await data.run("open a.csv | to json --compact")
                == #"[{"name":"a,\"b\"\nc","n":1.5,"zip":"0042","q":"7","e":null},{"name":"x","n":-2,"zip":"1e3","q":"y","e":"z"}]"#
        )
        #expect(await data.run("open cr.csv | sum a") == "3")
        #expect(await data.run("open empty.csv | count") == "0")
        #expect(await data.run("open head.csv | count") == "0")
        #expect(await data.run("open dup.csv | first | to json") == #"{"a": 1, "a2": 2, "column3": 3}"#)
        #expect(await data.run("from csv --file semi.csv --separator ';' | get b") == "2")
        #expect(await data.run("open t.tsv | get b") == "2")
        #expect(await data.run("from csv --file semi.csv --no-header | count") == "2")
        #expect(
            await data.run("from csv --file head.csv --no-header | first | to json")
                == #"{"column1": "a", "column2": "b"}"#)
        #expect(await data.run("\"a\\n1\" | from csv --text | to json --compact") == #"[{"a":"1"}]"#)
        #expect(await data.code("'a' | from csv --separator ab") == "E-ARG-RANGE")
    }

    @Test(
        "CSV: what is wrong, with its line",
        arguments: [
            ("a,b\n1,2\n3\n", "line 3: the row has 1 cell, the first line 2"),
            ("a\n\"x\n\ny", "line 2: the quote is not closed"),
            ("a\nx\"y", "line 2: a quote inside an unquoted field"),
            ("a\n\"x\"y", "line 2: unexpected text after a closing quote"),
            ("a\n\"1\n2\"\n1,2", "line 4: the row has 2 cells, the first line 1"),
        ])
    func csvErrors(_ text: String, _ message: String) throws {
        let source = CSVSource(
            bytes: DataBytes(Array(text.utf8)), origin: TextOrigin(file: nil),
            options: CSVOptions(separator: UInt8(ascii: ",")))
        let error = failure {
            guard case .rows(let rows) = try source.rows() else { return }
            _ = try rows.collect()
        }
        #expect(error?.code == "E-DATA-CSV")
        #expect(error?.message == message)
    }

    @Test("a CSV file is read while it is asked for")
    func csvStreams() async throws {
        let good = (1...50_000).map { "\($0),x" }.joined(separator: "\n")
        let data = try DataSession(files: ["big.csv": "n,s\n\(good)\nbroken"])
        #expect(await data.run("open big.csv | first 2 | sum n") == "3")
        #expect(await data.run("open big.csv | count").contains("at big.csv:50002"))
    }

    @Test("lines and text")
    func lines() async throws {
        let data = try DataSession(files: ["l.txt": "\u{FEFF}one\r\n\ntwo\n"])
        #expect(await data.run("from lines --file l.txt | to json") == #"["one", "", "two"]"#)
        #expect(await data.run("open l.txt") == "one\n\ntwo\n")
        #expect(await data.run("'' | from lines | count") == "0")
        try Data([0x61, 0x0A, 0xFF]).write(to: data.folder.appendingPathComponent("bad.txt"))
        #expect(await data.run("from lines --file bad.txt | count").contains("at bad.txt:2:1"))
        #expect(await data.code("open bad.txt") == "E-DATA-UTF8")
    }

    @Test("GeoJSON that was written reads back as the same rows")
    func geojson() async throws {
        let data = try DataSession()
        let rows = "[42.5,1.5,2300m 42.6,1.6] | each it | save line.geojson"
        _ = try await data.value(rows)
        #expect(
            await data.run("open line.geojson | get line | to json --compact")
                == #"[[{"latitude":42.5,"longitude":1.5,"altitude":2300},{"latitude":42.6,"longitude":1.6}]]"#
        )
        let text =
            #"{"type":"Feature","id":7,"geometry":{"type":"Point","coordinates":[1.5,42.5]},"properties":{"at":1,"n":"x"}}"#
        #expect(
            await data.run("'\(text)' | from geojson | to csv") == "at,id,propertyAt,n\n\"42.5,1.5\",7,1,x")
        #expect(await data.run("'\(text)' | from geojson | to geojson | from geojson | get at") == "42.5,1.5")
        let swapped =
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1.5,92]},"properties":null}"#
        #expect(await data.run("'\(swapped)' | from geojson | get geometry.type") == "Point")
        #expect(await data.code("'{}' | from geojson") == "E-DATA-JSON")
    }

    @Test("a damaged text is refused as data")
    func damagedText() async throws {
        let data = try DataSession(files: ["cut.json": #"[{"a":1234},{"a":12"#, "cut.jsonl": #"{"a":1,"b":"#])
        #expect(await data.code("open cut.json") == "E-DATA-JSON")
        #expect(await data.code("open cut.jsonl") == "E-DATA-JSON")
        #expect(await data.code("'[1 2]' | from json") == "E-DATA-JSON")
        #expect(await data.code("'[1 2' | from json") == "E-DATA-JSON")
    }

    @Test("from: one source, and text only")
    func source() async throws {
        let data = try DataSession(files: ["a.json": "1"])
        #expect(await data.code("from json") == "E-DATA-SOURCE")
        #expect(await data.code("'1' | from json --file a.json") == "E-DATA-SOURCE")
        #expect(await data.code("5 | from json") == "E-INPUT-KIND")
        #expect(await data.code("from json --file none.json") == "E-FILE-MISSING")
    }
}
