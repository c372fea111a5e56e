import Foundation
import PluginKit
import Testing

@testable import Workbench

/// What is said of rows reaches the last thing that is printed of them.
struct CarriedNoteTests {
    /// Decimal commas, which the reader says in a note.
    private static let files = ["semi.csv": "name;price\nA;1,5\nB;22,25\nC;3,0\n"]

    private func notices(_ data: DataSession, _ entry: String) async -> [String] {
        let collector = NoticeCollector()
        _ = await NoticeCollector.$current.withValue(collector) { await data.run(entry) }
        return collector.all
    }

    @Test func aNoteStaysBelowWhatIsMadeOfTheRows() async throws {
        let data = try DataSession(files: Self.files)
        let note = try #require(try await data.value("open semi.csv").asRows?.note)
        for step in [
            "where price > 2", "select name", "sort price", "first 2", "where price > 1 | select name",
        ] {
            let rows = try await data.value("open semi.csv | \(step)").asRows
            #expect(rows?.note == note, "\(step)")
        }
        #expect(await data.run("open semi.csv | where price > 2").hasSuffix(note))
    }

    @Test func ofOtherValuesItIsANotice() async throws {
        let data = try DataSession(files: Self.files)
        let note = try #require(try await data.value("open semi.csv").asRows?.note)
        for step in ["count", "max price", "first", "to json"] {
            #expect(await notices(data, "open semi.csv | \(step)") == [note], "\(step)")
        }
        #expect(await notices(data, "[1 2 3] | count") == [])
    }

    @Test func aNoteIsSaidOnce() async throws {
        let data = try DataSession(files: Self.files)
        let note = try #require(try await data.value("open semi.csv").asRows?.note)
        let text = await data.run("open semi.csv | where price > 2 | select name price | sort name")
        #expect(text.components(separatedBy: note).count == 2)
    }

    @Test(arguments: [
        ("a.json", #"{"a":1,"a":2}"#, "open a.json"),
        ("a.json", #"{"a":1,"a":2}"#, "from json --file a.json"),
        ("a.jsonl", "{\"a\":1}\n{\"a\":1,\"a\":2}\n", "open a.jsonl"),
        (
            "a.geojson", #"{"type":"FeatureCollection","features":[],"features":[]}"#,
            "open a.geojson | count"
        ),
    ])
    func keysThatRepeatAreSaid(name: String, text: String, entry: String) async throws {
        let data = try DataSession(files: [name: text])
        let said = await notices(data, entry)
        #expect(said.count == 1 && said[0].contains("repeat"), "\(said)")
    }
}
