import PluginTestKit
import Testing

@testable import PlacesPlugin
@testable import Workbench

/// Ways to write the corner of two streets, and a coordinate after `near`.
struct StreetPairTests {
    @Test(arguments: [
        "Rope Walk & Mole Road", "Rope Walk/Mole Road", "rope walk and mole road",
        "corner of Rope Walk and Mole Road",
        "Ecke Rope Walk / Mole Road", "Rope Walk und Mole Road", "Rope Walk at Mole Road",
        "intersection of Rope Walk, Mole Road",
    ])
    func twoStreets(text: String) {
        #expect(StreetPair.words(text)?.text == "rope walk mole road")
    }

    @Test(arguments: [
        "Rope Walk", "and", "Corner House", "& Mole Road", "A 10", "Buchengasse 90/3/13, 1100, Lomas",
        "2+3/32 Dixon Street", "(Unit 3)/30 Rees Street", "node/5", "50.1 x 19.9",
    ])
    func noTwoStreets(text: String) {
        #expect(StreetPair.words(text) == nil)
    }

    @Test(arguments: ["46.5,7.2", "46.5, 7.20", "geo:46.5,7.2", "46.5 7.2"])
    func anyCoordinateAfterNear(coordinate: String) {
        let text = PlaceText("bakery near " + coordinate)
        #expect(text.near?.latitude == 46.5)
        #expect(text.words.text == "bakery")
    }

    @Test func aHouseNumberIsNoCoordinate() {
        #expect(PlaceText("Seeweg 12, 3700").near == nil)
    }

    @Test func aBakeryIsNoSupermarket() {
        #expect(PlaceText("bakery near Soldeu").request?.category.kinds.contains("supermarket") == false)
        #expect(PlaceText("butcher near Soldeu").request?.category.word == "butcher")
    }
}
