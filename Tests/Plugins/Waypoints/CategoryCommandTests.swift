import Foundation
import PluginTestKit
import Testing

@testable import WaypointsPlugin

/// Categories of one's own through the language.
@Suite struct CategoryCommandTests {
    private let test: TestSession

    init() throws { test = try TestSession(plugins: { [WaypointsPlugin()] }) }

    /// The code of the error of an entry.
    private func code(_ entry: String) async -> String? { await test.result(entry).failure?.code }

    @Test func anOwnCategoryIsOfferedWhereTheNineAre() async throws {
        await test.run("category add Bakery --color '#a0522d' --icon fork.knife")
        await test.run("waypoint add 1,1 --label Bread --category bakery")
        await test.run("waypoint add 1,2 --label Cake --category Bakery")
        await test.run("waypoint add 2,2 --label Hut --category shelter")
        #expect(
            await test.run("category list | where own | to csv")
                == "category,name,color,icon,own\nbakery,Bakery,A0522D,fork.knife,true")
        #expect(await test.run("waypoint list --category bakery | count") == "2")
        #expect(
            await test.run("waypoint count --by-category | to csv") == "category,count\nbakery,2\nshelter,1")
        await test.run("waypoint list | map --out bread.svg")
        let picture = try String(
            contentsOf: test.folder.url.appendingPathComponent("bread.svg"), encoding: .utf8)
        #expect(picture.lowercased().contains("a0522d"))
        let gpx = await test.run("waypoint list | to gpx")
        #expect(gpx.contains("<type>bakery</type>"))
    }

    @Test func theNineDoNotChange() async throws {
        for line in [
            "category edit shelter --name Hut", "category delete custom", "category add Water",
            "category add '!'",
        ] {
            #expect(await code(line) == "E-CATEGORY")
        }
        #expect(await code("category add Bakery --color red") == "E-CATEGORY")
        #expect(await test.run("category list | count") == "9")
    }

    @Test func aDeletedCategoryLeavesItsWaypoints() async throws {
        await test.run("category add Bakery --color A0522D")
        await test.run("waypoint add 1,1 --label Bread --category bakery")
        #expect(
            await test.run("category delete bakery")
                == "deleted category bakery; 1 waypoint of this store keeps its identifier")
        #expect(await test.run("waypoint show Bread | get category") == "bakery")
        #expect(await code("waypoint add 1,1 --category bakery") == "E-CATEGORY")
        await test.run("undo")
        #expect(await test.run("category list | where own | get color") == "A0522D")
    }

    @Test func editingKeepsTheIdentifier() async throws {
        await test.run("category add Bakery")
        #expect(
            await test.run("category edit bakery --name Boulangerie --color 8b4513 | get category")
                == "bakery")
        #expect(
            await test.run("category list | where own | to csv").contains(
                "bakery,Boulangerie,8B4513"))
        #expect(await code("category edit bakery --name Boulangerie") == "E-WAYPOINT-NOCHANGE")
        #expect(await code("category edit bakery --name Shelter") == "E-CATEGORY")
    }

    @Test func aFileThatCannotBeReadIsSaidAndNotOverwritten() async throws {
        let file = test.folder.url.appendingPathComponent("workspace/categories.json")
        await test.run("waypoint add 1,1 --label Hut")
        try Data("[{]".utf8).write(to: file)
        #expect(await code("category list") == "E-CATEGORY-FILE")
        #expect(await code("category add Bakery") == "E-CATEGORY-FILE")
        #expect(await test.run("waypoint list | get label") == "Hut")
        #expect(try Data(contentsOf: file) == Data("[{]".utf8))
    }
}
