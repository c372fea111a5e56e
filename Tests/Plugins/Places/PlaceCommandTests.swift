import Foundation
import Geodesy
import PlacesPlugin
import PluginKit
import PluginTestKit
import Testing

/// Kinds, areas, coordinates, what lies at a coordinate, and what is said where nothing is found.
struct PlaceCommandTests {
    private let test: TestSession

    init() throws { test = try TestSession(plugins: { [PlacesPlugin(), FixedPlaces(), FixedRegion()] }) }

    private func failure(_ entry: String) async -> RutterError? { await test.result(entry).failure }

    @Test(arguments: [
        ("huts", "Refugi de Sorteny\nRefugi de Juclà"), ("Hütten", "Refugi de Sorteny\nRefugi de Juclà"),
        ("refuges", "Refugi de Sorteny\nRefugi de Juclà"), ("cims", "Pic de Juclar"),
        ("huts near Soldeu", "Refugi de Juclà"), ("Gipfel bei Soldeu", "Pic de Juclar"),
        ("refugis prop de Arinsal", "Refugi de Sorteny"),
    ])
    func wordsForKinds(text: String, names: String) async {
        #expect(await test.run("place search '\(text)' --near 42.62,1.56 | get name") == names)
    }

    @Test func kindsAndAreas() async {
        #expect(await test.run("place search --kind peak | get name") == "Pic de Juclar")
        #expect(await test.run("place search juc --kind hut | get name") == "Refugi de Juclà")
        #expect(await test.run("place search --kind alpine_hut | count") == "2")
        #expect(await failure("place search juc --kind nonsense")?.code == "E-PLACE-KIND")
        #expect(
            await test.run("place search refugi --in '42.61,1.5,42.7,1.6' | get name") == "Refugi de Sorteny")
        #expect(await test.run("place search refugi --in Valley | get name") == "Refugi de Juclà")
        #expect(await failure("place search refugi --in Nowhere")?.code == "E-PLACE-NONE")
        #expect(await failure("place search")?.code == "E-PLACE-TEXT")
    }

    @Test(arguments: [
        ("46.5, 7.25", "decimal degrees"), ("46°30'N 7°15'E", "degrees and minutes"),
        ("geo:46.5,7.25", "geo URI"),
        ("8FR9G72X+XX", "plus code"), ("2600000 1200000", "Swiss grid"), ("32T 365700 5151300", "UTM"),
        ("32TLS 657 513", "MGRS"),
    ])
    func coordinatesAsText(text: String, notation: String) async {
        #expect(
            await test.run("place search \"\(text)\" | select kind source | to csv")
                == "kind,source\ncoordinate,\(notation)")
        #expect(await failure("take \"\(text)\"") == nil)
    }

    @Test func aCoordinateOutOfRangeMayBeSwapped() async {
        let error = await failure("take '151.2, -33.9'")
        #expect(error?.code == "E-PLACE-RANGE")
        #expect(error?.fix == "longitude and latitude may be exchanged: -33.9,151.2")
        #expect(await failure("take '95, 190'")?.code == "E-PLACE-RANGE")
    }

    @Test func aShortPlusCodeNeedsAPlace() async {
        #expect(await failure("take '9G8F+6X'")?.code == "E-PLACE-RANGE")
        // By hand: in the degree of Arinsal (42, 1), H is 11/20 and C 8/400 to the north, F 9/20 and J 12/400 to the east.
        #expect(await test.run("take 'HFCJ+22 Arinsal' | get at").hasPrefix("42.57"))
    }

    @Test func aMisspeltNameIsNotChosenButSuggested() async {
        let error = await failure("take Arnsal")
        #expect(error?.code == "E-PLACE-NONE")
        #expect(error?.message == "no place is called `Arnsal`; did you mean Arinsal?")
        #expect(error?.fix?.contains("42.57,1.48 (Arinsal, village)") == true)
        let found = await test.run("place search Arnsal | select name match | to csv")
        #expect(found == "name,match\nArinsal,misspelt")
        #expect(await test.run("place search Arnsal").contains("resemble"))
    }

    @Test func nothingFoundSaysWhere() async {
        let here = await failure("place search Xyzzy")
        #expect(here?.code == "E-PLACE-NONE" && here?.message == "no place in valley matches `Xyzzy`")
        let elsewhere = await failure("place search Xyzzy --near 10,10")
        #expect(elsewhere?.code == "E-PLACE-NODATA")
        #expect(elsewhere?.fix?.contains("valley (42.4,1.4,42.7,1.8)") == true)
    }

    @Test func whatLiesAtACoordinate() async {
        #expect(await test.run("place at 42.5,1.5 | get name") == "Carrer Major 3, Valley")
        #expect(await test.run("place at 42.5,1.5 | get address") == "Carrer Major 3, AD500 Valley")
        #expect(await test.run("place at 42.5,1.5 | get town") == "Valley")
        // What is not known is no field.
        #expect(await failure("place at 42.6,1.6 | get street") != nil)
        #expect(await failure("place at 10,10")?.code == "E-PLACE-NODATA")
    }

    @Test func stepShowsCandidatesAndWhyOneIsFirst() async {
        let steps = await test.run("let t = trace place search juc; $t | select kind | to csv")
        #expect(steps.contains("ask") && steps.contains("candidate") && steps.contains("first"))
    }

    @Test func theFileOfALongTextOrOneLetterIsSafe() async {
        for text in [
            "a", String(repeating: "a", count: 10_000), "אבג", "\u{202E}xyz", "🏔🏔", "Zürі\u{441}h", "---",
        ] {
            let code = await failure("place search '\(text)'")?.code
            #expect(
                code == nil || code == "E-PLACE-NONE" || code == "E-PLACE-TEXT",
                "\(text.prefix(10)) \(code ?? "")")
        }
    }
}

/// A region with an outline and an address.
private struct FixedRegion: Plugin, NamedPlaces {
    let name = "region"
    let summary = "a region"
    let version = "1.0"
    let commands: [any CommandProvider] = []
    var capabilities: [any Capability] { [self] }
    let source = "valley"
    private let box = BoundingBox(south: 42.4, west: 1.4, north: 42.7, east: 1.8)

    func places(matching query: PlaceQuery, context: Context) async throws -> [PlaceMatch] { [] }

    func coverage(context: Context) async throws -> [PlaceCoverage] {
        [PlaceCoverage(name: "valley", box: box)]
    }

    func area(named words: PlaceWords, context: Context) async throws -> PlaceArea? {
        words.text == "valley" ? .box(BoundingBox(south: 42.4, west: 1.7, north: 42.7, east: 1.8)) : nil
    }

    func surroundings(of place: Coordinate, context: Context) async throws -> PlaceSurroundings? {
        guard box.contains(place) else { return nil }
        var found = PlaceSurroundings(source: "valley")
        if place == Coordinate(latitude: 42.5, longitude: 1.5) {
            found.town = "Valley"
            found.address = PlaceSurroundings.Item(
                NamedPlace(
                    name: "Carrer Major 3", kind: "address", source: "valley", coordinate: place, rank: 8,
                    context: "AD500 Valley"), distance: 4)
        }
        return found
    }
}
