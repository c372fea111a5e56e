import PluginKit
import Testing

@testable import RoutingPlugin

/// An object is what all its tags say.
@Suite struct TrueKindTests {
    /// Both lists are by importance; a key in one of them alone would be kept and not found, or found and not kept.
    @Test func theKeysThatAreKeptAreThoseThatAreSearched() {
        #expect(NamedKinds.classes.map(\.key) + ["highway", "building"] == PlaceTags.keys)
    }

    private func kind(_ tags: [String: String]) -> String { NamedKinds.kind { tags[$0] }.kind }

    @Test(arguments: [
        (["amenity": "shelter", "shelter_type": "public_transport"], "bus shelter"),
        (["amenity": "shelter", "shelter_type": "basic_hut"], "basic_hut"),
        (["amenity": "shelter"], "shelter"),
        (["amenity": "place_of_worship", "religion": "muslim"], "mosque"),
        (["amenity": "place_of_worship", "religion": "christian"], "church"),
        (["amenity": "place_of_worship"], "place_of_worship"),
        (["amenity": "restaurant", "disused": "yes"], "disused restaurant"),
        (["railway": "station", "abandoned": "yes"], "abandoned station"),
        (["amenity": "drinking_water", "operational_status": "broken"], "drinking_water out of order"),
        (["railway": "abandoned"], "abandoned railway"),
        (["razed:tourism": "hotel"], "razed hotel"),
        (["was:amenity": "pub", "building": "yes"], "former pub"),
        (["disused:shop": "yes", "amenity": "cafe"], "cafe"), (["proposed:railway": "no"], "named place"),
        (["amenity": "toilets", "access": "private"], "private toilets"),
        (["amenity": "toilets", "access": "customers"], "toilets"),
        (["highway": "bus_stop", "public_transport": "platform"], "bus_stop"),
        (["railway": "station", "public_transport": "station"], "station"),
        (["aerialway": "station"], "cable car station"), (["natural": "bank"], "river bank"),
        (["amenity": "bank", "atm": "no"], "bank without ATM"), (["amenity": "bank"], "bank"),
        (["amenity": "drinking_water", "drinking_water": "no"], "undrinkable water_tap"),
    ])
    func kinds(tags: [String: String], expected: String) { #expect(kind(tags) == expected) }
}
