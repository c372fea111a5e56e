import Foundation
import Geodesy
import PluginKit
import RoutingPlugin

/// Measures import, opening and queries on extracts, and prints ratios.
struct RoutingBenchmark {
    private let data: URL
    private let pairs: Int
    private let only: String?

    init(arguments: [String]) {
        func value(_ name: String) -> String? {
            arguments.firstIndex(of: name).flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
        }
        data = URL(fileURLWithPath: value("--data") ?? "../shared/data")
        pairs = value("--pairs").flatMap { Int($0) } ?? (arguments.contains("--quick") ? 100 : 1000)
        only = value("--only")
    }

    private static let extracts = [
        (name: "liechtenstein", file: "liechtenstein-2021", tiles: ["N47E009.SRTMGL3", "N46E009.SRTMGL3"]),
        (name: "andorra", file: "andorra-2021", tiles: ["N42E001"]),
        (name: "composite", file: "composite-europe", tiles: []),
    ]

    func run() throws {
        for extract in Self.extracts where only == nil || only == extract.name {
            let file = data.appendingPathComponent("osm/\(extract.file).osm.pbf")
            guard FileManager.default.fileExists(atPath: file.path) else {
                print("\(extract.name): skipped, there is no \(file.lastPathComponent)")
                continue
            }
            let tiles = extract.tiles.map { data.appendingPathComponent("dem/\($0).hgt.zip") }
            try measure(extract.name, file, tiles)
        }
        if only == nil || only == "tiled" { try measureTiled() }
    }

    /// Queries on a graph of a million nodes.
    private func measureTiled() throws {
        let file = data.appendingPathComponent("osm/liechtenstein-2021.osm.pbf")
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rutter-bench-\(getpid())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let regions = RegionFolder(at: folder)
        _ = try RegionImport(into: regions).run(RegionImport.Request(source: file, name: "one"))
        let database = folder.appendingPathComponent("tiled.routing.db")
        try TiledGraph.write(from: try regions.database("one"), nodes: 1_000_000, to: database)
        print("== a million nodes")
        let (region, reading) = try timed { try RoutingRegion(database, isOwn: true) }
        let edges = Double(region.graph.edgeCount)
        let (_, mapping) = try timed { try RoutingRegion(database, isOwn: true) }
        print(
            "\(region.graph.nodeCount) nodes, \(region.graph.edgeCount) edges: from SQLite \(ms(reading)) "
                + "(\(rate(edges / reading)) edges/s), mapped \(ms(mapping)) (\(rate(edges / mapping)) edges/s)"
        )
        let (hierarchy, ordering) = try timed { try region.hierarchy() }
        let weighted = region.weighted(.hiking)
        let (_, customising) = timed { HierarchyCosts(hierarchy, weighted) }
        print(
            "hierarchy: order and shortcuts \(ms(ordering)), customise \(ms(customising)); "
                + "\(hierarchy.arcCount) arcs; peak \(peakMemory() >> 20) MiB")
        let planner = try RoutePlanner(region, profile: .hiking)
        try measureSearches(planner, try randomPairs(planner, count: min(pairs, 100)).ends)
        try Baseline.compare(planner, pairs: min(pairs, 50))
    }

    private func measure(_ name: String, _ file: URL, _ tiles: [URL]) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rutter-bench-\(getpid())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let regions = RegionFolder(at: folder)
        print("== \(name)")
        let (report, seconds) = try timed {
            try RegionImport(into: regions).run(
                RegionImport.Request(source: file, elevation: tiles, name: name))
        }
        print(
            "import \(ms(seconds)): \(report.nodes) nodes, \(report.edges) edges, "
                + "\(report.missingReferences) missing references; peak \(peakMemory() >> 20) MiB")
        try compareImport(file, database: regions.database(name), seconds)
        try measureOpening(regions, name, report)
        try measureQueries(regions, name)
    }

    private func compareImport(_ file: URL, database: URL, _ seconds: Double) throws {
        let copy = database.appendingPathExtension("copy")
        let (_, copying) = try timed { try FileManager.default.copyItem(at: database, to: copy) }
        try FileManager.default.removeItem(at: copy)
        let size = (try FileManager.default.attributesOfItem(atPath: database.path)[.size] as? Int) ?? 0
        print("  database \(size >> 10) KiB; plain copy \(ms(copying)), ratio \(ratio(seconds, copying))")
        let osmium = URL(fileURLWithPath: "/usr/bin/osmium")
        guard FileManager.default.fileExists(atPath: osmium.path) else { return }
        let process = Process()
        process.executableURL = osmium
        process.arguments = ["fileinfo", "-e", file.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let (_, reading) = try timed {
            try process.run()
            process.waitUntilExit()
        }
        print("  osmium fileinfo -e \(ms(reading)), ratio \(ratio(seconds, reading))")
    }

    private func measureOpening(_ regions: RegionFolder, _ name: String, _ report: ImportReport) throws {
        let database = try regions.database(name)
        let (mapped, mapping) = try timed { try RoutingRegion(database, isOwn: true) }
        let (_, reading) = try timed { try RoutingRegion(database, isOwn: false) }
        let edges = Double(report.edges)
        print(
            "open, mapped \(ms(mapping)) (\(rate(edges / mapping)) edges/s); "
                + "from SQLite \(ms(reading)) (\(rate(edges / reading)) edges/s)")
        let bytes = Double(mapped.graph.image.size)
        print(
            "  graph \(Int(bytes) >> 10) KiB: \(Int(bytes / Double(report.nodes))) bytes a node, "
                + "\(Int(bytes / edges)) bytes an edge, all sections counted")
        let (hierarchy, ordering) = try timed { try Hierarchy(mapped.graph) }
        print(
            "hierarchy: order and shortcuts \(ms(ordering)); \(hierarchy.arcCount) arcs, "
                + "\(hierarchy.image.size >> 10) KiB")
        for mode in TravelMode.allCases {
            let profile = CostProfile.standard(mode)
            let (weighted, weighing) = timed { WeightedGraph(mapped.graph, profile: profile) }
            let (_, customising) = timed { HierarchyCosts(hierarchy, weighted) }
            print("  \(mode.rawValue): costs \(ms(weighing)), customise \(ms(customising))")
        }
    }

    private func measureQueries(_ regions: RegionFolder, _ name: String) throws {
        let region = try RoutingRegion(try regions.database(name), isOwn: true)
        let planner = try RoutePlanner(region, profile: .hiking)
        let (ends, places) = try randomPairs(planner, count: pairs)
        var medians: [SearchMethod: Double] = [:]
        for method in SearchMethod.allCases {
            var times: [Double] = []
            var settled = 0
            for (from, to) in ends {
                let (path, seconds) = try timed { try planner.plan(stops: [from, to], method: method) }
                times.append(seconds)
                settled += path.settled
            }
            times.sort()
            medians[method] = times[times.count / 2]
            let mean = times.reduce(0, +) / Double(times.count)
            print(
                "\(method.rawValue): median \(us(times[times.count / 2])), p99 \(us(times[times.count * 99 / 100])), "
                    + "mean \(us(mean)), \(settled / times.count) nodes settled, "
                    + "\(Int(times.reduce(0, +) / Double(max(1, settled)) * 1e9)) ns a settled node")
        }
        if let star = medians[.aStar], let fast = medians[.hierarchy], let plain = medians[.dijkstra] {
            print("  hierarchy against A* \(ratio(star, fast)), against Dijkstra \(ratio(plain, fast))")
        }
        try measureSearches(planner, ends)
        try Baseline.compare(planner, pairs: pairs)
        var times = try places.map { pair in try timed { try planner.plan(pair) }.1 }
        times.sort()
        print(
            "route plan whole: median \(us(times[times.count / 2])), p99 \(us(times[times.count * 99 / 100]))"
        )
    }

    /// The searches alone, without line and sums.
    private func measureSearches(_ planner: RoutePlanner, _ ends: [(SnappedPoint, SnappedPoint)]) throws {
        var medians: [SearchMethod: Double] = [:]
        for method in [SearchMethod.aStar, .hierarchy] {
            var times = try ends.map { from, to in
                try timed { try planner.cost(from: from, to: to, method: method) }.1
            }
            times.sort()
            medians[method] = times[times.count / 2]
            print("\(method.rawValue), search alone: median \(us(times[times.count / 2]))")
        }
        if let star = medians[.aStar], let fast = medians[.hierarchy] {
            print("  hierarchy against A*, search alone \(ratio(star, fast))")
        }
    }

    /// Pairs of nodes between which there is a way; all methods get the same ones.
    private func randomPairs(
        _ planner: RoutePlanner, count: Int
    ) throws -> (ends: [(SnappedPoint, SnappedPoint)], places: [[Coordinate]]) {
        var random = SplitMix(state: 42)
        let graph = planner.weighted.graph
        let snapper = Snapper(planner.weighted)
        var (ends, places): ([(SnappedPoint, SnappedPoint)], [[Coordinate]]) = ([], [])
        while ends.count < count {
            let pair = try (0..<2).map { _ in
                let node = Int(random.next() % UInt64(graph.nodeCount))
                return try snapper.snap(graph.coordinate(of: node).withoutAltitude)
            }
            guard (try? planner.cost(from: pair[0], to: pair[1], method: .hierarchy))?.isFinite == true else {
                continue
            }
            ends.append((pair[0], pair[1]))
            places.append(pair.map(\.place))
        }
        return (ends, places)
    }
}

/// Random numbers that are the same everywhere.
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
