import Cartography
import Foundation
import GRDB
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// Adding the map to a region that was imported without one.
@Suite(.needs(.osmium))
struct RegionUpdateTests {
    private func rows(_ file: URL, _ table: String) throws -> [String] {
        try RegionDatabase.read(file) { db in
            try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { "\($0)" }
        }
    }

    @Test("an update adds the same map as a new import and changes nothing else")
    func update() throws {
        let folder = try ScratchFolder()
        let osm = try folder.write("valley.osm", SampleMap.xml())
        let tile = try folder.write(SampleTerrain.tileName, SampleTerrain.tile())
        let regions = RegionImport(into: folder.regions)
        _ = try regions.run(.init(source: osm, elevation: [tile], name: "old", keepsMap: false))
        _ = try regions.run(.init(source: osm, elevation: [tile], name: "new"))
        let (old, new) = (try folder.regions.database("old"), try folder.regions.database("new"))
        #expect(throws: (any Error).self) { try MapSource(old) }
        let edges = try rows(old, "routing_edges")
        let report = try regions.update(.init(source: osm, elevation: [tile], name: "old"))
        #expect(report.notices.isEmpty && (report.map?.features ?? 0) > 0)
        for table in [
            "rutter_map_facts", "rutter_map_blocks", "rutter_map_index", "rutter_map_heights",
        ] {
            #expect(try rows(old, table) == rows(new, table), "\(table)")
        }
        #expect(try rows(old, "routing_edges") == edges)
        #expect(try MapSource(old).hasRelief)
        // The region is as usable as before, and its hierarchy belongs to the file as it is now.
        let region = try RoutingRegion(old, isOwn: true)
        #expect(region.graph.edgeCount == edges.count)
    }

    @Test("a file of another area is refused, and an update without elevation reports the missing relief")
    func refusals() throws {
        let folder = try ScratchFolder()
        let osm = try folder.write("valley.osm", SampleMap.xml())
        let regions = RegionImport(into: folder.regions)
        _ = try regions.run(.init(source: osm, name: "valley", keepsMap: false))
        let nodes = (1...3).map { "<node id=\"\($0)\" lat=\"47\" lon=\"9.00\($0)\"/>" }.joined()
        let far = try folder.write(
            "far.osm",
            "<osm version=\"0.6\">\(nodes)<way id=\"1\"><nd ref=\"1\"/><nd ref=\"2\"/><nd ref=\"3\"/>"
                + "<tag k=\"highway\" v=\"path\"/></way></osm>")
        let database = try folder.regions.database("valley")
        let before = try Data(contentsOf: database)
        #expect(throws: (any Error).self) { try regions.update(.init(source: far, name: "valley")) }
        #expect(try Data(contentsOf: database) == before)
        #expect(throws: (any Error).self) { try regions.update(.init(source: osm, name: "none")) }
        let report = try regions.update(.init(source: osm, name: "valley"))
        #expect(report.notices == ["the map has no relief; --elevation adds it"])
        #expect(try !MapSource(database).hasRelief)
    }
}
