import Foundation
import PluginKit
import Testing

@testable import Workbench

/// Rows with different keys: a missing key is nothing, a key that no row has an error.
@Suite struct UnevenRowTests {
    /// The first row lacks what the others have.
    private static let json = """
        [{"name":"A"},{"name":"B","tourism":"alpine_hut","ele":2100},{"name":"C","tourism":"camp","ele":900}]
        """

    private static func session() async throws -> DataSession {
        let data = try DataSession(files: ["places.json": json, "empty.csv": "name,ele\n"])
        _ = try await data.value("let places = open places.json")
        return data
    }

    @Test(arguments: [
        ("where tourism == alpine_hut | get name", "B"), ("where ele > 1000 | get name", "B"),
        ("where not ele > 1000 | get name", "A\nC"), ("sort ele | get name", "C\nB\nA"),
        ("sum ele", "3000"), ("max ele", "2100"), ("mean ele", "1500"), ("min ele", "900"),
        ("group tourism | get count", "1\n1\n1"), ("unique tourism | count", "3"),
        ("each ele | to json", "[null, 2100, 900]"), ("get ele | to json", "[null, 2100, 900]"),
        ("select ele name | first | to json", #"{"ele": null, "name": "A"}"#),
        ("default ele 0 | sum ele", "3000"), ("default tourism none | get tourism", "none\nalpine_hut\ncamp"),
        ("extend high=ele > 1000 | get high", "false\ntrue\nfalse"),
        ("extend twice=ele * 2 | get twice | to json", "[null, 4200, 1800]"),
        ("rename ele height | max height", "2100"), ("where ele == nothing | get name", "A"),
        ("extend kind=coalesce(tourism, 'none') | where name == A | get kind", "none"),
    ])
    func missingKeys(line: String, output: String) async throws {
        let data = try await Self.session()
        #expect(await data.run("$places | " + line) == output)
        // The same rows as a stream, of which the fields are not known beforehand.
        _ = try await data.value("let stream = open places.json | each it")
        #expect(await data.run("$stream | " + line) == output)
    }

    @Test(arguments: [
        "where turism == camp", "sort turism", "sum turism", "max turism", "mean turism", "group turism",
        "unique turism", "each turism", "get turism", "select turism", "default turism 0", "extend x=turism",
        "summarize count(turism)", "summarize count() by turism", "rename turism x",
    ])
    func keysThatNoRowHas(line: String) async throws {
        let data = try await Self.session()
        for source in ["$places", "$places | each it"] {
            let result = await data.session.run("\(source) | \(line)")
            #expect(result.failure?.code == "E-FIELD-UNKNOWN", "\(source) | \(line)")
            #expect(result.failure?.suggestion == "tourism", "\(source) | \(line)")
        }
    }

    @Test(arguments: [
        "select nosuch", "get nosuch", "sort nosuch", "sum nosuch", "unique nosuch", "group nosuch",
        "where nosuch > 1", "where not nosuch", "extend x=nosuch", "each nosuch", "default nosuch 0",
        "rename nosuch x", "summarize max(nosuch) by name", "summarize count() by nosuch", "max nosuch",
        "join [{nosuch: 1}] --on nosuch",
    ])
    func anEmptyTableKnowsItsColumns(line: String) async throws {
        let data = try await Self.session()
        // An empty table, and rows of which a condition leaves none.
        for source in [
            "open empty.csv", "$places | where name == Z", "$places | where name == Z | sort name",
        ] {
            #expect(await data.code("\(source) | \(line)") == "E-FIELD-UNKNOWN", "\(source)")
            let known = line.replacing("nosuch", with: "ele")
            #expect(await data.code("\(source) | \(known)") == nil, "\(source) | \(known)")
        }
    }

    @Test func aBareWordIsNoTextWhereOtherRowsHaveTheField() async throws {
        let data = try await Self.session()
        // In the first row `tourism` is missing; it must not become the word "tourism".
        #expect(await data.run("$places | where name != tourism | count") == "3")
        #expect(await data.run("[{a: tourism} {a: x, tourism: x}] | where a == tourism | get a") == "x")
    }

    @Test func nestedKeysMayBeMissing() async throws {
        let data = try DataSession(files: ["n.json": #"[{"p":{}},{"p":{"h":3}},{}]"#])
        #expect(await data.run("open n.json | get p.h | to json") == "[null, 3, null]")
        #expect(await data.code("open n.json | get p.x") == "E-FIELD-UNKNOWN")
    }
}
