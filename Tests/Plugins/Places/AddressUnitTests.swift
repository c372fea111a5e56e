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
            ("11/1015 Nudgee Road", "1015 Nudgee Road"), ("2+3/32 Dixon Street", "32 Dixon Street"),
            ("(Unit 3)/30 Rees Street", "30 Rees Street"), ("Buchengasse 90/3/13", "Buchengasse 90"),
            ("ul. Długa 5 m. 3", "ul. Długa 5"), ("Atatürk Cad. No:15", "Atatürk Cad. 15"),
            ("Невский пр. д. 28", "Невский пр. 28"), ("Vej 3, 2. tv", "Vej 3"), ("Quay No. 7", "Quay 7"),
            ("M 3", nil), ("No Name Road 5", nil), ("Rue Nr", nil),
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

    /// An address has one name of its street.
    @Test func aHouseIsFoundByAnotherNameOfItsStreet() async throws {
        let test = try TestSession(plugins: { [PlacesPlugin(), FixedPlaces()] })
        #expect(await test.run("place find '12 Sixth Lane' | get name | first") == "Carrer de la Unió 12")
        #expect(await test.run("place find '13 Sixth Lane' | get match | first") == "partial")
    }
}
