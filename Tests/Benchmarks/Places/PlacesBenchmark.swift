import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import RoutingPlugin

/// Measures the recall and speed of place find, and the cost of its index.
///
/// `places-bench [--quick] [--recall] [--import] [EXTRACT …]`: extracts are files in the folder of real
/// data, without extension. `--quick` uses samples and imports once; `--recall` skips times, imports once
/// and uses all objects; `--import` measures only imports and indexes.
struct PlacesBenchmark {
    private let isQuick: Bool
    private let isTimed: Bool
    private let isImport: Bool
    private let extracts: [String]
    private static let all = [
        "liechtenstein-2021", "andorra-2021", "krems", "sydney-newtown-2020", "heidelberg",
        "composite-europe",
    ]

    init(_ arguments: [String]) {
        isQuick = arguments.contains("--quick")
        isTimed = !arguments.contains("--recall")
        isImport = arguments.contains("--import")
        let named = arguments.dropFirst().filter { !$0.hasPrefix("-") }
        extracts = named.isEmpty ? (isQuick ? ["liechtenstein-2021", "krems"] : Self.all) : Array(named)
    }

    func run() async throws {
        if isTimed, !isImport { try LatencyMeasure(isQuick: isQuick).run() }
        var total = RecallTally()
        for extract in extracts {
            let file = RealData.url("osm/\(extract).osm.pbf")
            guard FileManager.default.fileExists(atPath: file.path) else {
                print("\(extract): skipped, no such file: \(file.path)")
                continue
            }
            print("\n\(extract)")
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "places-bench-\(getpid())")
            defer { try? FileManager.default.removeItem(at: folder) }
            try importTwice(file, name: extract, into: folder)
            let files = RegionFiles(database: try RegionFolder(at: folder).database(extract))
            let places = try OpenPlaces(files, name: extract, stamp: files.stamp ?? 0, isOwn: true)
            try sizes(files, places)
            if isImport { continue }
            let scan = OSMScan(file)
            var recall = RecallMeasure(places: places, limit: isQuick ? 300 : 20_000)
            try recall.names(try scan.names())
            try recall.addresses(try scan.addresses())
            let region = try RoutingRegion(files.database, isOwn: true)
            try recall.reverse(try scan.reverse(count: isQuick ? 100 : 1000), region)
            recall.tally.report()
            total.add(recall.tally)
            try await PublishedCases.run(extract, file)
        }
        if isImport { return }
        print("\nall extracts")
        total.report()
    }

    /// Imports with and without names, alternating, and prints the ratio of the fastest.
    private func importTwice(_ file: URL, name: String, into folder: URL) throws {
        var best = [Double.infinity, .infinity]
        let start = ContinuousClock.now
        var rounds = 0
        // Short measurements are repeated often: one write to disk is a third of them.
        while rounds < 1 || isTimed && !isQuick && (rounds < 3 || start.duration(to: .now) < .seconds(4)) {
            rounds += 1
            for (index, keepsNames) in [false, true].enumerated() {
                let importer = RegionImport(into: RegionFolder(at: folder))
                let (report, seconds) = try timed {
                    try importer.run(
                        RegionImport.Request(source: file, name: name, replaces: true, keepsNames: keepsNames)
                    )
                }
                best[index] = min(best[index], seconds)
                if keepsNames, rounds == 1 {
                    print(
                        "  \(report.places) places; \(report.unplacedNames) named objects without a node in the file, "
                            + "\(report.streetlessAddresses) addresses without a street")
                }
            }
        }
        print("  import \(ms(best[1])), without names \(ms(best[0])): \(ratio(best[1] / best[0]))")
    }

    private func sizes(_ files: RegionFiles, _ places: OpenPlaces) throws {
        let index = try FileManager.default.attributesOfItem(atPath: files.places.path)[.size] as? Int ?? 0
        let names = try places.bytesOfNames()
        let (_, opening) = try timed {
            _ = try OpenPlaces(files, name: places.name, stamp: files.stamp ?? 0, isOwn: true)
        }
        print(
            "  index \(index >> 10) KiB for \(names >> 10) KiB of names, addresses and towns: "
                + "\(ratio(Double(index) / Double(names))); opened in \(ms(opening))")
    }
}

func timed<T>(_ body: () throws -> T) rethrows -> (T, Double) {
    let clock = ContinuousClock()
    let start = clock.now
    let value = try body()
    let time = (clock.now - start).components
    return (value, Double(time.seconds) + Double(time.attoseconds) / 1e18)
}

func ms(_ seconds: Double) -> String { "\((seconds * 1e5).rounded() / 100) ms" }
func ratio(_ value: Double) -> String { "\((value * 100).rounded() / 100)×" }
