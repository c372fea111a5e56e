import Cartography
import Foundation
import Geodesy
import Pictures
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// Incomplete map features are counted and reported.
@Suite("Maps of incomplete files", .needs(.osmium))
struct MapImportTests {
    private static func file(_ ways: String) -> String {
        var nodes = ""
        for row in 0..<4 {
            for column in 0..<4 {
                let (latitude, longitude) = (47 + Double(row) / 100, 9 + Double(column) / 100)
                nodes += "<node id=\"\(row * 4 + column + 1)\" lat=\"\(latitude)\" lon=\"\(longitude)\"/>"
            }
        }
        return "<osm version=\"0.6\">\(nodes)\(way(100, [1, 2, 3], ["highway": "path"]))\(ways)</osm>"
    }

    private static func way(_ id: Int, _ nodes: [Int], _ tags: [String: String] = [:]) -> String {
        let members = nodes.map { "<nd ref=\"\($0)\"/>" }.joined()
        let words = tags.sorted { $0.key < $1.key }.map { "<tag k=\"\($0.key)\" v=\"\($0.value)\"/>" }
            .joined()
        return "<way id=\"\(id)\">\(members)\(words)</way>"
    }

    private static func multipolygon(_ members: [(way: Int, role: String)], _ kind: String?) -> String {
        let ways = members.map { "<member type=\"way\" ref=\"\($0.way)\" role=\"\($0.role)\"/>" }.joined()
        let tag = kind.map { "<tag k=\"natural\" v=\"\($0)\"/>" } ?? ""
        return "<relation id=\"1\">\(ways)<tag k=\"type\" v=\"multipolygon\"/>\(tag)</relation>"
    }

    private func imported(_ ways: String) throws -> ImportReport {
        let folder = try ScratchFolder()
        let osm = try folder.write("map.osm", Data(Self.file(ways).utf8))
        return try RegionImport(into: folder.regions).run(.init(source: osm, name: "map"))
    }

    @Test("a whole multipolygon is not counted")
    func whole() throws {
        let report = try imported(
            Self.way(1, [1, 4, 16]) + Self.way(2, [16, 13, 1])
                + Self.multipolygon([(1, "outer"), (2, "outer")], "wood"))
        #expect(report.map?.broken == 0)
        #expect(report.notices == ["the map has no relief; --elevation adds it"])
    }

    @Test(
        "one without tags has those of its outer ways, if they are alike",
        arguments: [("wood", 2), ("scrub", 1)])
    func untagged(second: String, features: Int) throws {
        let report = try imported(
            Self.way(1, [1, 4, 16], ["natural": "wood", "source": "survey"])
                + Self.way(2, [16, 13, 1], ["natural": second])
                + Self.multipolygon([(1, "outer"), (2, "outer")], nil))
        #expect(report.map?.features == features && report.map?.broken == 0)
    }

    @Test(
        "the edge of a hole that is tagged like the area is its edge where the outer way has the tags, and a wood where the relation has",
        arguments: [(String?.none, 1), ("wood", 2)])
    func repeatedInner(kind: String?, areas: Int) throws {
        let folder = try ScratchFolder()
        let tags = ["natural": "wood"]
        let osm = try folder.write(
            "map.osm",
            Data(
                Self.file(
                    Self.way(1, [1, 3, 15, 16, 1], kind == nil ? tags : [:])
                        + Self.way(2, [6, 10, 9, 6], tags)
                        + Self.multipolygon([(1, "outer"), (2, "inner")], kind)
                ).utf8))
        _ = try RegionImport(into: folder.regions).run(.init(source: osm, name: "map"))
        let source = try MapSource(try folder.regions.database("map"))
        let view = MapView(center: Coordinate(latitude: 47.02, longitude: 9.02), zoom: 12)
        let drawn = try source.drawing(of: view, style: .builtIn(.light)).elements.filter {
            if case .polygon = $0.shape { true } else { false }
        }
        #expect(drawn.count == areas)
    }

    @Test("one with a gap in its edge is counted and reported")
    func gap() throws {
        let report = try imported(
            Self.way(1, [1, 4, 16]) + Self.multipolygon([(1, "outer"), (7, "outer")], "wood"))
        #expect(report.map?.broken == 1)
        #expect(
            report.notices.contains(
                "1 area of the map lacks a part of the edge; drawn as far as it closes"))
    }

    @Test("one whose second ring is whole is drawn as far as it closes")
    func part() throws {
        let folder = try ScratchFolder()
        let osm = try folder.write(
            "map.osm",
            Data(
                Self.file(
                    Self.way(1, [1, 2, 6, 5, 1]) + Self.way(2, [11, 12, 16])
                        + Self.multipolygon([(1, "outer"), (2, "outer")], "wood")
                ).utf8))
        let report = try RegionImport(into: folder.regions).run(.init(source: osm, name: "map"))
        #expect(report.map?.broken == 1)
        let source = try MapSource(try folder.regions.database("map"))
        let view = MapView(center: Coordinate(latitude: 47.005, longitude: 9.005), zoom: 14)
        let areas = try source.drawing(of: view, style: .builtIn(.light)).elements.filter {
            if case .polygon = $0.shape { true } else { false }
        }
        #expect(!areas.isEmpty)
    }

    @Test(
        "nodes may be in any order and have ids of more than 32 bits", arguments: [0, (1 << 32) - 8, 1 << 33])
    func nodeOrder(shift: Int) throws {
        let databases = try [false, true].map { isReversed in
            let folder = try ScratchFolder()
            var nodes = (1...16).map { number in
                "<node id=\"\(number + shift)\" lat=\"47.0\(number / 4)\" lon=\"9.0\(number % 4)\"/>"
            }
            if isReversed { nodes.reverse() }
            let ways =
                Self.way(1, [1, 4, 16, 13, 1].map { $0 + shift }, ["natural": "wood"])
                + Self.way(2, [2, 3, 7].map { $0 + shift }, ["highway": "path"])
            let osm = try folder.write(
                "map.osm", Data("<osm version=\"0.6\">\(nodes.joined())\(ways)</osm>".utf8))
            let report = try RegionImport(into: folder.regions).run(.init(source: osm, name: "map"))
            #expect(report.map?.features == 2 && report.map?.broken == 0)
            return try Data(contentsOf: folder.regions.database("map"))
        }
        #expect(databases[0] == databases[1])
    }

    @Test("the ends of a coastline inside the extract are counted and reported")
    func coast() throws {
        let report = try imported(
            Self.way(1, [6, 7], ["natural": "coastline"])
                + Self.way(2, [1, 4, 16, 13, 1], ["natural": "wood"]))
        #expect(report.map?.looseCoast == 2)
        #expect(
            report.notices.contains { $0.hasPrefix("the coastline ends inside the extract at 2 points") })
    }

    @Test("a coastline that is also a border is a coastline")
    func coastAndBorder() throws {
        let report = try imported(
            Self.way(1, [6, 7, 11], ["natural": "coastline", "admin_level": "2"])
                + Self.way(2, [11, 10, 6], ["natural": "coastline"])
                + Self.way(3, [1, 4, 16, 13, 1], ["natural": "wood"]))
        // It closes around the island.
        #expect(report.map?.looseCoast == 0 && report.map?.floodingCoast == 0)
        #expect(report.map?.features == 5)
    }

    @Test("coastlines that contradict each other are reported, though none ends inside")
    func doubtedCoast() throws {
        // Both have water in the north: between them is land and sea.
        let coasts =
            Self.way(1, [5, 6, 7, 8].reversed(), ["natural": "coastline"])
            + Self.way(2, [9, 10, 11, 12].reversed(), ["natural": "coastline"])
        let frame = Self.way(3, [1, 4, 16, 13, 1], ["natural": "wood"])
        let report = try imported(coasts + frame)
        #expect(report.map?.looseCoast == 0 && report.map?.doubtedCoast == 1)
        #expect(report.notices.contains { $0.hasPrefix("the coastline contradicts itself") })
    }

    @Test("a coastline that would put roads under water makes no sea, which is reported")
    func flood() throws {
        let island = Self.way(1, [2, 4, 12, 6, 2], ["natural": "coastline"])
        let frame = Self.way(2, [1, 4, 16, 13, 1], ["natural": "wood"])
        // On both sides: with a road on one side alone it would be drawn in the wrong direction.
        let road =
            Self.way(3, [9, 10, 14], ["highway": "residential"])
            + Self.way(4, [6, 7, 8], ["highway": "residential"])
        let said = "1 coastline would put roads under water; no sea is drawn there"
        #expect(!(try imported(island + frame)).notices.contains(said))
        let report = try imported(island + frame + road)
        #expect(report.map?.floodingCoast == 1)
        #expect(report.notices.contains(said))
    }
}
