import Foundation
import PluginKit
import Testing

@testable import Workbench

/// Keys that a reader takes for one, and keys that multiply rows.
struct LikeKeyTests {
    private static let owners = """
        [{owner: 'SAC', beds: 10}, {owner: 'sac', beds: 5}, {owner: 'SAC ', beds: 7}, {owner: 'DAV', beds: 3}]
        """

    private func notices(_ data: DataSession, _ entry: String) async -> [String] {
        let collector = NoticeCollector()
        _ = await NoticeCollector.$current.withValue(collector) { await data.run(entry) }
        return collector.all
    }

    /// The advice of the note makes one group of them.
    @Test(arguments: [
        ("summarize sum(beds) by owner", "summarize s=sum(beds) by owner=lower(trim(owner)) | first | get s"),
        ("summarize sum(beds) by o=owner", "summarize s=sum(beds) by o=lower(trim(owner)) | first | get s"),
        (
            "group owner | select owner count",
            "extend owner=lower(trim(owner)) | group owner | first | get rows | sum beds"
        ),
    ])
    func groupsThatDifferByCaseOrBlanks(step: String, repaired: String) async throws {
        let data = try DataSession()
        let text = await data.run("\(Self.owners) | \(step)")
        if step.hasPrefix("summarize") {
            #expect(await data.run("\(Self.owners) | \(step) | first 1").contains("keys that differ"))
            #expect(text.contains("keys that differ only in case: `SAC` and `sac` and 1 more"), "\(text)")
        }
        #expect(await data.run("\(Self.owners) | \(repaired)") == "22")
    }

    @Test func distinctValuesThatLookAlike() async throws {
        let data = try DataSession()
        let said = await notices(data, "['T1' 't1' 'T2'] | unique | count")
        #expect(said.count == 1 && said[0].contains("`T1` and `t1`"), "\(said)")
        #expect(await notices(data, "['T1' 'T2'] | unique | count") == [])
    }

    /// A blank that does not break a line, and a character of zero width.
    @Test(arguments: ["Hut\u{A0}A", "Hut A\u{200B}", "hut  A", "Ｈut A"])
    func keysThatOnlyLookEqualDoNotMeet(other: String) async throws {
        let data = try DataSession()
        _ = await data.run("let right = [{name: '\(other)', w: 1}, {name: 'Hut B', w: 2}]")
        let said = await notices(data, "[{name: 'Hut A'}, {name: 'Hut B'}] | join $right --on name | count")
        #expect(said.count == 1 && said[0].contains("1 value without a match"), "\(said)")
        if other.contains("\u{A0}") { #expect(said[0].contains("`Hut\\u{A0}A`"), "\(said)") }
    }

    @Test func keysThatRepeatOnBothSides() async throws {
        let data = try DataSession()
        _ = await data.run("let right = [{id: 1, w: 1}, {id: 1, w: 2}]")
        let both = await notices(data, "[{id: 1}, {id: 1}] | join $right --on id | count")
        #expect(both == ["`id` repeats on both sides, as 1 does: there is a row for each pair"])
        let right = await notices(data, "[{id: 1}, {id: 2}] | join $right --on id | count")
        #expect(
            right == [
                "`id` repeats on the right, as 1 does: 1 row of the left is there several times, and counts as often in sums"
            ])
        #expect(await notices(data, "[{id: 3}, {id: 2}] | join $right --on id | count") == [])
    }
}
