import Foundation
import RoutingPlugin

/// Opening, hierarchy and queries on a graph of a million nodes, made of copies of Liechtenstein.
struct TiledBenchmark {
    let data: URL
    let pairs: Int

    func run() throws {
        let file = data.appendingPathComponent("osm/liechtenstein-2021.osm.pbf")
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        let scratch = try Scratch()
        let regions = RegionFolder(at: scratch.url)
        _ = try RegionImport(into: regions).run(RegionImport.Request(source: file, name: "one"))
        let database = scratch.url.appendingPathComponent("tiled.routing.db")
        try TiledGraph.write(from: try regions.database("one"), nodes: 1_000_000, to: database)
        let (region, reading) = try timed { try RoutingRegion(database, isOwn: true) }
        let edges = Double(region.graph.edgeCount)
        let (_, mapping) = try timed { try RoutingRegion(database, isOwn: true) }
        print("== a million nodes")
        print(
            "open: \(region.graph.nodeCount) nodes, \(region.graph.edgeCount) edges, mapped \(ms(mapping)), "
                + "\(rate(edges / mapping)) edges/s; through SQLite \(ms(reading)), \(rate(edges / reading)) edges/s"
        )
        let (hierarchy, ordering) = try timed { try region.hierarchy() }
        let weighted = region.weighted(.hiking)
        let (_, customising) = timed { HierarchyCosts(hierarchy, weighted) }
        print(
            "hierarchy: order and shortcuts \(ms(ordering)), customise \(ms(customising)); "
                + "\(hierarchy.arcCount) arcs")
        let planner = try RoutePlanner(region, profile: .hiking)
        let sample = try RandomPairs(planner, count: pairs)
        try QueryBenchmark(planner: planner, pairs: sample, goals: Goals()).run()
        try Baseline.compare(planner, pairs: min(pairs, 50))
    }
}
