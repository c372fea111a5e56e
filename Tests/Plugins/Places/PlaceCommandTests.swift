import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import PlacesPlugin
@testable import Workbench

/// Kinds, areas, coordinates, reverse search, and errors for missing matches.
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
        #expect(await test.run("place find '\(text)' --near 42.62,1.56 | get name") == names)
    }

    @Test func kindsAndAreas() async {
        #expect(await test.run("place find --kind peak | get name") == "Pic de Juclar")
        #expect(await test.run("place find juc --kind hut | get name") == "Refugi de Juclà")
        #expect(await test.run("place find --kind alpine_hut | count") == "2")
        #expect(await failure("place find juc --kind nonsense")?.code == "E-PLACE-KIND")
        #expect(
            await test.run("place find refugi --in '42.61,1.5,42.7,1.6' | get name") == "Refugi de Sorteny")
        #expect(await test.run("place find refugi --in Valley | get name") == "Refugi de Juclà")
        #expect(await failure("place find refugi --in Nowhere")?.code == "E-PLACE-NONE")
        #expect(await failure("place find")?.code == "E-PLACE-TEXT")
    }

    @Test(arguments: [
        ("46.5, 7.25", "decimal degrees"), ("46°30'N 7°15'E", "degrees and minutes"),
        ("geo:46.5,7.25", "geo URI"),
        ("8FR9G72X+XX", "plus code"), ("2600000 1200000", "Swiss grid"), ("32T 365700 5151300", "UTM"),
        ("32TLS 657 513", "MGRS"),
    ])
    func coordinatesAsText(text: String, notation: String) async {
        #expect(
            await test.run("place find \"\(text)\" | select kind source | to csv")
                == "kind,source\ncoordinate,\(notation)")
        #expect(await failure("take \"\(text)\"") == nil)
    }

    @Test func sixPlainDigitsAreOfEitherGrid() async {
        #expect(
            await test.run("place find '530000 180000' | get source").hasPrefix(
                "Swiss grid\nBritish grid"))
        #expect(await failure("take '530000 180000'")?.code == "E-PLACE-AMBIGUOUS")
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
        #expect(error?.message == "unknown place `Arnsal`; did you mean Arinsal?")
        #expect(error?.fix?.contains("42.57,1.48 (Arinsal, village)") == true)
        let found = await test.run("place find Arnsal | select name match | to csv")
        #expect(found == "name,match\nArinsal,misspelt")
        #expect(await test.run("place find Arnsal").contains("similar"))
        // The table shows the column only if it has values.
        let columns = "name,kind,at,source,score"
        #expect(await test.run("place find Arnsal | first | to csv").hasPrefix(columns + ",match\n"))
        #expect(await test.run("place find Arinsal | to csv").hasPrefix(columns + "\n"))
    }

    @Test func nothingFoundSaysWhere() async {
        let here = await failure("place find Xyzzy")
        #expect(here?.code == "E-PLACE-NONE" && here?.message == "no place in valley matches `Xyzzy`")
        let elsewhere = await failure("place find Xyzzy --near 10,10")
        #expect(elsewhere?.code == "E-PLACE-NODATA")
        #expect(elsewhere?.fix?.contains("valley (42.4,1.4,42.7,1.8)") == true)
    }

    @Test func whatLiesAtACoordinate() async {
        #expect(await test.run("place at 42.5,1.5 | get name") == "Carrer Major 3, Valley")
        #expect(await test.run("place at 42.5,1.5 | get address") == "Carrer Major 3, AD500 Valley")
        #expect(await test.run("place at 42.5,1.5 | get town") == "Valley")
        // Unknown values are not fields.
        #expect(await failure("place at 42.6,1.6 | get street") != nil)
        #expect(await failure("place at 10,10")?.code == "E-PLACE-NODATA")
    }

    @Test func stepShowsCandidatesAndWhyOneIsFirst() async {
        let steps = await test.run("let t = trace place find juc; $t | select kind | to csv")
        #expect(steps.contains("ask") && steps.contains("candidate") && steps.contains("first"))
    }

    /// Each with its error: no word to search for, no such place, or a suggestion.
    @Test(arguments: [
        ("empty", "", "E-PLACE-TEXT"), ("blank", " \t ", "E-PLACE-TEXT"),
        ("only punctuation", "\"*) --;", "E-PLACE-TEXT"), ("emoji", "🏔🏔", "E-PLACE-TEXT"),
        ("10,000 letters", String(repeating: "a", count: 10_000), "E-PLACE-NONE"),
        ("10,000 words", String(repeating: "xq ", count: 10_000), "E-PLACE-NONE"),
        ("right to left", "אבגדה", "E-PLACE-NONE"), ("an override", "\u{202E}lasnira", "E-PLACE-NONE"),
        ("SQL", "xyzzy; DROP TABLE rutter_places", "E-PLACE-NONE"),
        ("full-text syntax", "NEAR(xyzzy qqqqq) NOT {a}", "E-PLACE-NONE"),
        ("out of range", "91.5, 7.5", "E-PLACE-RANGE"), ("longitude first", "151.2, -33.9", "E-PLACE-RANGE"),
        ("one letter", "j", "Refugi de Juclà"), ("Cyrillic letters", "Аrіnsаl", "Arinsal"),
        ("an emoji beside a name", "🏔 Arinsal", "Arinsal"), ("a zero", "Arinsal\u{0}", "Arinsal"),
        ("SQL around a name", "'Arinsal'; --", "Arinsal"),
        ("full-text syntax around a name", "\"arin\"* sal*", "Arinsal"),
        ("decomposed accents", "Jucla\u{300}", "Refugi de Juclà"),
    ])
    func badInput(what: String, text: String, expected: String) async throws {
        let places = PlaceService()
        let context = await test.session.context(tracing: nil)
        do {
            let found = try await places.search(text, PlaceService.Options(limit: 5), context: context)
            #expect(found.places.first?.match.name == expected, "\(what)")
        } catch let error as RutterError {
            #expect(error.kind.code == expected, "\(what): \(error.message.prefix(80))")
        }
    }

    @Test func aCoordinateBehindWordsIsNearWhat() async {
        #expect(
            await test.run("place find 'refugi near 42.6012,1.7212' | get name").hasPrefix(
                "Refugi de Juclà"))
        #expect(
            await test.run("place find 'refugi, 42.6201° N 1.5601° E' | get name").hasPrefix(
                "Refugi de Sorteny"))
        #expect(
            await test.run("place find 'huts near 42.6201,1.5601' | get name").hasPrefix(
                "Refugi de Sorteny"))
        // House numbers and postcodes are not coordinates.
        #expect(await failure("place find 'Xyzzy 12, 37'")?.code == "E-PLACE-NONE")
    }

    @Test(arguments: ["huts, Valley", "[huts] Valley", "huts in Valley"])
    func aKindInATown(text: String) async {
        #expect(await test.run("place find '\(text)' | get name") == "Refugi de Juclà")
    }

    @Test func theMapShownLastCounts() async {
        // Both have the same score, and Sorteny comes first only by proximity.
        await test.run("[42.62,1.56] | map --zoom 13 --out a.svg")
        #expect(await test.shown("place find refugi | get name") == "Refugi de Sorteny\nRefugi de Juclà")
        await test.run("[42.60,1.72] | map --zoom 13 --out b.svg")
        let found = await test.run("place find refugi")
        #expect(found.contains("the last map") && !found.contains("distance"))
        #expect(await test.shown("place find refugi | get name") == "Refugi de Juclà\nRefugi de Sorteny")
        #expect(
            await test.run("place find refugi --near 42.62,1.56 | get name")
                == "Refugi de Sorteny\nRefugi de Juclà")
        // A map of half a continent has no effect.
        await test.run("[42.60,1.72] | map --zoom 4 --out c.svg")
        #expect(!(await test.run("place find refugi")).contains("the last map"))
    }

    @Test func anUnreadableNameIsNoReasonToRefuseAnObject() async throws {
        let context = await test.session.context(tracing: nil)
        #expect(try await context.placeName(at: Coordinate(latitude: 42.6, longitude: 1.6)) == nil)
        #expect(
            try await context.placeName(at: Coordinate(latitude: 42.5, longitude: 1.5))
                == "Carrer Major 3, Valley")
        // Whoever asks for the place itself is shown the error.
        #expect(await test.result("place at 42.6,1.6").failure?.code == CommonErrors.fileAccess.code)
    }

    @Test func stepShowsWhyOneIsFirst() async {
        let shown = await test.run("step place find juc --near 42.6,1.72")
        #expect(shown.contains("all sources of names are searched"), "\(shown)")
        let rows = await test.run(
            "let t = trace place find juc --near 42.6,1.72; $t | where kind == candidate | select name | to csv"
        )
        #expect(rows == "name\nRefugi de Juclà\nPic de Juclar")
        #expect(
            await test.run("$t | where kind == first | get why").hasPrefix("it is nearer than Pic de Juclar"))
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

    func surroundings(of coordinate: Coordinate, context: Context) async throws -> (any PlaceSurroundings)? {
        guard box.contains(coordinate) else { return nil }
        var found = ValleySurroundings()
        if coordinate == Coordinate(latitude: 42.5, longitude: 1.5) {
            found.town = "Valley"
            found.known = SurroundingPlace(
                NamedPlace(
                    name: "Carrer Major 3", kind: "address", source: "valley", coordinate: coordinate,
                    rank: 8,
                    context: "AD500 Valley"), distance: 4)
        } else if coordinate == Coordinate(latitude: 42.6, longitude: 1.6) {
            found.isDamaged = true
        }
        return found
    }
}

private struct ValleySurroundings: PlaceSurroundings {
    let source = "valley"
    var known: SurroundingPlace?
    var isDamaged = false
    var address: SurroundingPlace? {
        get throws {
            if isDamaged { throw CommonErrors.fileAccess("the names of the valley cannot be read") }
            return known
        }
    }
    var town: String?
    let street: SurroundingPlace? = nil
    let nearestTown: SurroundingPlace? = nil
    let around: [SurroundingPlace] = []
}
