import Foundation
import PlacesPlugin
import PluginKit
import PluginTestKit
import Testing

/// Search in the names that plugins provide, and names in place of coordinates.
struct PlaceSearchTests {
    private let test: TestSession

    init() throws { test = try TestSession(plugins: { [PlacesPlugin(), FixedPlaces()] }) }

    private func code(_ entry: String) async -> String? { await test.result(entry).failure?.code }

    @Test func examplesPrintWhatTheySay() async {
        #expect(await ExampleRunner.failures(of: { [PlacesPlugin()] }) == [])
    }

    @Test func everyErrorIsExplained() async {
        for kind in PlacesPlugin().errors {
            #expect(await test.run("explain \(kind.code)").contains(kind.title))
        }
    }

    @Test(arguments: [
        ("Refugi de Juclà", "Refugi de Juclà"), ("refugi jucla", "Refugi de Juclà"),
        ("JUCLÀ", "Refugi de Juclà"),
        ("ref juc", "Refugi de Juclà"), ("pic", "Pic de Juclar"), ("arins", "Arinsal"),
        ("'juc ref'", "Refugi de Juclà"),
    ])
    func theBestMatchComesFirst(text: String, name: String) async {
        #expect(await test.run("place find \(text) | first | get name") == name)
    }

    @Test(arguments: [("jucla hut", "Refugi de Juclà"), ("peak juclar", "Pic de Juclar")])
    func aKindMayStandBesideAName(text: String, name: String) async {
        #expect(await test.run("place find '\(text)' | first | get name") == name)
    }

    /// An office has the coordinate of its house: it does not matter which of the two is meant.
    @Test func aHouseAndWhatIsInItAreOnePlace() async {
        #expect(await test.run("take 'Mas Vell 3 Soldeu' | get name") == "Mas Vell 3")
    }

    @Test func twoNumbersMayBeAPostcode() async {
        #expect(await code("place find '114 55'") != "E-PLACE-RANGE")
        #expect(await code("place find '114, 55'") == "E-PLACE-RANGE")
    }

    @Test func aWholeNameScoresOneAndOthersLess() async {
        #expect(await test.run("place find arinsal | first | get score") == "1")
        #expect(await test.run("place find arin | where score < 1 | count") == "1")
    }

    @Test func nearnessIsAHintOrAFilter() async {
        let hint = await test.run("place find refugi --near 42.62,1.56 | get name")
        #expect(hint == "Refugi de Sorteny\nRefugi de Juclà")
        let other = await test.run("place find refugi --near 42.6,1.72 | get name")
        #expect(other == "Refugi de Juclà\nRefugi de Sorteny")
        let filter = await test.run("place find refugi --near 42.62,1.56 --radius 2km | get name")
        #expect(filter == "Refugi de Sorteny")
        #expect(await code("place find refugi --radius 2km") == "E-PLACE-TEXT")
        #expect(await code("place find 'huts near Port' --kind peak --radius 2km") == "E-PLACE-TEXT")
    }

    @Test(arguments: [
        "'\"'", "'\"\"\"'", "'*'", "'a*'", "'a\" OR \"b'", "'NEAR(a b)'", "'a AND'", "'a NOT b'", "'{a}:b'",
        "'^a'", "'-a'",
        "'a:b'", "\"a'b\"", "';DROP TABLE rutter_names'", "'%'", "'_'", "'\\'", "'(('", "'日本'", "'🏔'",
    ])
    func anyTextIsSafe(text: String) async {
        let code = await test.result("place find \(text)").failure?.code
        #expect(
            code == nil || code == "E-PLACE-TEXT" || code == "E-PLACE-SERVER" || code == "E-PARSE"
                || code == "E-PLACE-RANGE", "\(text)")
    }

    @Test func aPlaceIsTakenByItsName() async {
        #expect(await test.run("take \"Refugi de Juclà\"") == "at    42.6,1.72\nname  Refugi de Juclà")
        #expect(await test.run("take 'refugi sorteny' | get name") == "Refugi de Sorteny")
        #expect(await test.run("take Arinsal | get at") == "42.57,1.48")
        #expect(await test.run("let x = 'Arinsal'; take $x | get name") == "Arinsal")
        #expect(await test.run("take 1,2 | get name") == "")
        // A village and its station at the same location count as one place.
        #expect(await test.run("take Soldeu | get at") == "42.576,1.667")
    }

    @Test func nothingIsGuessed() async {
        let several = await test.result("take 'Carrer Major'")
        #expect(several.failure?.code == "E-PLACE-AMBIGUOUS")
        #expect(several.failure?.fix?.contains("42.5,1.5 (Carrer Major, residential)") == true)
        #expect(await code("take refugi") == "E-PLACE-AMBIGUOUS")
        let none = await test.result("take Nowhere")
        #expect(none.failure?.code == "E-PLACE-SERVER")
        #expect(none.failure?.fix?.contains("write LAT,LON or @name") == true)
        #expect(none.text.contains("^^^^^^^"))
    }

    @Test func namesStandBehindTheAtSign() async {
        #expect(await test.run("@\"Refugi de Juclà\" | get at") == "42.6,1.72")
        #expect(await test.run("take @Arinsal | get at") == "42.57,1.48")
        #expect(await code("@Nowhere") == "E-REFERENCE-UNKNOWN")
        #expect(await code("@\"Carrer Major\"") == "E-PLACE-AMBIGUOUS")
        // The beginning of a name is not a whole name.
        #expect(await code("@Arin") == "E-REFERENCE-UNKNOWN")
    }

    @Test func withoutThisPluginAPlaceIsACoordinate() async throws {
        let bare = try TestSession(plugins: { [FixedPlaces()] })
        let result = await bare.result("take Arinsal")
        #expect(result.failure?.code == "E-ARG-KIND")
        #expect(result.failure?.fix?.contains("write LAT,LON") == true)
    }
}
