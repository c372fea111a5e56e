import Geodesy
import PluginKit

/// A small network drawn with characters: each letter is a node, and a table lists the ways between them.
package struct RegionSketch: Sendable {
    /// A way of the table.
    package struct Way: Sendable, Hashable {
        /// The letters it passes, in order.
        package var path: String
        package var name: String?
        package var highway: String
        package var surface: String?
        var sacScale: String?
        var oneway: String?
        /// Other tags, as in OSM.
        var tags: [String: String]

        package init(
            _ path: String, name: String? = nil, highway: String = "path", surface: String? = nil,
            sacScale: String? = nil, oneway: String? = nil, tags: [String: String] = [:]
        ) {
            self.path = path
            self.name = name
            self.highway = highway
            self.surface = surface
            self.sacScale = sacScale
            self.oneway = oneway
            self.tags = tags
        }
    }

    /// The origin and scale of a sketch.
    package struct Scale: Sendable, Hashable {
        /// Metres from one column to the next. A row is twice as high, like characters.
        package var column: Double
        /// The coordinate of the upper left corner.
        var origin: Coordinate

        package init(column: Double = 50, origin: Coordinate = Coordinate(latitude: 47, longitude: 9)) {
            self.column = column
            self.origin = origin
        }
    }

    /// The network of a map and a table of ways. `heights` maps letters to elevations in metres.
    static func network(
        map: String, ways: [Way], heights: [Character: Double] = [:],
        obstacles: [Character: [String: String]] = [:], scale: Scale = Scale()
    ) throws -> RegionNetwork {
        let places = try places(on: map, scale)
        let letters = Self.letters(of: map)
        for letter in heights.keys.sorted() where places[letter] == nil {
            throw RegionErrors.sketch("a height is given for \(letter), which is not on the map")
        }
        for letter in obstacles.keys.sorted() where places[letter] == nil {
            throw RegionErrors.sketch("tags are given for \(letter), which is not on the map")
        }
        var nodes = NodeTable()
        var stopping: [Int32: [String: String]] = [:]
        for (index, letter) in letters.enumerated() {
            guard let place = places[letter] else { continue }
            nodes.ids.append(Int64(index + 1))
            nodes.latitude.append(place.latitude)
            nodes.longitude.append(place.longitude)
            stopping[Int32(index)] = obstacles[letter]
            nodes.elevation.append(heights[letter].map { Float($0) } ?? .nan)
        }
        var table = try table(of: ways, letters: letters)
        let (areas, uncrossed) = AreaCrossings.add(to: &table, nodes) {}
        var network = RegionNetwork(ways: table, nodes: nodes, obstacles: stopping, check: {})
        network.areas = areas
        network.uncrossedAreas = uncrossed
        FerrySpeeds.take(&network)
        addTrails(of: ways, to: &network)
        guard !network.edges.isEmpty else {
            throw RegionErrors.empty("the sketch contains no way that can be walked or ridden")
        }
        return network
    }

    /// The letters of a map, in the order of their node numbers, from 1.
    static func letters(of map: String) -> [Character] {
        map.filter { $0.isLetter || $0.isNumber }.sorted()
    }

    /// The trails that ways name by their tag `trail`.
    private static func addTrails(of ways: [Way], to network: inout RegionNetwork) {
        let names = Set(ways.compactMap { $0.tags["trail"] }).sorted()
        network.trails = names.enumerated().map { index, name in
            let symbol = ways.lazy.filter { $0.tags["trail"] == name }.compactMap { $0.tags["osmc:symbol"] }
                .first
            return Trail(id: Int64(index + 1), name: name, network: "lwn", symbol: symbol)
        }
        for (index, way) in ways.enumerated() {
            guard let name = way.tags["trail"], let trail = names.firstIndex(of: name) else { continue }
            network.trailsOfWay[Int64(index + 1)] = [Int32(trail)]
        }
    }

    private static func places(on map: String, _ scale: Scale) throws -> [Character: Coordinate] {
        var places: [Character: Coordinate] = [:]
        let lines = map.split(separator: "\n", omittingEmptySubsequences: false)
        for (row, line) in lines.enumerated() {
            for (column, letter) in line.enumerated() where letter.isLetter || letter.isNumber {
                guard places[letter] == nil else {
                    throw RegionErrors.sketch("\(letter) is on the map twice, again in line \(row + 1)")
                }
                let south = scale.origin.destination(bearing: 180, distance: Double(row) * 2 * scale.column)
                var place = south.destination(bearing: 90, distance: Double(column) * scale.column)
                // Along the parallel, so that the letters of a row are collinear.
                place.latitude = south.latitude
                places[letter] = Coordinate(latitude: place.latitude, longitude: place.longitude)
            }
        }
        guard !places.isEmpty else { throw RegionErrors.sketch("the map has no letter") }
        return places
    }

    private static func table(of ways: [Way], letters: [Character]) throws -> WayTable {
        var table = WayTable()
        for (index, way) in ways.enumerated() {
            guard way.path.count > 1 else {
                throw RegionErrors.sketch("way \(index + 1) joins fewer than two letters")
            }
            var tags = way.tags
            tags["highway"] = way.highway
            tags["surface"] = way.surface ?? tags["surface"]
            tags["sac_scale"] = way.sacScale ?? tags["sac_scale"]
            tags["oneway"] = way.oneway ?? tags["oneway"]
            var read = WayTags(tags)
            read.trail = way.tags["trail"].map { _ in "lwn" }
            guard let verdict = WayRules.verdict(read) else {
                guard WayRules.kept.contains(way.highway) else {
                    throw RegionErrors.sketch(
                        "way \(index + 1) is a \(way.highway), which cannot be walked or ridden")
                }
                continue
            }
            let start = table.nodes.count
            for letter in way.path {
                guard let node = letters.firstIndex(of: letter) else {
                    throw RegionErrors.sketch("way \(index + 1) passes \(letter), which is not on the map")
                }
                table.nodes.append(Int32(node))
            }
            table.verdicts.append(verdict)
            let name = table.number(ofName: way.name ?? tags["name"] ?? tags["ref"])
            table.ways.append(
                WayTable.Way(
                    id: Int64(index + 1), verdict: Int32(table.verdicts.count - 1),
                    name: name,
                    nodes: start..<table.nodes.count))
        }
        return table
    }
}
