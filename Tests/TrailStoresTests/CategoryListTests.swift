import Foundation
import Testing

@testable import TrailStores

@Suite struct CategoryListTests {
    private let bakery = WaypointCategory(
        raw: "bakery", displayName: "Bakery", colorHex: "A0522D", icon: "fork.knife")

    @Test func whatIsWrittenReadsBackTheSame() throws {
        let list = CategoryList(own: [
            bakery,
            WaypointCategory(
                raw: "umkehr", displayName: "Umkehr \"hier\" /⛔", colorHex: "000000", icon: "mappin"),
        ])
        #expect(try CategoryList(parsing: list.data) == list)
    }

    @Test(arguments: [
        ("Bakery", "bakery"), ("Mountain Rescue", "mountainRescue"), ("  Gîte d'étape ", "gîteDÉtape"),
        ("水", "水"), ("!?", ""),
        ("WC", "wC"),
    ])
    func identifiersAreMadeOfNames(name: String, identifier: String) {
        #expect(WaypointCategory.identifier(of: name) == identifier)
    }

    @Test(arguments: ["shelter", "BAKERY", "Water", "custom"]) func aNameIsUsedOnce(name: String) {
        let list = CategoryList(own: [bakery])
        let category = WaypointCategory(raw: "x", displayName: name, colorHex: "000000", icon: "mappin")
        #expect(list.fault(of: category)?.contains("already") == true)
    }

    @Test(arguments: ["red", "#A0522D", "A0522", "A0522G", "Ａ0522D"]) func coloursAreSixDigits(color: String)
    {
        let category = WaypointCategory(raw: "x", displayName: "X", colorHex: color, icon: "mappin")
        #expect(CategoryList().fault(of: category)?.contains("six hexadecimal digits") == true)
    }

    @Test(arguments: [
        "{}", "[{}]", #"[{"category": "shelter", "name": "S", "color": "000000", "icon": "x"}]"#, "[",
        #"[{"category": "a", "name": "A", "color": 5, "icon": "x"}]"#,
    ])
    func aFileThatIsNoneIsRefused(text: String) {
        #expect(throws: (any Error).self) { try CategoryList(parsing: Data(text.utf8)) }
    }

    @Test func whatNobodyDefinedHasItsOwnNameAndTheLooksOfCustom() {
        let found = CategoryList(own: [bakery]).reading("geocache")
        #expect(found.displayName == "geocache")
        #expect(found.colorHex == WaypointCategory.custom.colorHex)
        #expect(CategoryList().reading("") == .custom)
    }
}
