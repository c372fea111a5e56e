import Geodesy
import PlacesPlugin
import PluginKit
import PluginTestKit
import Testing

/// A kind beside a name, as in `Adler hotel`, on a map without what is meant.
struct KindBesideNameTests {
    private let test: TestSession

    init() throws { test = try TestSession(plugins: { [PlacesPlugin(), SuburbPlaces()] }) }

    /// The rest of the text is a whole word of the name, or the place is said to be similar only.
    @Test(arguments: [
        ("Church Street", "Streetly Chapel"), ("Castle Hill", "Hillingdon House"),
        ("Hotel Park", "Parkview"),
    ])
    func theBeginningOfAWordIsOnlySimilar(text: String, name: String) async {
        let similar = await test.run("place find '\(text)' | where name == '\(name)' | get match")
        #expect(similar == "partial\nno name has all of these words as written; these are similar")
    }

    @Test(arguments: [("burg alder", "Alder Fort"), ("church streetly", "Streetly Chapel")])
    func aWholeWordIsTheName(text: String, name: String) async {
        #expect(await test.run("place find '\(text)' | get name") == name)
        #expect(!(await test.run("place find '\(text)'")).contains("no name has all of these words"))
    }

    @Test(arguments: ["exit 14a", "Ausfahrt 14A", "junction 14 a"])
    func anExitIsFoundByItsNumber(text: String) async {
        #expect(await test.run("place find '\(text)' | first | get name") == "14A")
    }

    @Test func aTextThatIsAKindIsNoNameBesideAnother() async {
        #expect(await test.run("place find 'bus station' | first | get name") == "Exchange")
    }
}

/// A suburb whose names begin with the words of others.
private struct SuburbPlaces: Plugin, NamedPlaces {
    let name = "suburb"
    let summary = "a suburb"
    let version = "1.0"
    let commands: [any CommandProvider] = [TakePlace()]
    var capabilities: [any Capability] { [self] }
    let source = "suburb"

    private static let all = [
        ("Streetly Chapel", "chapel"), ("Hillingdon House", "castle"), ("Alder Fort", "castle"),
        ("14A", "motorway_junction"), ("Parkview", "hotel"), ("Bushey", "station"),
        ("Exchange", "bus_station"),
    ].enumerated().map { number, place in
        NamedPlace(
            name: place.0, kind: place.1, source: "suburb",
            coordinate: Coordinate(latitude: 46 + Double(number) / 10, longitude: 7), rank: 6)
    }

    func places(matching query: PlaceQuery, context: Context) async throws -> [PlaceMatch] {
        query.matches(among: Self.all)
    }
}
