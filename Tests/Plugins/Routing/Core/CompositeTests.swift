import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// The largest extract of the real data.
@Suite(.needs(.osmium), .enabled(if: CoreData.has("osm/composite-europe.osm.pbf"), "no real data"))
struct CompositeTests {
    /// A route and its expected values, which are the same on every run.
    private struct Known {
        var name: String
        var from: (Double, Double)
        var to: (Double, Double)
        var edges: Int
        /// A number made of the OSM ids of its ways and nodes.
        var fingerprint: UInt64

        var places: [Coordinate] {
            [from, to].map { Coordinate(latitude: $0.0, longitude: $0.1) }
        }
    }

    private static let known = [
        Known(
            name: "Vaduz to Malbun", from: (47.1410, 9.5215), to: (47.1012, 9.6085), edges: 122,
            fingerprint: 4189906228324613433),
        Known(
            name: "Andorra la Vella to Arinsal", from: (42.5070, 1.5218), to: (42.5722, 1.4842),
            edges: 117, fingerprint: 11658422781718638145),
        Known(
            name: "across Heidelberg", from: (49.4040, 8.6758), to: (49.4180, 8.7060), edges: 67,
            fingerprint: 1546718745774341545),
        Known(
            name: "Valletta to Mdina", from: (35.8989, 14.5146), to: (35.8837, 14.4034), edges: 144,
            fingerprint: 13412917736583163209),
        Known(
            name: "across Milan", from: (45.4642, 9.1900), to: (45.4841, 9.2040), edges: 82,
            fingerprint: 1935616307421752660),
    ]

    /// All properties of a route, to the last bit.
    private struct Facts: Hashable {
        var ids: [Int64]
        var line: [Coordinate]
        var sums: [Double]

        init(_ path: GraphPath, _ graph: RoutingGraph) {
            ids = path.edges.flatMap { [graph.wayID[$0.edge], graph.nodeID[graph.endNode(of: $0)]] }
            line = path.coordinates
            sums = [path.cost, path.distance, path.duration, path.gain, path.loss]
        }

        /// FNV-1a over the ids.
        var fingerprint: UInt64 {
            ids.reduce(0xCBF2_9CE4_8422_2325) { hash, id in
                withUnsafeBytes(of: id.littleEndian) { bytes in
                    bytes.reduce(hash) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
                }
            }
        }
    }

    private func routes(_ region: RoutingRegion) throws -> [Facts] {
        let planner = try RoutePlanner(region, profile: .appHiking)
        return try Self.known.map { Facts(try planner.plan($0.places), region.graph) }
    }

    @Test func aRouteIsTheSameOnEveryRun() throws {
        let folder = try ScratchFolder()
        let report = try RegionImport(into: folder.regions).run(
            .init(source: CoreData.url("osm/composite-europe.osm.pbf"), name: "all"))
        #expect(report.edges > 200_000)
        let database = try folder.regions.database("all")
        // From the mapped files that the import left, and from the database alone with a hierarchy of its own.
        let (mapped, read) = (
            try RoutingRegion(database, isOwn: true), try RoutingRegion(database, isOwn: false)
        )
        let found = try routes(mapped)
        #expect(try routes(read) == found)
        for (facts, known) in zip(found, Self.known) {
            #expect(facts.ids.count / 2 == known.edges, "\(known.name)")
            #expect(facts.fingerprint == known.fingerprint, "\(known.name)")
        }
        try compareCosts(mapped)
        withExtendedLifetime(folder) {}
    }

    /// All methods find the results of Dijkstra's algorithm over the written database, in both directions.
    private func compareCosts(_ region: RoutingRegion) throws {
        let oracle = try PlainDijkstra(region.database, cycling: false)
        let planner = try RoutePlanner(region, profile: .appHiking)
        let graph = region.graph
        for known in Self.known.suffix(2) {
            let nodes = try known.places.map { place in
                let stop = try Snapper(planner.weighted).snap(place)
                return Int(graph.source[stop.edge])
            }
            for (from, to) in [(nodes[0], nodes[1]), (nodes[1], nodes[0])] {
                let least = oracle.costs(from: [(graph.nodeID[from], 0)])[graph.nodeID[to]] ?? .infinity
                let query = SearchQuery(
                    seeds: [SearchEnd(node: Int32(from), cost: 0)],
                    goals: [SearchEnd(node: Int32(to), cost: 0)])
                for method in SearchMethod.allCases {
                    var trace = NoTrace()
                    let found = try planner.search(query, method, &trace).result?.cost ?? .infinity
                    #expect(abs(found / least - 1) < 1e-6, "\(known.name) \(method)")
                }
            }
        }
    }
}
