import Foundation
import PluginKit
import RoutingPlugin

/// An import with elevation and hierarchy, compared with a plain copy of the database and `osmium fileinfo
/// -e`.
struct ImportBenchmark {
    let file: URL
    let tiles: [URL]
    let name: String
    let goals: Goals

    /// Imports into a folder in a separate process, if `rutter` was built beside this program, and again in
    /// this process.
    func run(into regions: RegionFolder) throws -> ImportReport {
        let (report, seconds) = try timed {
            try RegionImport(into: regions).run(
                RegionImport.Request(source: file, elevation: tiles, name: name))
        }
        print(
            "import: \(report.nodes) nodes, \(report.edges) edges, \(report.missingReferences) references of kept "
                + "ways missing; \(ms(seconds)) within this process")
        let whole = try wholeProcess()
        if let whole {
            var line =
                "  whole process \(ms(whole.seconds)), processor time \(ms(whole.processor)), peak memory "
                + mib(whole.peak)
            if let limit = goals.importing { line += goal("< \(limit) s", whole.seconds < limit) }
            print(line)
        } else {
            print("  whole process: skipped, there is no rutter of the same build beside this program")
        }
        try compareMaps()
        try compare(database: regions.database(name), whole?.seconds ?? seconds, peak: whole?.peak)
        return report
    }

    /// Alternates imports with and without map features; the least processor time of each.
    private func compareMaps() throws {
        var least = [true: Double.infinity, false: Double.infinity]
        for round in 0..<6 {
            let keepsMap = round % 2 == 0
            let scratch = try Scratch()
            let (_, seconds) = try processTimed {
                try RegionImport(into: RegionFolder(at: scratch.url)).run(
                    RegionImport.Request(source: file, elevation: tiles, name: name, keepsMap: keepsMap))
            }
            least[keepsMap] = min(least[keepsMap] ?? seconds, seconds)
        }
        let (with, without) = (least[true] ?? 0, least[false] ?? 0)
        print(
            "  processor time with map features \(ms(with)), without \(ms(without)), ratio \(ratio(with, without))"
                + goal("≤ 2×", with <= Goals.mapImport * without))
    }

    /// The best of a few processes, to exclude other work of the machine.
    func wholeProcess() throws -> Child? {
        let runs = try (0..<5).map { _ -> Child? in
            let scratch = try Scratch()
            let elevation = tiles.map { " --elevation '\($0.path)'" }.joined()
            return Child(
                Child.rutter,
                [
                    "--workspace", scratch.url.path, "-c",
                    "region import '\(file.path)'\(elevation) --name '\(name)'",
                ])
        }
        return runs.compactMap { $0 }.min { $0.seconds < $1.seconds }
    }

    private func compare(database: URL, _ seconds: Double, peak: Int?) throws {
        let copy = database.appendingPathExtension("copy")
        let (_, copying) = try timed { try FileManager.default.copyItem(at: database, to: copy) }
        try FileManager.default.removeItem(at: copy)
        let size = (try FileManager.default.attributesOfItem(atPath: database.path)[.size] as? Int) ?? 0
        print(
            "  plain copy of the database (\(size >> 10) KiB) \(ms(copying)), ratio \(ratio(seconds, copying))"
        )
        guard let osmium = Child("/usr/bin/osmium", ["fileinfo", "-e", file.path]) else {
            print("  osmium fileinfo -e: skipped, osmium is not installed")
            return
        }
        var line = "  osmium fileinfo -e \(ms(osmium.seconds)), ratio \(ratio(seconds, osmium.seconds)); "
        line += "peak memory \(mib(osmium.peak))"
        if let peak { line += ", ratio \(ratio(Double(peak), Double(osmium.peak)))" }
        print(line)
    }
}

/// Opening a region: its mapped file, as written by the import, or the database alone.
struct OpeningBenchmark {
    let database: URL
    let report: ImportReport

    func run() throws {
        let edges = Double(report.edges)
        let (mapped, mapping) = try timed { try RoutingRegion(database, isOwn: true) }
        print(
            "open: mapped \(ms(mapping)), \(rate(edges / mapping)) edges/s"
                + goal("≥ \(rate(Goals.opening)) edges/s", edges / mapping >= Goals.opening))
        let (_, reading) = try timed { try RoutingRegion(database, isOwn: false) }
        print("  a foreign database, read through SQLite \(ms(reading)), \(rate(edges / reading)) edges/s")
        let bytes = Double(mapped.graph.image.size)
        print(
            "  graph \(Int(bytes) >> 10) KiB: \(Int(bytes / Double(report.nodes))) bytes per node or "
                + "\(Int(bytes / edges)) bytes per edge, including all sections")
        let (hierarchy, ordering) = try timed { try Hierarchy(mapped.graph) }
        print(
            "hierarchy: order and shortcuts \(ms(ordering)); \(hierarchy.arcCount) arcs, "
                + "\(hierarchy.image.size >> 10) KiB")
        for mode in TravelMode.allCases {
            let (weighted, weighing) = timed { WeightedGraph(mapped.graph, profile: .standard(mode)) }
            let (_, customising) = timed { HierarchyCosts(hierarchy, weighted) }
            print("  \(mode.rawValue): costs \(ms(weighing)), customise \(ms(customising))")
        }
    }
}
