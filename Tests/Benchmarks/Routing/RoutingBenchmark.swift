import Foundation
import Geodesy
import PluginKit
import RoutingPlugin

/// Measures import, opening and queries on extracts, and prints ratios.
struct RoutingBenchmark {
    private let data: URL
    private let pairs: Int
    private let only: String?
    private let export: URL?
    private let method: SearchMethod?
    private let part: Part?
    private let peers: URL?
    private let file: URL?

    /// A part that is measured alone, by the name of its option.
    private enum Part: String, CaseIterable {
        case trace, turns, exact, start, plan, stops
        case `import`

        /// Whether it is measured in more extracts: parts that check answers, not times.
        var hasFurtherExtracts: Bool { self == .turns || self == .exact }
    }

    static let usage = """
        usage: routing-bench [--data FOLDER] [--only EXTRACT] [--pairs N | --quick] [--export FILE] [--method NAME]
                             [--trace | --turns | --exact | --start | --plan | --stops | --import]
               routing-bench --peers FOLDER | --file FILE | --phases FILE
        """

    /// Whether all options exist.
    static func understands(_ arguments: [String]) -> Bool {
        arguments.allSatisfy { !$0.hasPrefix("-") || usage.contains("\($0) ") || usage.contains("\($0)]") }
    }

    /// `--data FOLDER`, `--pairs N` or `--quick`, `--only EXTRACT`, `--export FILE` for
    /// `compare-routers.py`, `--method NAME` to run only one method's queries, for example under a
    /// profiler, `--trace` to measure only the cost of disabled tracing, `--peers FOLDER` to write only
    /// routes of all extracts for `compare-routers.py --shortest`, `--turns` to check only turn
    /// instructions, `--exact` to compare only costs, `--start` to measure only one-shot routes, `--plan` to
    /// measure only plans in a session, `--import` to measure only imports, `--stops` to measure how fast an
    /// import can be cancelled, and `--file FILE` to use another extract, for example from `tile-extract.py`;
    /// `--phases FILE` as the first arguments prints the memory and processor time of each phase of an import.
    init(arguments: [String]) {
        func value(_ name: String) -> String? {
            arguments.firstIndex(of: name).flatMap { $0 + 1 < arguments.count ? arguments[$0 + 1] : nil }
        }
        data = URL(fileURLWithPath: value("--data") ?? "../shared/data")
        pairs = value("--pairs").flatMap { Int($0) } ?? (arguments.contains("--quick") ? 100 : 1000)
        only = value("--only")
        export = value("--export").map { URL(fileURLWithPath: $0) }
        method = value("--method").flatMap { SearchMethod(rawValue: $0) }
        part = Part.allCases.first { arguments.contains("--" + $0.rawValue) }
        file = value("--file").map { URL(fileURLWithPath: $0) }
        peers = value("--peers").map { URL(fileURLWithPath: $0) }
    }

    /// An extract and its goals.
    private struct Extract {
        var name: String
        var file: String
        var tiles: [String] = []
        var goals = Goals()
    }

    /// Routes of each extract whose instructions are checked.
    private static let checkedRoutes = 500

    private static let extracts = [
        Extract(
            name: "liechtenstein", file: "liechtenstein-2021", tiles: ["N47E009.SRTMGL3", "N46E009.SRTMGL3"],
            goals: Goals(importing: 1.3, planning: 0.0003)),
        Extract(name: "andorra", file: "andorra-2021", tiles: ["N42E001"]),
        Extract(name: "composite", file: "composite-europe", goals: Goals(hierarchy: 100)),
    ]

    /// Additional extracts for the parts that check answers instead of times.
    private static let further = [
        Extract(name: "krems", file: "krems"), Extract(name: "newtown", file: "sydney-newtown-2020"),
        Extract(name: "heidelberg", file: "heidelberg"),
    ]

    func run() async throws {
        if let peers { return try exportPeers(to: peers) }
        if let load = try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8).prefix(4) {
            print(
                "load \(load) on \(ProcessInfo.processInfo.activeProcessorCount) processors at the start.")
        }
        if let file { return try ImportCost(file: file).run() }
        print(
            "Times of import and opening are by the clock. Those of queries are the thread's own processor time: "
                + "other programs affect them only through the caches.")
        for extract in Self.extracts + (part?.hasFurtherExtracts == true ? Self.further : [])
        where only == nil || only == extract.name {
            let file = data.appendingPathComponent("osm/\(extract.file).osm.pbf")
            guard FileManager.default.fileExists(atPath: file.path) else {
                print("\(extract.name): skipped, no such file: \(file.lastPathComponent)")
                continue
            }
            let tiles = extract.tiles.map { data.appendingPathComponent("dem/\($0).hgt.zip") }
            print("== \(extract.name)")
            let scratch = try Scratch()
            let regions = RegionFolder(workspace: scratch.url)
            if let part {
                try await measure(part, of: extract, file, tiles, in: regions, workspace: scratch.url)
                continue
            }
            if let method {
                try profile(method, extract.name, file, in: regions)
                continue
            }
            let importing = ImportBenchmark(
                file: file, tiles: tiles, name: extract.name, goals: extract.goals)
            let report = try importing.run(into: regions)
            let database = try regions.database(extract.name)
            try OpeningBenchmark(database: database, report: report).run()
            let region = try RoutingRegion(database, isOwn: true)
            let planner = try RoutePlanner(region, profile: .hiking)
            let sample = try RandomPairs(planner, count: pairs)
            try InstructionCheck.run(planner, routes: Self.checkedRoutes)
            let queries = QueryBenchmark(planner: planner, pairs: sample, goals: extract.goals)
            try queries.run()
            try Baseline.compare(planner, pairs: pairs)
            try TraceCost.compare(planner, pairs: min(pairs, 200))
            let plans = PlanBenchmark(planner: planner, pairs: sample, goals: extract.goals)
            let median = try plans.run()
            try await plans.runCommand(workspace: scratch.url)
            try StartBenchmark(workspace: scratch.url, region: region).run()
            try ExactBenchmark(region: region, pairs: pairs).run()
            if let export {
                try sample.write(to: export, extract: file, median: median, importing: importing)
            }
            fflush(nil)
        }
        if part == nil, only == nil || only == "tiled" {
            try TiledBenchmark(data: data, pairs: min(pairs, 100)).run()
        }
    }
}

extension RoutingBenchmark {
    private func measure(
        _ part: Part, of extract: Extract, _ file: URL, _ tiles: [URL], in regions: RegionFolder,
        workspace: URL
    ) async throws {
        let name = extract.name
        switch part {
        case .stops: try await StopCost(file: file, tiles: tiles).run()
        case .import: try ImportCost(file: file, tiles: tiles).run()
        case .trace: try TraceCost.compare(imported(name, file, in: regions), pairs: pairs)
        case .turns: try InstructionCheck.run(imported(name, file, in: regions), routes: Self.checkedRoutes)
        case .exact: try ExactBenchmark(region: imported(name, file, in: regions, tiles), pairs: pairs).run()
        case .start:
            let region = try imported(name, file, in: regions, tiles)
            try StartBenchmark(workspace: workspace, region: region).run()
        case .plan:
            let planner = try imported(name, file, in: regions)
            let sample = try RandomPairs(planner, count: pairs)
            let plans = PlanBenchmark(planner: planner, pairs: sample, goals: extract.goals)
            _ = try plans.run()
            try await plans.runCommand(workspace: workspace)
        }
    }

    /// The extracts of the folder of data, in order.
    private var everyExtract: [URL] {
        let folder = data.appendingPathComponent("osm")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.sorted().filter { $0.hasSuffix(".osm.pbf") && (only == nil || $0.hasPrefix(only ?? "")) }
            .map { folder.appendingPathComponent($0) }
    }

    private func exportPeers(to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in everyExtract {
            let name = String(file.lastPathComponent.dropLast(".osm.pbf".count))
            let scratch = try Scratch()
            let regions = RegionFolder(at: scratch.url)
            _ = try RegionImport(into: regions).run(RegionImport.Request(source: file, name: name))
            let region = try RoutingRegion(regions.database(name), isOwn: true)
            try PeerPairs(region, extract: file, count: pairs)
                .write(to: folder.appendingPathComponent(name + ".json"))
        }
    }

    private func profile(_ method: SearchMethod, _ name: String, _ file: URL, in regions: RegionFolder) throws
    {
        let planner = try imported(name, file, in: regions)
        let sample = try RandomPairs(planner, count: pairs)
        try QueryBenchmark(planner: planner, pairs: sample, goals: Goals()).run(methods: [method])
    }

    private func imported(_ name: String, _ file: URL, in regions: RegionFolder) throws -> RoutePlanner {
        try RoutePlanner(imported(name, file, in: regions, []), profile: .hiking)
    }

    private func imported(
        _ name: String, _ file: URL, in regions: RegionFolder, _ tiles: [URL]
    ) throws -> RoutingRegion {
        _ = try RegionImport(into: regions).run(
            RegionImport.Request(source: file, elevation: tiles, name: name))
        return try RoutingRegion(regions.database(name), isOwn: true)
    }
}

/// Goals; `nil` for none.
struct Goals {
    /// Seconds of a whole import.
    var importing: Double?
    /// The median of a plan in seconds.
    var planning: Double?
    /// The minimum speedup of the hierarchy relative to A*.
    var hierarchy: Double?
    /// The maximum cost of a settled node relative to C++.
    static let baseline = 1.5
    /// The maximum cost of a search with disabled tracing relative to one without tracing.
    static let trace = 1.05
    /// The maximum cost of an import with map features relative to one without.
    static let mapImport = 2.0
    /// The maximum duration of a route from the shell relative to an empty start.
    static let start = 1.5
    /// The minimum number of edges opened per second.
    static let opening = 1e6
}
