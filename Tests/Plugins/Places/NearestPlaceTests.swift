import Geodesy
import PlacesPlugin
import PluginKit
import PluginTestKit
import Testing

/// `KIND near PLACE`: by distance, whatever the objects are called; places on a meridian, so that distances are known by hand.
struct NearestPlaceTests {
    private let test: TestSession

    init() throws { test = try TestSession(plugins: { [PlacesPlugin(), TownPlaces()] }) }

    private func latitudes(_ text: String) async -> [String] {
        await test.run("place find \(text) | get at").split(separator: "\n").map {
            String($0.prefix { $0 != "," })
        }
    }

    @Test(arguments: [
        "'bus stop near 46,7'", "'bus stop near Port'", "bus stop --near 46,7", "'bushaltestelle bei Port'",
        "--kind bus-stop --near 46,7",
    ])
    func theNearestComesFirst(text: String) async {
        #expect(await latitudes("\(text) --limit 3") == ["46.001", "46.002", "46.003"])
    }

    @Test(arguments: [
        "'nearest bus stop to Port'", "'closest bus stop to Port'", "'nächste Bushaltestelle von Port'",
        "'nearest bus stop' --near 46,7", "'bus stop nearest' --near 46,7", "'bus stop near me' --near 46,7",
    ])
    func theNearestMayBeAskedFor(text: String) async {
        #expect(await latitudes("\(text) --limit 3") == ["46.001", "46.002", "46.003"])
    }

    /// Of hundreds of one kind around a place, and of a few far away.
    @Test func neitherManyNorFewHideTheNearest() async {
        #expect(await latitudes("--kind parking --near 46,7 --limit 2") == ["46.0001", "46.0002"])
        #expect(await latitudes("'castle near Port'") == ["47"])
    }

    /// Hundreds of the same name at one place count as one, but fill the source's list.
    @Test func twinsDoNotHideTheNearest() async {
        #expect(await latitudes("museum --near 46,7 --limit 1") == ["46.001"])
    }

    @Test func aGivenDistanceIsKept() async {
        #expect(await latitudes("'bus stop near Port' --near 46,7 --radius 150m") == ["46.001"])
        #expect(await test.result("place find 'castle near Port' --near 46,7 --radius 5km").failure != nil)
    }

    @Test func aKindWithoutAPlaceIsTheKind() async {
        #expect(await latitudes("'bus stops nearby' --limit 10").count == 4)
    }

    @Test func aHospitalIsNoPharmacy() async {
        #expect(await test.run("place find 'hospital near Port' | get name") == "General")
        #expect(await test.run("place find 'Krankenhaus bei Port' | get name") == "General")
    }

    @Test func whichOfSeveralTownsIsSaid() async {
        let found = await test.run("place find 'bus stop near Twin' --limit 1")
        #expect(found.contains("2 places match `twin`; this is near Twin, hamlet at "))
        #expect(!(await test.run("place find 'bus stop near Port' --limit 1")).contains("places match"))
    }

    /// Crossings of two streets 800 m apart are two places, those of two lanes one.
    @Test func streetsThatMeetTwiceAreAmbiguous() async {
        #expect(await test.result("take 'Main Road & Ring Road'").failure == nil)
        let twice = await test.result("take 'High Road & Ring Road'")
        #expect(twice.failure?.code == "E-PLACE-AMBIGUOUS")
    }
}

/// A town with unnamed stops, as regions have them.
private struct TownPlaces: Plugin, NamedPlaces {
    let name = "town"
    let summary = "a town"
    let version = "1.0"
    let commands: [any CommandProvider] = [TakePlace()]
    var capabilities: [any Capability] { [self] }
    let source = "town"

    private static func place(_ name: String, _ kind: String, _ latitude: Double, rank: Int) -> NamedPlace {
        NamedPlace(
            name: name, kind: kind, source: "town", coordinate: Coordinate(latitude: latitude, longitude: 7),
            rank: rank)
    }

    private static let all: [NamedPlace] = few + many

    private static let few: [NamedPlace] =
        [
            place("Port", "town", 46, rank: 1), place("Twin", "hamlet", 46.2, rank: 3),
            place("Twin", "hamlet", 46.3, rank: 3),
            place("bus stop", "bus_stop", 46.03, rank: 9), place("Quay", "bus_stop", 46.001, rank: 6),
            place("bus stop", "bus_stop", 46.002, rank: 9), place("Bus Stop", "bus_stop", 46.003, rank: 6),
            place("Alder Castle", "castle", 47, rank: 5), place("Sea Pharmacy", "pharmacy", 46.0005, rank: 7),
            place("General", "hospital", 46.008, rank: 6),
            place("Near Museum", "museum", 46.001, rank: 8),
        ]

    private static let many: [NamedPlace] = {
        let parking = (1...400).map { (number: Int) -> NamedPlace in
            let latitude = 46 + Double(number) / 10_000
            return place("parking \(number)", "parking", latitude, rank: number < 3 ? 9 : 7)
        }
        return parking + [NamedPlace](repeating: place("Big Museum", "museum", 46.015, rank: 5), count: 400)
    }()

    private static let crossings = [
        place("Main Road / Ring Road", "intersection", 46.1, rank: 6),
        place("High Road / Ring Road", "intersection", 46.1, rank: 6),
        place("High Road / Ring Road", "intersection", 46.107, rank: 6),
    ]

    func places(matching query: PlaceQuery, context: Context) async throws -> [PlaceMatch] {
        let isCrossing = query.kinds == ["intersection"]
        return PlaceList(isCrossing ? Self.crossings : Self.all).matches(query)
    }
}
