import Foundation
import GRDB
import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin
@testable import Workbench

/// The import of names, addresses and outlines; expected places by hand from the small map.
@Suite(.needs(.osmium))
struct RegionPlacesTests {
    static let map = """
        <?xml version="1.0" encoding="UTF-8"?>
        <osm version="0.6">
          <node id="1" lat="46.500" lon="7.500"/>
          <node id="2" lat="46.500" lon="7.510"/>
          <node id="3" lat="46.510" lon="7.510"/>
          <node id="4" lat="46.510" lon="7.500"/>
          <node id="5" lat="46.505" lon="7.501"/>
          <node id="6" lat="46.505" lon="7.509"/>
          <node id="10" lat="46.5051" lon="7.5020"><tag k="addr:housenumber" v="1"/><tag k="addr:street" v="Seeweg"/><tag k="addr:postcode" v="3700"/></node>
          <node id="11" lat="46.5051" lon="7.5080"><tag k="addr:housenumber" v="7"/><tag k="addr:street" v="Seeweg"/><tag k="addr:postcode" v="3700"/></node>
          <node id="12" lat="46.5060" lon="7.5050"><tag k="shop" v="bakery"/><tag k="name" v="Bäckerei Künzi"/><tag k="addr:housenumber" v="4"/><tag k="addr:street" v="Seeweg"/></node>
          <node id="13" lat="46.5061" lon="7.5060"><tag k="addr:housenumber" v="9;11"/><tag k="addr:street" v="Bahnhofstrasse"/><tag k="addr:city" v="Anderswo"/></node>
          <node id="14" lat="46.5062" lon="7.5070"><tag k="addr:housenumber" v="3"/></node>
          <node id="15" lat="46.5070" lon="7.5040"><tag k="place" v="village"/><tag k="name" v="Seedorf"/><tag k="name:fr" v="Villeneuve"/><tag k="alt_name" v="Altdorf;Urdorf"/><tag k="population" v="1200"/></node>
          <node id="16" lat="46.5080" lon="7.5030"><tag k="highway" v="bus_stop"/><tag k="name" v="Seedorf, Post"/></node>
          <node id="17" lat="46.5081" lon="7.5031"><tag k="public_transport" v="platform"/><tag k="name" v="Seedorf, Post"/></node>
          <node id="18" lat="46.5090" lon="7.5090"><tag k="natural" v="peak"/><tag k="name:en" v="Lookout"/></node>
          <node id="19" lat="46.5085" lon="7.5085"><tag k="addr:housenumber" v="8"/></node>
          <way id="20"><nd ref="5"/><nd ref="6"/><tag k="highway" v="residential"/><tag k="name" v="Seeweg"/><tag k="ref" v="L7"/></way>
          <way id="21"><nd ref="10"/><nd ref="11"/><tag k="addr:interpolation" v="odd"/></way>
          <way id="22"><nd ref="1"/><nd ref="2"/></way>
          <way id="23"><nd ref="3"/><nd ref="2"/></way>
          <way id="24"><nd ref="3"/><nd ref="4"/><nd ref="1"/></way>
          <way id="25"><nd ref="1"/><nd ref="99"/></way>
          <relation id="30"><member type="way" ref="22" role="outer"/><member type="way" ref="23" role="outer"/><member type="way" ref="24" role="outer"/>
            <tag k="type" v="boundary"/><tag k="boundary" v="administrative"/><tag k="admin_level" v="8"/><tag k="name" v="Seedorf"/></relation>
          <relation id="31"><member type="way" ref="25" role="outer"/>
            <tag k="type" v="boundary"/><tag k="boundary" v="administrative"/><tag k="admin_level" v="8"/><tag k="name" v="Cut"/></relation>
          <relation id="32"><member type="way" ref="20" role=""/><tag k="type" v="route"/><tag k="route" v="bus"/><tag k="name" v="Bus 7: Seedorf =&gt; Post"/></relation>
          <relation id="33"><member type="way" ref="98" role=""/><tag k="type" v="route"/><tag k="route" v="bus"/><tag k="name" v="Elsewhere"/></relation>
          <relation id="34"><member type="node" ref="19" role="house"/><tag k="type" v="associatedStreet"/><tag k="name" v="Bergweg"/></relation>
        </osm>
        """

    private func session() async throws -> TestSession {
        let test = try TestSession(plugins: { [RoutingPlugin()] }, files: ["map.osm": Data(Self.map.utf8)])
        #expect(await test.result("region import map.osm").failure == nil)
        return test
    }

    private func search(_ text: String, in test: TestSession, kinds: Set<String>? = nil) async throws
        -> [String]
    {
        let names = try #require(RoutingPlugin().capabilities.compactMap { $0 as? any NamedPlaces }.first)
        let context = await test.session.context(tracing: nil)
        return try await names.places(
            matching: PlaceQuery(PlaceWords(text), kinds: kinds, limit: 5), context: context
        ).map { [$0.name, $0.kind, $0.context ?? "-"].joined(separator: "|") }
    }

    /// The file of places beside a region may be damaged or truncated anywhere: results are unchanged, and
    /// the file is rebuilt.
    @Test func aDamagedFileOfPlacesChangesNothing() throws {
        let folder = try ScratchFolder()
        let osm = try folder.write("map.osm", Data(Self.map.utf8))
        _ = try RegionImport(into: folder.regions).run(.init(source: osm, name: "map"))
        let files = RegionFiles(database: try folder.regions.database("map"))
        let stamp = try #require(files.stamp)
        func found() throws -> [String] {
            let places = try OpenPlaces(files, name: "map", stamp: stamp, isOwn: true)
            return try places.matches(PlaceQuery(PlaceWords("seeweg 4"), limit: 3)).map { "\($0.place)" }
        }
        let whole = try Data(contentsOf: files.places)
        let expected = try found()
        #expect(!expected.isEmpty)
        #expect(try Data(contentsOf: files.places) == whole)
        for offset in stride(from: 0, to: whole.count, by: 3) {
            var broken = whole
            broken[offset] ^= 0x10
            try broken.write(to: files.places)
            #expect(try found() == expected, "byte \(offset)")
            #expect(try Data(contentsOf: files.places) == whole, "byte \(offset)")
        }
        for length in stride(from: 0, to: whole.count, by: 7) {
            try whole.prefix(length).write(to: files.places)
            #expect(try found() == expected, "\(length) bytes")
        }
        try Data().write(to: files.places)
        #expect(try found() == expected)
    }

    /// A place whose row is missing or cannot be read does not shift the names of the others.
    @Test(arguments: [
        "DELETE FROM rutter_places WHERE id = 2", "UPDATE rutter_places SET kind = x'00' WHERE id = 2",
    ])
    func aMissingRowShiftsNoName(change: String) throws {
        let folder = try ScratchFolder()
        let osm = try folder.write("map.osm", Data(Self.map.utf8))
        _ = try RegionImport(into: folder.regions).run(.init(source: osm, name: "map"))
        let files = RegionFiles(database: try folder.regions.database("map"))
        func found() throws -> [NamedPlace] {
            let places = try OpenPlaces(
                files, name: "map", stamp: try #require(files.stamp), isOwn: true)
            return try ["seeweg 4", "lookout", "seedorf"].flatMap { text in
                try places.matches(PlaceQuery(PlaceWords(text), limit: 1)).map(\.place)
            }
        }
        let expected = try found()
        try DatabaseQueue(path: files.database.path).write { try $0.execute(sql: change) }
        #expect(try found() == expected)
        // Read again from the file, if one was written.
        #expect(try found() == expected)
    }

    @Test func theRelationOfAStreetIsNoPlaceBesideIt() async throws {
        let map = """
            <osm version="0.6">
              <node id="1" lat="46" lon="8"/><node id="2" lat="46.001" lon="8"/>
              <node id="3" lat="46.0005" lon="8.0003"><tag k="addr:housenumber" v="7"/></node>
              <way id="4"><nd ref="1"/><nd ref="2"/><tag k="highway" v="residential"/><tag k="name" v="Seeweg"/></way>
              <relation id="5"><member type="way" ref="4" role="street"/><member type="node" ref="3" role="house"/>
                <tag k="type" v="associatedStreet"/><tag k="name" v="Seeweg"/></relation>
            </osm>
            """
        let test = try TestSession(plugins: { [RoutingPlugin()] }, files: ["map.osm": Data(map.utf8)])
        #expect(await test.result("region import map.osm").failure == nil)
        #expect(try await search("seeweg", in: test) == ["Seeweg|residential|-"])
        #expect(try await search("seeweg 7", in: test).first == "Seeweg 7|address|-")
    }

    @Test func everyNamedObjectIsFoundByAnyOfItsNames() async throws {
        let test = try await session()
        for text in ["seedorf", "villeneuve", "altdorf", "urdorf"] {
            #expect(try await search(text, in: test).first == "Seedorf|village|-", "\(text)")
        }
        #expect(
            try await search("Bus 7: Seedorf => Post", in: test).first
                == "Bus 7: Seedorf => Post|bus route|Seedorf")
        #expect(try await search("lookout", in: test) == ["Lookout|peak|Seedorf"])
        #expect(try await search("L7", in: test) == ["Seeweg|residential|3700 Seedorf"])
        #expect(try await search("baeckerei kuenzi", in: test).first == "Bäckerei Künzi|bakery|Seedorf")
        // Signpost and platform are one stop.
        #expect(
            try await search("seedorf post", in: test, kinds: ["bus_stop", "platform"]) == [
                "Seedorf, Post|bus_stop|Seedorf"
            ])
    }

    /// By the table of the OpenStreetMap wiki for `admin_level`.
    @Test(arguments: [
        ("2", "country"), ("4", "state"), ("6", "county"), ("8", "municipality"), ("9", "district"),
        ("x", "administrative area"),
    ])
    func anOutlineIsCalledByItsLevel(level: String, kind: String) {
        let tags = ["boundary": "administrative", "admin_level": level]
        #expect(NamedKinds.kind { tags[$0] }.kind == kind)
    }

    @Test func addressesAreFound() async throws {
        let test = try await session()
        #expect(try await search("Seeweg 1", in: test) == ["Seeweg 1|address|3700 Seedorf"])
        #expect(try await search("seeweg 4 seedorf", in: test).first == "Seeweg 4|address|Seedorf")
        // Between 1 and 7 the odd ones, by interpolation.
        #expect(try await search("seeweg 3", in: test).first == "Seeweg 3|address|3700 Seedorf")
        #expect(try await search("seeweg 5", in: test) == ["Seeweg 5|address|3700 Seedorf"])
        #expect(!(try await search("seeweg 6", in: test)).contains { $0.hasPrefix("Seeweg 6|") })
        #expect(
            try await search("bahnhofstr. 11, anderswo", in: test) == ["Bahnhofstrasse 9;11|address|Anderswo"]
        )
        // The street of a house given only by a relation.
        #expect(try await search("bergweg 8", in: test).first == "Bergweg 8|address|Seedorf")
        #expect(try await search("3700", in: test).first == "3700|postcode|Seedorf")
    }

    @Test func interpolatedNumbersLieWhereTheyBelong() async throws {
        let test = try await session()
        let names = try #require(RoutingPlugin().capabilities.compactMap { $0 as? any NamedPlaces }.first)
        let context = await test.session.context(tracing: nil)
        let found = try await names.places(
            matching: PlaceQuery(PlaceWords("seeweg 3"), limit: 1), context: context)
        // A third of the way from 7.502 to 7.508.
        #expect(abs((found.first?.coordinate.longitude ?? 0) - 7.504) < 1e-6)
    }

    /// A line between two numbers, whose street is its own, and of the numbers between them the one that is searched for.
    @Test(
        arguments: [
            ("12a", "12e", "alphabetic", "12c", true), ("12A", "12e", "alphabetic", "12c", false),
            ("12a", "14e", "alphabetic", "12c", false), ("2", "8", "Even", "6", true),
            ("1", "9", "even", "5", false), ("1", "10", "odd", "5", false), ("1", "10", "3", "7", true),
            ("1", "9", "3", "4", false), ("3", "1", "all", "2", true),
        ])
    func numbersOfALine(first: String, last: String, manner: String, between: String, isFound: Bool)
        async throws
    {
        let map = """
            <osm version="0.6">
              <node id="1" lat="46.5" lon="7.5"><tag k="addr:housenumber" v="\(first)"/></node>
              <node id="2" lat="46.5" lon="7.51"><tag k="addr:housenumber" v="\(last)"/></node>
              <way id="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="residential"/><tag k="name" v="Rope Walk"/></way>
              <way id="2"><nd ref="1"/><nd ref="2"/><tag k="addr:interpolation" v="\(manner)"/><tag k="addr:street" v="Rope Walk"/></way>
            </osm>
            """
        let test = try TestSession(plugins: { [RoutingPlugin()] }, files: ["map.osm": Data(map.utf8)])
        #expect(await test.result("region import map.osm").failure == nil)
        let found = try await search("rope walk \(first)", in: test)
        #expect(found.contains { $0.hasPrefix("Rope Walk \(first)|address") })
        let middle = try await search("rope walk \(between)", in: test)
        #expect(middle.contains { $0.hasPrefix("Rope Walk \(between)|address") } == isFound)
    }

    @Test func whatCannotBePlacedIsCounted() async throws {
        let test = try TestSession(plugins: { [RoutingPlugin()] }, files: ["map.osm": Data(Self.map.utf8)])
        let report = try RegionImport(into: RegionFolder(at: test.folder.url.appendingPathComponent("r")))
            .run(
                RegionImport.Request(source: test.folder.url.appendingPathComponent("map.osm"), name: "map"))
        // The route elsewhere; the house number of node 14.
        #expect(report.unplacedNames == 1)
        #expect(report.streetlessAddresses == 1)
    }

    @Test func whatLiesAround() async throws {
        let test = try await session()
        let names = try #require(RoutingPlugin().capabilities.compactMap { $0 as? any NamedPlaces }.first)
        let context = await test.session.context(tracing: nil)
        func surroundings(_ latitude: Double, _ longitude: Double) async throws -> (any PlaceSurroundings)? {
            try await names.surroundings(
                of: Coordinate(latitude: latitude, longitude: longitude), context: context)
        }
        let inside = try #require(try await surroundings(46.5051, 7.5021))
        let address = try #require(try inside.address)
        #expect(address.place.name == "Seeweg 1" && address.place.context == "3700 Seedorf")
        let street = try #require(try inside.street)
        #expect(street.place.name == "Seeweg")
        #expect(abs(street.distance - 11.1) < 0.2)
        #expect(try inside.town == "Seedorf" && inside.nearestTown == nil)
        let first = try inside.around.first?.place.name
        #expect(first == "Bäckerei Künzi" || first == "Seedorf")
        // Outside the region there is no data.
        #expect(try await surroundings(47, 8) == nil)
        let area = try await names.area(named: PlaceWords("seedorf"), context: context)
        #expect(area?.contains(Coordinate(latitude: 46.505, longitude: 7.505)) == true)
        #expect(area?.contains(Coordinate(latitude: 46.511, longitude: 7.505)) == false)
        // An incomplete outline is ignored.
        #expect(try await names.area(named: PlaceWords("cut"), context: context) == nil)
    }

    @Test func theIndexIsMadeAgainWhereItIsMissingOrDamaged() async throws {
        let test = try await session()
        let file = test.folder.url.appendingPathComponent("workspace/regions/map.routing.places")
        let bytes = try Data(contentsOf: file)
        let expected = try await search("seedorf", in: test)
        try FileManager.default.removeItem(at: file)
        #expect(try await search("seedorf", in: test) == expected)
        #expect(try Data(contentsOf: file) == bytes)
        try bytes.prefix(100).write(to: file)
        #expect(try await search("seedorf", in: test) == expected)
        #expect(try Data(contentsOf: file) == bytes)
        await test.run("region delete map")
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test(arguments: [
        [[1, 2], [2, 3], [3, 1]], [[2, 1], [3, 1], [2, 3]], [[1, 2, 3, 1]],
        [[1, 2, 3, 1], [4, 5], [5, 6, 4]],
    ])
    func ringsCloseInAnyOrderAndDirection(ways: [[Int64]]) {
        let lines = ways.map { way in
            way.map { (node: $0, coordinate: Coordinate(latitude: Double($0), longitude: 0)) }
        }
        let rings = RingAssembly.rings(lines)
        #expect(rings?.count == (ways.count == 3 && ways[0].count == 4 ? 2 : 1))
        #expect(rings?.allSatisfy { $0.first == $0.last && $0.count == 4 } == true)
    }

    @Test func ringsThatDoNotCloseAreNone() {
        let line = [1, 2, 3].map {
            (node: Int64($0), coordinate: Coordinate(latitude: Double($0), longitude: 0))
        }
        #expect(RingAssembly.rings([line]) == nil)
        #expect(RingAssembly.rings([]) == nil)
    }
}
