import Foundation
import Geodesy

@testable import RoutingPlugin

/// A map of ways whose points are in metres east and north of 47.5° N, 9.5° E; points at one place are one node.
struct WaysInMetres {
    typealias Point = (east: Double, north: Double)

    private var nodes = ""
    private var lines = ""
    private var relations = ""
    private var numbers: [String: Int] = [:]
    private var ways = 0
    private var turns = 0

    static func place(_ east: Double, _ north: Double) -> Coordinate {
        Coordinate(
            latitude: 47.5 + north / 111_195,
            longitude: 9.5 + east / (111_195 * cos(47.5 * Double.pi / 180)))
    }

    /// Adds a way; `tags` are written as `bridge=yes name=Quay`, where `highway` is `footway` unless given.
    mutating func add(_ tags: String, _ points: Point..., nodeTags: [Int: String] = [:]) {
        add(tags, points, nodeTags: nodeTags)
    }

    mutating func add(_ tags: String, _ points: [Point], nodeTags: [Int: String] = [:]) {
        addLine(
            ["highway=", "route=", "man_made="].contains(where: tags.contains)
                ? tags : "highway=footway " + tags, points, nodeTags: nodeTags)
    }

    /// Adds a multipolygon of ways by their numbers, from 1 on in the order of their addition.
    mutating func addArea(_ tags: String, _ members: Int...) {
        add(relation: "type=multipolygon " + tags, members)
    }

    /// Adds a relation of ways by their numbers.
    mutating func addRelation(_ tags: String, _ members: Int...) { add(relation: tags, members) }

    private mutating func add(relation tags: String, _ members: [Int]) {
        relations += "<relation id='\(900 + members[0])'>"
        for member in members { relations += "<member type='way' ref='\(member)' role='outer'/>" }
        relations += Self.tags(tags) + "</relation>"
    }

    /// Adds a turn restriction of ways by their numbers, over a point or over ways.
    mutating func addTurn(_ tags: String, from: Int, via: Point, to: Int) {
        let node = numbers["\(via.east),\(via.north)"] ?? 0
        addTurn(tags, from, "<member type='node' ref='\(node)' role='via'/>", to)
    }

    mutating func addTurn(_ tags: String, from: Int, over: Int..., to: Int) {
        addTurn(tags, from, over.map { "<member type='way' ref='\($0)' role='via'/>" }.joined(), to)
    }

    private mutating func addTurn(_ tags: String, _ from: Int, _ via: String, _ to: Int) {
        turns += 1
        relations +=
            "<relation id='\(800 + turns)'><member type='way' ref='\(from)' role='from'/>" + via
            + "<member type='way' ref='\(to)' role='to'/>" + Self.tags("type=restriction " + tags)
            + "</relation>"
    }

    /// Adds a way with no other tags than those given.
    mutating func addLine(_ tags: String, _ points: [Point], nodeTags: [Int: String] = [:]) {
        ways += 1
        lines += "<way id='\(ways)'>"
        for (index, point) in points.enumerated() {
            let key = "\(point.east),\(point.north)"
            if numbers[key] == nil {
                numbers[key] = numbers.count + 1
                let place = Self.place(point.east, point.north)
                nodes += "<node id='\(numbers.count)' lat='\(place.latitude)' lon='\(place.longitude)'>"
                nodes += Self.tags(nodeTags[index] ?? "") + "</node>"
            }
            lines += "<nd ref='\(numbers[key] ?? 0)'/>"
        }
        lines += Self.tags(tags) + "</way>"
    }

    private static func tags(_ text: String) -> String {
        text.split(separator: " ").map { tag in
            let sides = tag.split(separator: "=", maxSplits: 1)
            return "<tag k='\(sides[0])' v='\(sides.count > 1 ? sides[1] : "")'/>"
        }.joined()
    }

    /// The map as a file.
    var document: String { "<osm version='0.6'>\(nodes)\(lines)\(relations)</osm>" }

    /// The region of the map; heights by metres east and north, if given.
    func region(_ ground: ((Double, Double) -> Double)? = nil) throws -> RoutingRegion {
        let folder = try ScratchFolder()
        let tile = try ground.map { ground in
            let bytes = HGTBytes.tile(side: 1201) { row, column in
                let north = (0.5 - Double(row) / 1200) * 111_195
                let east = (Double(column) / 1200 - 0.5) * 111_195 * cos(47.5 * Double.pi / 180)
                return Int16(ground(east, north).rounded())
            }
            return try folder.write("N47E009.hgt", bytes)
        }
        return try importedRegion(document, tile: tile, in: folder)
    }
}
