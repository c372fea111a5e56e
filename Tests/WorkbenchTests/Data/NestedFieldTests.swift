import Foundation
import Testing

@testable import Workbench

/// Fields within fields, and names with full stops, as flattened files have them: one rule in commands and in expressions.
struct NestedFieldTests {
    /// What a row lacks is nothing, at any depth.
    @Test(arguments: [
        ("where a.b == 1 | count", "1"), ("where it[\"a\"].b == 1 | count", "1"),
        ("where it.a.b == 1 | count", "1"), ("where a.b == nothing | count", "3"),
        ("where it[\"c\"] == 2 | count", "1"), ("where t[0] == x | count", "1"),
        ("summarize max(a.b)", "maxB  \n   1"), ("extend d=a.b * 2 | sum d", "2"),
    ])
    func missingFieldsAreNothing(entry: String, expected: String) async throws {
        let data = try DataSession(files: [
            "n.json": #"[{"a":{"b":1}},{"a":{"e":3}},{"a":null},{"c":2,"t":["x"]}]"#
        ])
        let shown = await data.run("open n.json | \(entry)")
        if entry.hasPrefix("summarize") {
            #expect(shown.hasSuffix("\n   1"), "\(shown)")
        } else {
            #expect(shown == expected)
        }
    }

    @Test(arguments: [
        "where a.x == 1", "where it[\"z\"] == 1", "where it.z == 1", "where z.b == 1", "each a.x",
    ])
    func whatNoRowHasIsAnError(entry: String) async throws {
        let data = try DataSession(files: ["n.json": #"[{"a":{"b":1}},{"a":{"e":3}},{"a":null},{"c":2}]"#])
        let code = await data.code("open n.json | \(entry)")
        #expect(code == "E-FIELD-UNKNOWN")
    }

    /// A flattened header keeps its names.
    @Test(arguments: [
        ("select id location.lat | to csv", "id,location.lat\n1,46.5\n2,46.6"),
        ("where location.lat > 46.55 | get id", "2"), ("reject location.lat | to csv", "id\n1\n2"),
        ("group location.lat | select location.lat | to csv", "location.lat\n46.5\n46.6"),
        ("extend x=location.lat * 2 | get x", "93\n93.2"), ("max location.lat", "46.6"),
    ])
    func namesWithFullStops(entry: String, expected: String) async throws {
        let data = try DataSession(files: ["f.csv": "id,location.lat\n1,46.5\n2,46.6\n"])
        let shown = await data.run("open f.csv | \(entry)")
        #expect(shown == expected)
    }

    /// Parts of a value that has them, and what has none.
    @Test func partsOfValues() async throws {
        let data = try DataSession()
        let north = await data.run("[{at: 46.5,7.9} {at: 46.6,7.9}] | where at.latitude > 46.55deg | count")
        #expect(north == "1")
        let wrong = await data.run("[{at: 46.5,7.9}] | where at.lat > 46.55deg")
        #expect(wrong.contains("latitude"), "\(wrong)")
        let plain = await data.run("[46.5,7.9 46.6,7.9] | where it.latitude > 46.55deg | count")
        #expect(plain == "1")
        let text = await data.code("[{a: 'x'}] | where a.b == 1")
        #expect(text == "E-FIELD-UNKNOWN")
    }
}
