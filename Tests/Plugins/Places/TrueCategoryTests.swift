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
        #expect(try kinds(of: "bus station").contains("bus_station"))
        #expect(try !kinds(of: "bus station").contains("bus_stop"))
        #expect(try kinds(of: "mosque") == ["mosque"])
        #expect(try !kinds(of: "atm").contains("bank without ATM"))
        #expect(try kinds(of: "cable car").isDisjoint(with: kinds(of: "station")))
    }

    @Test(arguments: [
        ("amenity", "restaurant", "restaurant"), ("amenity", "place_of_worship", "church"),
        ("natural", "spring", "undrinkable spring"), ("aerialway", "station", "cable car station"),
        ("mountain_pass", "yes", "mountain_pass"), ("route", "hiking", "hiking route"),
        ("boundary", "administrative", "municipality"),
    ])
    func aTagIsTheKindsOfItsObjects(key: String, value: String, kind: String) throws {
        #expect(try #require(TagKinds.category(key, value)).kinds.contains(kind))
    }

    /// `clothes near Vaduz`: what no category lists may be a kind of a region.
    @Test func aWordThatNoCategoryListsIsTheKindOfItsName() throws {
        let stands = try #require(PlaceCategories.unlisted(PlaceWords("Hunting stands")))
        #expect(stands.kinds.contains("hunting_stand"))
        #expect(PlaceCategories.unlisted(PlaceWords("hut")) == nil)
        #expect(PlaceCategories.unlisted(PlaceWords("a name of many words")) == nil)
        let request = try #require(PlaceCategories.unlistedRequest(PlaceWords("antiques near Vaduz")))
        #expect(request.place == "vaduz")
        #expect(PlaceCategories.unlistedRequest(PlaceWords("huts near Vaduz")) == nil)
    }

    @Test(arguments: [
        ("school", "school"), ("bench", "bench"), ("Bibliothek", "library"),
        ("swimming pools", "swimming_pool"),
        ("clothes", "clothes"), ("poubelle", "waste_basket"), ("cementerio", "cemetery"),
    ])
    func whatStandsInTownsIsAKind(word: String, kind: String) throws {
        #expect(try kinds(of: word).contains(kind))
    }

    @Test func onlyKindsThatAreKeptWithoutANameAreFoundWithoutOne() throws {
        let bench = try #require(PlaceCategories.category(PlaceWords("bench")))
        let pool = try #require(PlaceCategories.category(PlaceWords("swimming pool")))
        #expect(TagKinds.areFoundNameless(bench))
        #expect(!TagKinds.areFoundNameless(pool))
    }

    @Test(arguments: [("cuisine", "pizza"), ("foo", "bar"), ("amenity", "")])
    func aTagThatRegionsDoNotKeepIsNoKind(key: String, value: String) {
        #expect(TagKinds.category(key, value) == nil)
    }
}
