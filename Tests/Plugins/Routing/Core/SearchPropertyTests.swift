import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// Every search finds routes of the same cost as an independent Dijkstra over the written database.
@Suite(.needs(.osmium))
struct SearchPropertyTests {
    /// A region with the two oracles.
    private struct Subject {
        let region: RoutingRegion
        let hiking: PlainDijkstra
        let cycling: PlainDijkstra

        init(_ region: RoutingRegion) throws {
            self.region = region
            hiking = try PlainDijkstra(region.database, cycling: false)
            cycling = try PlainDijkstra(region.database, cycling: true)
        }

        func oracle(_ mode: TravelMode) -> PlainDijkstra { mode == .hiking ? hiking : cycling }
    }

    /// The least cost between two snapped places, by the oracle.
    private func expected(
        _ oracle: PlainDijkstra, _ graph: RoutingGraph, _ from: SnappedPoint, _ to: SnappedPoint
    ) -> Double {
        func cost(_ edge: Double, _ share: Double) -> Double { share == 0 ? 0 : edge * share }
        guard let first = oracle.edges[graph.edgeID[from.edge]],
            let last = oracle.edges[graph.edgeID[to.edge]]
        else { return .nan }
        let starts = [
            (node: first.to, cost: cost(first.there, 1 - from.fraction)),
            (node: first.from, cost: cost(first.back, from.fraction)),
        ].filter { $0.cost.isFinite }
        let costs = oracle.costs(from: starts)
        var best = min(
            (costs[last.from] ?? .infinity) + cost(last.there, to.fraction),
            (costs[last.to] ?? .infinity) + cost(last.back, 1 - to.fraction))
        if from.edge == to.edge {
            let ahead = to.fraction - from.fraction
            best = min(best, ahead >= 0 ? cost(first.there, ahead) : cost(first.back, -ahead))
        }
        return best
    }

    private func compare(_ subject: Subject, pairs: Int, seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let graph = subject.region.graph
        guard let bounds = graph.bounds else { return }
        for mode in TravelMode.allCases {
            let planner = try RoutePlanner(subject.region, profile: mode == .hiking ? .appHiking : .cycling)
            let snapper = Snapper(planner.weighted)
            for round in 0..<pairs {
                var stops: [SnappedPoint] = []
                while stops.count < 2 {
                    let place =
                        round % 2 == 0
                        ? graph.coordinate(of: Int.random(in: 0..<graph.nodeCount, using: &random))
                        : Coordinate(
                            latitude: .random(in: bounds.south...bounds.north, using: &random),
                            longitude: .random(in: bounds.west...bounds.east, using: &random))
                    if let stop = try? snapper.snap(place) { stops.append(stop) }
                }
                for (from, to) in [(stops[0], stops[1]), (stops[1], stops[0])] {
                    let least = expected(subject.oracle(mode), graph, from, to)
                    for method in SearchMethod.allCases {
                        let found = try planner.cost(from: from, to: to, method: method)
                        #expect(isSame(found, least), "\(mode) \(method) seed \(seed) round \(round)")
                        guard least.isFinite else { continue }
                        let path = try planner.plan(stops: [from, to], method: method)
                        #expect(isSame(path.cost, least), "\(mode) \(method) path, round \(round)")
                        checkPath(path, graph)
                    }
                }
            }
        }
    }

    private func isSame(_ a: Double, _ b: Double) -> Bool {
        a == b || abs(a - b) <= 1e-6 * max(1, abs(b))
    }

    /// A path is connected: each edge begins where the last ended, and so does the line.
    private func checkPath(_ path: GraphPath, _ graph: RoutingGraph) {
        for (piece, next) in zip(path.edges, path.edges.dropFirst()) {
            #expect(piece.leave == 1 && next.enter == 0)
            #expect(graph.endNode(of: piece) == graph.startNode(of: next))
        }
        if let first = path.coordinates.first, let last = path.coordinates.last {
            #expect(first.distance(to: path.stops[0].point) < 1)
            #expect(last.distance(to: path.stops[path.stops.count - 1].point) < 1)
        }
        #expect(abs(Polyline.length(path.coordinates) - path.distance) < 1 + 0.002 * path.distance)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func madeUpTown(seed: UInt64) throws {
        let folder = try ScratchFolder()
        let tile = try MadeUpTown.tile(in: folder)
        let region = try importedRegion(MadeUpTown.osm(side: 9, seed: seed), tile: tile, in: folder)
        #expect(region.graph.edgeCount > 80)
        try compare(Subject(region), pairs: 15, seed: seed)
    }

    @Test(.enabled(if: CoreData.has("osm/liechtenstein-2021.osm.pbf"), "no real data"))
    func liechtenstein() throws {
        let folder = try ScratchFolder()
        _ = try RegionImport(into: folder.regions).run(
            RegionImport.Request(
                source: CoreData.url("osm/liechtenstein-2021.osm.pbf"), elevation: [CoreData.url("dem")],
                name: "li"))
        let region = try RoutingRegion(folder.regions.database("li"), isOwn: true)
        try compare(Subject(region), pairs: 6, seed: 7)
        try compareVia(Subject(region), rounds: 2, seed: 8)
    }

    /// Over via points, there and back, by both modes: the sum of the oracle's legs.
    private func compareVia(_ subject: Subject, rounds: Int, seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let graph = subject.region.graph
        for mode in TravelMode.allCases {
            let planner = try RoutePlanner(subject.region, profile: mode == .hiking ? .appHiking : .cycling)
            let snapper = Snapper(planner.weighted)
            var found = 0
            for round in 0..<rounds {
                var stops: [SnappedPoint] = []
                while stops.count < 4 {
                    let node = Int.random(in: 0..<graph.nodeCount, using: &random)
                    if let stop = try? snapper.snap(graph.coordinate(of: node)) { stops.append(stop) }
                }
                for stops in [stops, stops.reversed()] {
                    let least = zip(stops, stops.dropFirst()).reduce(0.0) { sum, pair in
                        sum + expected(subject.oracle(mode), graph, pair.0, pair.1)
                    }
                    guard least.isFinite else {
                        #expect(throws: RutterError.self) {
                            try planner.plan(stops: stops, method: .hierarchy)
                        }
                        continue
                    }
                    found += 1
                    for method in SearchMethod.allCases {
                        let path = try planner.plan(stops: stops, method: method)
                        #expect(isSame(path.cost, least), "\(mode) \(method) seed \(seed) round \(round)")
                        #expect(path.viaEdges.count == 2)
                    }
                }
            }
            // Ways above T2 divide the network of bicycles: routes over several points may not exist.
            if rounds > 5, mode == .hiking { #expect(found > 0, "no way over via points at all") }
        }
    }

    @Test(arguments: [11, 12] as [UInt64])
    func overViaPoints(seed: UInt64) throws {
        let folder = try ScratchFolder()
        let tile = try MadeUpTown.tile(in: folder)
        let region = try importedRegion(MadeUpTown.osm(side: 8, seed: seed), tile: tile, in: folder)
        try compareVia(Subject(region), rounds: 10, seed: seed)
    }

    /// Loops, parallel edges, dead ends and isolated parts: random graphs unlike any map.
    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func tangles(seed: UInt64) throws {
        let folder = try ScratchFolder()
        let region = try importedRegion(MadeUpTangle.osm(nodes: 4 + Int(seed) * 3, seed: seed), in: folder)
        try compare(Subject(region), pairs: 8, seed: seed)
        try compareVia(Subject(region), rounds: 4, seed: seed)
    }

    /// The stored costs are those of the page, worked out here by hand from the stored tags.
    @Test func storedCostsFollowThePage() throws {
        let folder = try ScratchFolder()
        let tile = try MadeUpTown.tile(in: folder)
        let region = try importedRegion(MadeUpTown.osm(side: 8, seed: 21), tile: tile, in: folder)
        let surfaces = [
            "asphalt": 1.0, "gravel": 1.2, "ground": 1.3, "grass": 1.4, "sand": 1.8, "mud": 2.0,
        ]
        let grades = ["hiking": 1.0, "mountain_hiking": 1.2, "demanding_alpine_hiking": 3.0]
        let graph = region.graph
        var climbing = 0
        for edge in 0..<graph.edgeCount {
            let kind = graph.kind(of: edge)
            let (distance, gain, loss) = (
                Double(graph.distance[edge]), Double(graph.gain[edge]), Double(graph.loss[edge])
            )
            func cost(_ gain: Double, _ loss: Double) -> Double {
                let flat =
                    distance * (surfaces[kind.surface ?? ""] ?? 1.3) * (grades[kind.sacScale ?? ""] ?? 1)
                    * (kind.highway == "steps" ? 1.5 : 1)
                let grade = loss / distance * 100
                let factor = grade < 5 ? 0 : grade < 15 ? 0.3 : grade < 25 ? 0.8 : 1.5
                return flat + gain * 7.92 + loss * 7.92 * factor
            }
            if graph.cost[edge].isFinite { #expect(abs(graph.cost[edge] / cost(gain, loss) - 1) < 1e-5) }
            if graph.reverseCost[edge].isFinite {
                #expect(abs(graph.reverseCost[edge] / cost(loss, gain) - 1) < 1e-5)
            }
            if gain > 5 { climbing += 1 }
        }
        #expect(climbing > 10)
    }
}
