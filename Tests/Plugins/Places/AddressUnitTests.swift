import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import PlacesPlugin
@testable import Workbench

/// Words that people say and maps do not have: units of a house, articles, figures for Roman numerals.
struct AddressUnitTests {
    @Test(
        arguments: [
            ("100 Anchor Street, Unit 4", "100 Anchor Street"),
            ("Apt. 4b, 100 Anchor Street", "100 Anchor Street"),
            ("100 Anchor St #12", "100 Anchor St"), ("Quay 5 Top 7", "Quay 5"),
            ("Calle Mayor 5, 2º B", "Calle Mayor 5"), ("Calle Mayor 5 1º dcha.", "Calle Mayor 5"),
            ("Anchor Street 4, 3rd floor", "Anchor Street 4"), ("Quay 5, 4. OG", "Quay 5"),
            ("3rd Street 4", nil), ("1º de Mayo 4", nil), ("2. Gasse 3", nil),
            ("Flat Rock Road 4", nil), ("Unit 4", nil), ("Anchor Street 4", nil),
        ] as [(String, String?)])
    func theHouseOfAUnit(text: String, house: String?) { #expect(AddressUnit.without(text) == house) }

    @Test func aUnitLeadsToItsHouseAsAGuess() async throws {
        let test = try TestSession(plugins: { [PlacesPlugin(), FixedPlaces()] })
        #expect(await test.run("place find 'Mas Vell 3, Apt 2' | get name | first") == "Mas Vell 3")
        #expect(await test.run("place find 'Mas Vell 3, Apt 2' | get match | first") == "partial")
    }

    private func best(_ text: String, _ names: [String]) -> String? {
        let all = names.map {
            NamedPlace(
                name: $0, kind: "residential", source: "test",
                coordinate: Coordinate(latitude: 46, longitude: 7), rank: 6)
        }
        return PlaceQuery(PlaceWords(text), limit: 3).matches(among: all).first {
            !$0.quality.manner.isGuess
        }?.name
    }

    @Test(arguments: [
        ("avenue du général de Gaulle", "Avenue Général-de-Gaulle"), ("via 20 settembre", "Via XX Settembre"),
        ("Café Ängström und Söhne", "Café Ängström & Söhne"), ("plaza alfonso 13", "Plaza Alfonso XIII"),
        ("via XX settembre", "Via 20 Settembre"),
    ])
    func wordsThatASignLacks(text: String, name: String) {
        #expect(best(text, [name, "Hauptstrasse"]) == name)
    }

    @Test func aLinkWithoutACoordinateIsNoName() async throws {
        let test = try TestSession(plugins: { [PlacesPlugin(), FixedPlaces()] })
        let failure = await test.result("place find https://maps.app.goo.gl/abc123").failure
        #expect(failure?.message.contains("has no coordinate in it") == true)
        #expect(await test.run("place find 'geo:0,0?q=Arinsal' | get name | first") == "Arinsal")
    }
}
