import PluginTestKit
import Testing

@testable import PlacesPlugin
@testable import Workbench

/// A kind within a distance of a place.
struct RadiusPhraseTests {
    @Test(arguments: [
        ("cafes within 300 m of Port Lomas", "cafes near Port Lomas", 300),
        ("huts within 2km of Soldeu", "huts near Soldeu", 2000),
        ("Pubs less than 1.5 miles from Soldeu", "Pubs near Soldeu", 2414.016),
        ("bakery in a radius of 1 km around Soldeu", "bakery near Soldeu", 1000),
        ("Cafés im Umkreis von 2 km um Lomas", "Cafés near Lomas", 2000),
        ("cafés dans un rayon de 1,5 km autour de Lomas", "cafés near Lomas", 1500),
        ("à moins de 1 km de Lomas", "", 0),
        ("farmacia a menos de 500 metros de Lomas", "farmacia near Lomas", 500),
        ("ristoranti nel raggio di 3 km da Lomas", "ristoranti near Lomas", 3000),
        ("drinking water within 1 km of 46.5,7.2", "drinking water near 46.5,7.2", 1000),
        ("Hotel 5 Lomas", "", 0), ("pharmacy within 10 minutes of Lomas", "", 0),
        ("Villa 5 m of Lomas", "", 0),
    ])
    func isRead(text: String, near: String, metres: Double) {
        let found = RadiusPhrase(text)
        #expect(found?.text ?? "" == near)
        #expect(abs((found?.radius ?? 0) - metres) < 1e-6)
    }

    /// What is farther away is none, although it is of the kind.
    @Test func nothingFartherIsFound() async throws {
        let test = try TestSession(plugins: { [PlacesPlugin(), FixedPlaces()] })
        #expect(await test.run("place find 'huts within 10 km of Soldeu' | get name") == "Refugi de Juclà")
        #expect(
            await test.result("place find 'huts within 1 km of Arinsal'").failure?.code == "E-PLACE-SERVER")
    }
}
