import Foundation
import Geodesy
import PluginKit

/// An area with a name and an outline: a municipality, a village, a park.
struct NamedArea: Sendable {
    var name: String
    var otherNames: [String]
    var kind: String
    /// OSM's `admin_level`, 2 for a country … 11; `nil` for other areas.
    var level: Int?
    /// Rings of coordinates, filled by the even-odd rule.
    var rings: [[Coordinate]]
    var box: BoundingBox

    /// The levels of municipalities, the finest first: 8 in most of Europe, 7 in Andorra, 6 for a town that
    /// is a district of its own. Finer levels are parts of a municipality.
    static let municipal = [8, 7, 6]

    var area: PlaceArea { .rings(rings, box) }
}

/// Assembles rings from ways in any order and direction.
enum RingAssembly {
    /// The rings of ways, each a list of nodes with coordinates; `nil` unless all are closed.
    static func rings(_ ways: [[(node: Int64, coordinate: Coordinate)]]) -> [[Coordinate]]? {
        var byEnd: [Int64: [Int]] = [:]
        for (index, way) in ways.enumerated() {
            guard let first = way.first, let last = way.last else { continue }
            byEnd[first.node, default: []].append(index)
            if last.node != first.node { byEnd[last.node, default: []].append(index) }
        }
        var isUsed = [Bool](repeating: false, count: ways.count)
        var rings: [[Coordinate]] = []
        for start in ways.indices where !isUsed[start] && ways[start].count > 1 {
            isUsed[start] = true
            var ring = ways[start]
            while let end = ring.last?.node, end != ring[0].node {
                guard let next = byEnd[end]?.first(where: { !isUsed[$0] }) else { return nil }
                isUsed[next] = true
                let way = ways[next]
                ring += way[0].node == end ? way.dropFirst() : way.reversed().dropFirst()
            }
            guard ring.count > 3 else { return nil }
            rings.append(ring.map(\.coordinate))
        }
        return rings.isEmpty ? nil : rings
    }
}

/// The municipalities that contain a coordinate, fast enough for a query per address.
struct AreaFinder {
    private struct Bands {
        /// The areas' edges by bands of latitude.
        let edges: [[(from: Coordinate, to: Coordinate)]]
        let box: BoundingBox

        private static let most = 512

        init(_ area: NamedArea) {
            box = area.box
            let count = max(1, min(Self.most, area.rings.reduce(0) { $0 + $1.count } / 4))
            var edges = [[(from: Coordinate, to: Coordinate)]](repeating: [], count: count)
            for ring in area.rings {
                for (from, to) in zip(ring, ring.dropFirst()) {
                    let low = Self.band(min(from.latitude, to.latitude), area.box, count)
                    let high = Self.band(max(from.latitude, to.latitude), area.box, count)
                    for band in low...high { edges[band].append((from, to)) }
                }
            }
            self.edges = edges
        }

        private static func band(_ latitude: Double, _ box: BoundingBox, _ count: Int) -> Int {
            let share = (latitude - box.south) / max(box.latitudeSpan, 1e-12)
            return max(0, min(count - 1, Int(share * Double(count))))
        }

        func contains(_ coordinate: Coordinate) -> Bool {
            guard box.contains(coordinate) else { return false }
            var isInside = false
            for (from, to) in edges[Self.band(coordinate.latitude, box, edges.count)]
            where NamedArea.crosses(from, to, beside: coordinate) { isInside.toggle() }
            return isInside
        }
    }

    private let areas: [NamedArea]
    private let bands: [Bands]

    init(_ areas: [NamedArea]) {
        self.areas = areas.filter(\.isMunicipal)
        bands = self.areas.map(Bands.init)
    }

    /// The municipality that contains a coordinate: of the finest level that has one, the first by name.
    func municipality(at coordinate: Coordinate) -> String? {
        let inside = areas.indices.filter { bands[$0].contains(coordinate) }
        return NamedArea.municipality(of: inside.map { (areas[$0].level ?? 0, areas[$0].name) })
    }
}
