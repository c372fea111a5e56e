import Foundation
import GRDB
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin
@testable import Workbench

/// An import stores named points and ways in addition to the tables of the format.
@Suite(.needs(.osmium))
struct RegionNameTests {
    private static let map = """
        <?xml version="1.0" encoding="UTF-8"?>
        <osm version="0.6">
          <node id="1" lat="46.50" lon="7.50"/>
          <node id="2" lat="46.51" lon="7.50"/>
          <node id="3" lat="46.52" lon="7.50"/>
          <node id="4" lat="46.60" lon="7.60"><tag k="natural" v="peak"/><tag k="name" v="Grünhorn"/><tag k="name:fr" v="Corne Verte"/></node>
          <node id="5" lat="46.61" lon="7.60"><tag k="tourism" v="alpine_hut"/><tag k="name" v="Refugi de Juclà"/></node>
          <node id="6" lat="46.62" lon="7.60"><tag k="place" v="village"/><tag k="name" v="Dorf"/></node>
          <node id="7" lat="46.63" lon="7.60"><tag k="shop" v="bakery"/><tag k="name" v="Bäckerei"/></node>
          <node id="8" lat="46.64" lon="7.60"><tag k="natural" v="peak"/></node>
          <node id="9" lat="46.64" lon="7.64"/>
          <node id="10" lat="46.66" lon="7.64"/>
          <node id="11" lat="46.66" lon="7.66"/>
          <node id="12" lat="46.64" lon="7.66"/>
          <way id="20"><nd ref="1"/><nd ref="2"/><tag k="highway" v="path"/><tag k="name" v="Höhenweg"/></way>
          <way id="21"><nd ref="2"/><nd ref="3"/><tag k="highway" v="path"/><tag k="name" v="Höhenweg"/></way>
          <way id="22"><nd ref="9"/><nd ref="10"/><nd ref="11"/><nd ref="12"/><nd ref="9"/><tag k="natural" v="water"/><tag k="name" v="See"/></way>
        </osm>
        """

    private func session() throws -> TestSession {
        try TestSession(plugins: { [RoutingPlugin()] }, files: ["map.osm": Data(Self.map.utf8)])
    }

    @Test func namedThingsAreKept() async throws {
        let test = try session()
        #expect(await test.result("region import map.osm").failure == nil)
        let database = test.folder.url.appendingPathComponent("workspace/regions/map.routing.db")
        let queue = try DatabaseQueue(path: database.path)
        let rows = try await queue.read { db in
            try Row.fetchAll(
                db,
                sql:
                    "SELECT name, kind, round(latitude, 3), round(longitude, 3) FROM rutter_places ORDER BY name"
            )
            .map { "\($0[0] as String) \($0[1] as String) \($0[2] as Double) \($0[3] as Double)" }
        }
        // The two pieces of the path are one; of the lake the middle.
        #expect(
            rows == [
                "Bäckerei bakery 46.63 7.6", "Dorf village 46.62 7.6", "Grünhorn peak 46.6 7.6",
                "Höhenweg path 46.51 7.5",
                "Refugi de Juclà alpine_hut 46.61 7.6", "See water 46.65 7.65",
                // A kind that people look for is kept without a name too.
                "peak peak 46.64 7.6",
            ])
        // The tables of the apps are unchanged.
        let tables = try await queue.read { db in
            try String.fetchAll(
                db,
                sql:
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'routing_%' ORDER BY name"
            )
        }
        #expect(tables == ["routing_edges", "routing_metadata", "routing_nodes"])
    }

    @Test func theCapabilityFindsThem() async throws {
        let test = try session()
        await test.run("region import map.osm")
        let names = try #require(RoutingPlugin().capabilities.compactMap { $0 as? any NamedPlaces }.first)
        let context = await test.session.context(tracing: nil)
        for (text, name) in [
            ("gru", "Grünhorn"), ("corne", "Grünhorn"), ("refugi jucla", "Refugi de Juclà"),
            ("hohenw", "Höhenweg"),
        ] {
            let found = try await names.places(
                matching: PlaceQuery(PlaceWords(text), limit: 5), context: context)
            #expect(found.map(\.name) == [name])
        }
    }

    @Test func aBoxLimitsNamesToo() async throws {
        let test = try session()
        await test.run("region import map.osm --bbox 46.4,7.4,46.605,7.7")
        let database = test.folder.url.appendingPathComponent("workspace/regions/map.routing.db")
        let names = try await DatabaseQueue(path: database.path).read { db in
            try String.fetchAll(db, sql: "SELECT name FROM rutter_places ORDER BY name")
        }
        #expect(names == ["Grünhorn", "Höhenweg"])
    }

    @Test func sketchesHaveTheNamesOfTheirWays() async throws {
        let test = try session()
        await test.run("region sketch row 'A--B' --way 'AB name=Main Street highway=residential'")
        let database = test.folder.url.appendingPathComponent("workspace/regions/row.routing.db")
        let names = try await DatabaseQueue(path: database.path).read { db in
            try String.fetchAll(db, sql: "SELECT name || ' ' || kind FROM rutter_places")
        }
        #expect(names == ["Main Street residential"])
    }

    @Test func aDatabaseWithoutNamesHasThoseOfItsWays() async throws {
        let test = try session()
        await test.run("region import map.osm")
        let database = test.folder.url.appendingPathComponent("workspace/regions/map.routing.db")
        let queue = try DatabaseQueue(path: database.path)
        try await queue.write { db in
            for table in ["rutter_places", "rutter_areas"] { try db.execute(sql: "DROP TABLE \(table)") }
        }
        try queue.close()
        let names = try #require(RoutingPlugin().capabilities.compactMap { $0 as? any NamedPlaces }.first)
        let context = await test.session.context(tracing: nil)
        let found = try await names.places(
            matching: PlaceQuery(PlaceWords("hohen"), limit: 5), context: context)
        #expect(found.map(\.name) == ["Höhenweg"])
        #expect(found.map(\.kind) == ["path"])
        #expect(found.first?.coordinate.longitude == 7.5)
    }

    @Test func aMissingNodeOfAnAreaLeavesTheMiddleOfTheOthers() async throws {
        // A corner of the lake is not in the file, as at the edge of an extract.
        let map = Self.map.replacingOccurrences(
            of: "<node id=\"11\" lat=\"46.66\" lon=\"7.66\"/>", with: "")
        let test = try TestSession(plugins: { [RoutingPlugin()] }, files: ["map.osm": Data(map.utf8)])
        #expect(
            await test.run("region import map.osm | select places missing | to csv") == "places,missing\n7,0")
        let database = test.folder.url.appendingPathComponent("workspace/regions/map.routing.db")
        let place = try await DatabaseQueue(path: database.path).read { db in
            try String.fetchOne(
                db,
                sql:
                    "SELECT round(latitude, 3) || ' ' || round(longitude, 3) FROM rutter_places WHERE name = 'See'"
            )
        }
        #expect(place == "46.65 7.65")
    }
}
