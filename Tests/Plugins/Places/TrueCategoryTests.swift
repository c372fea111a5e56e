import PluginKit
import Testing

@testable import PlacesPlugin

/// Words for a kind mean that kind only.
@Suite struct TrueCategoryTests {
    private func kinds(of word: String) throws -> Set<String> {
        try #require(PlaceCategories.category(PlaceWords(word))).kinds
    }

    @Test func whoAsksForAHospitalGetsOne() throws {
        #expect(try kinds(of: "Krankenhaus") == ["hospital"])
        #expect(try !kinds(of: "hut").contains("gazebo"))
        #expect(try !kinds(of: "huts").contains("bus shelter"))
        #expect(try kinds(of: "church").isDisjoint(with: ["mosque", "synagogue", "place_of_worship"]))
        #expect(try kinds(of: "mosque") == ["mosque"])
        #expect(try !kinds(of: "atm").contains("bank without ATM"))
        #expect(try kinds(of: "cable car").isDisjoint(with: kinds(of: "station")))
    }
}
