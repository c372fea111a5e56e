import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import ForeignPlugins

/// Values cross to a plugin and back unchanged.
struct ValueCodingTests {
    /// Literals of the language, whose values are compared by what `to json` and the terminal show of them.
    @Test(
        .timeLimit(.minutes(10)),
        arguments: [
            "[nothing]", "(true)", "42", "-7", "0.1", "1e300", "9007199254740993",
            "'a \u{1F97E} \\n \\\" text'",
            "2.5km",
            "90deg", "12min", "3.5m/s", "15%", "440Hz", "46.5,7.9", "46.5,7.9,1250m",
            "2026-02-06T08:00:00.123Z",
            "[1 2.5 km x]", "[]", "[46.5,7.9 46.6,7.9]",
            "'[{\"a\":1,\"b\":null},{\"a\":2,\"b\":[1]}]' | from json",
            "'{\"$quantity\":[1,\"x\"],\"y\":{}}' | from json", "'{\"$table\":1}' | from json",
        ])
    func crossUnchanged(_ literal: String) async throws {
        let session = try await ForeignSession.hostile("good")
        let value = try await session.test.value(literal)
        await session.test.session.setVariable("x", to: value)
        let before = await session.test.run("$x")
        let back = await session.test.run("$x | hostile do")
        #expect(back == before)
        let json = await session.test.run("$x | to json")
        #expect(await session.test.run("$x | hostile do | to json") == json)
        let kind = try await session.test.value("$x | hostile do").kindName
        #expect(kind == value.kindName)
        await session.test.session.close()
    }

    @Test func numbersThatJSONLacks() throws {
        for number in [Double.nan, .infinity, -.infinity] {
            let tree = try ValueCoding().tree(.number(number))
            guard case .number(let back) = try ValueCoding().value(tree) else {
                Issue.record("no number")
                continue
            }
            #expect(back == number || (back.isNaN && number.isNaN))
        }
    }

    @Test func aCutCrosses() throws {
        let rows = Rows(
            [.record(Record([("a", .integer(1))]))], columns: ["a"], cut: Cut(missing: 3, "the limit"))
        guard case .rows(let back) = try ValueCoding().value(try ValueCoding().tree(.rows(rows))) else {
            Issue.record("no rows")
            return
        }
        #expect(back.cut?.summary.contains("the limit") == true)
    }

    @Test(arguments: [
        #"{"$quantity":[1,"parsec"]}"#, #"{"$quantity":["1","km"]}"#, #"{"$coordinate":[1]}"#,
        #"{"$coordinate":[91,0]}"#,
        #"{"$date":"yesterday"}"#, #"{"$box":[2,0,1,0]}"#, #"{"$table":{"columns":["a","a"],"rows":[]}}"#,
        #"{"$table":{"columns":["a"],"rows":[[1,2]]}}"#, #"{"$number":"12"}"#,
        #"{"$quantity":[1,"km"],"x":1}"#,
        #"{"x":1,"$quantity":[1,"km"]}"#, #"{"$object":{"type":"Two words","fields":{}}}"#,
        #"{"$line":[[1,2,3,4]]}"#, #"{"$date":"2026-02-06T08:00"}"#, #"{"$date":"2026-02-06T08:00Z"}"#,
        #"{"$date":"2026-02-06T08:00:00"}"#,
        #"{"$record":[["a"]]}"#,
    ])
    func nonsenseIsRefused(_ text: String) throws {
        let tree = try JSONTree(parsing: Data(text.utf8))
        #expect(throws: JSONFault.self) { _ = try ValueCoding().value(tree) }
    }

    @Test func aLineWithTimesIsRows() throws {
        let tree = try JSONTree(
            parsing: Data(#"{"$line":[[46,7,1000,"2026-02-06T08:00:00Z"],[46.1,7,null,null]]}"#.utf8))
        let value = try ValueCoding().value(tree)
        let rows = try #require(value.asRows)
        #expect(rows.columns == ["at", "time"])
        #expect(try rows.collect().count == 2)
        // It round-trips unchanged.
        #expect(try ValueCoding().tree(value).compactText == tree.compactText)
    }

    /// A line is drawn as one, also from a field; it remains coordinates for everything else.
    @Test func aLineIsDrawn() async throws {
        let line = #"{"$line":[[46,7],[46.1,7.2,900]]}"#
        let session = try await ForeignSession.scripted(
            ForeignSession.command(), result: #"{"value":{"name":"ridge","way":\#(line),"all":[\#(line)]}}"#)
        try await session.test.value("let r = hostile do")
        #expect(await session.test.run("$r.way | count") == "2")
        for entry in ["$r.way", "$r", "$r.all", "[$r]"] {
            #expect(await session.test.run("\(entry) | map --out m.svg --force").contains("m.svg"))
            let svg = try String(
                contentsOf: session.test.folder.url.appendingPathComponent("m.svg"), encoding: .utf8)
            #expect(svg.contains("fill=\"none\" stroke=\"#2F7DE1\" stroke-width=\"3\""), "\(entry)")
            #expect(!svg.contains("fill=\"#2F7DE1\""), "\(entry)")
        }
        await session.test.session.close()
    }
}
