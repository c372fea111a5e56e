import Foundation
import GRDB
import Geodesy
import PluginKit
import PluginTestKit

@testable import RoutingPlugin

/// A folder of a test, deleted with it.
final class ScratchFolder: Sendable {
    let url: URL

    init() throws {
        let name = "rutter-routing-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ name: String, _ text: String) throws -> URL { try write(name, Data(text.utf8)) }

    func write(_ name: String, _ data: Data) throws -> URL {
        let file = url.appendingPathComponent(name)
        try data.write(to: file)
        return file
    }

    var regions: RegionFolder { RegionFolder(at: url.appendingPathComponent("regions")) }
}

/// The optional real data beside the project.
enum CoreData {
    static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["RUTTER_DATA"] { return URL(fileURLWithPath: path) }
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { root.deleteLastPathComponent() }
        return root.deletingLastPathComponent().appendingPathComponent("shared/data")
    }()

    static func url(_ path: String) -> URL { folder.appendingPathComponent(path) }
    static func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: url(path).path) }

    static func files(_ path: String) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url(path).path)) ?? []
        return names.sorted().map { url(path).appendingPathComponent($0) }
    }
}

/// The code of the error that work throws; `nil` when it throws none.
func errorCode(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch let error as RutterError {
        return error.code
    } catch {
        return "\(error)"
    }
}

/// The error that work throws.
func rutterError(_ body: () throws -> Void) -> RutterError? {
    do { try body() } catch { return error as? RutterError }
    return nil
}

/// A region of an OSM document, with an elevation tile where one is given.
func importedRegion(_ osm: String, tile: URL? = nil, in folder: ScratchFolder) throws -> RoutingRegion {
    let file = try folder.write("map.osm", osm)
    _ = try RegionImport(into: folder.regions).run(
        RegionImport.Request(source: file, elevation: tile.map { [$0] } ?? [], name: "test", replaces: true))
    return try RoutingRegion(folder.regions.database("test"), isOwn: true)
}

/// A made-up town: a crooked grid of streets with random tags and points in between.
enum MadeUpTown {
    static let origin = Coordinate(latitude: 47.2, longitude: 9.4)
    static let surfaces: [String?] = [
        nil, "asphalt", "gravel", "ground", "grass", "mud", "cobblestone", "sand",
    ]
    static let grades: [String?] = [nil, nil, "hiking", "mountain_hiking", "demanding_alpine_hiking"]
    static let highways = ["path", "footway", "track", "residential", "steps", "cycleway", "primary"]

    static func osm(side: Int, seed: UInt64) -> String {
        var random = SplitMix(seed: seed)
        var nodes = ""
        var ways = ""
        func node(_ id: Int, _ row: Double, _ column: Double) {
            let lat = origin.latitude + (row + Double.random(in: -0.2...0.2, using: &random)) * 0.001
            let lon = origin.longitude + (column + Double.random(in: -0.2...0.2, using: &random)) * 0.0014
            nodes += "<node id=\"\(id)\" lat=\"\(text(lat))\" lon=\"\(text(lon))\"/>\n"
        }
        for row in 0..<side {
            for column in 0..<side { node(1 + row * side + column, Double(row), Double(column)) }
        }
        var (nextNode, nextWay) = (100_000, 1)
        func way(_ from: (Int, Int), _ to: (Int, Int)) {
            guard Int.random(in: 0..<10, using: &random) > 1 else { return }
            var refs = [1 + from.0 * side + from.1]
            for step in 0..<Int.random(in: 0...3, using: &random) {
                let share = Double(step + 1) / 4
                node(
                    nextNode, Double(from.0) + Double(to.0 - from.0) * share,
                    Double(from.1) + Double(to.1 - from.1) * share)
                refs.append(nextNode)
                nextNode += 1
            }
            refs.append(1 + to.0 * side + to.1)
            ways += "<way id=\"\(nextWay)\">" + refs.map { "<nd ref=\"\($0)\"/>" }.joined()
            ways += tags(&random) + "</way>\n"
            nextWay += 1
        }
        for row in 0..<side {
            for column in 0..<side {
                if column + 1 < side { way((row, column), (row, column + 1)) }
                if row + 1 < side { way((row, column), (row + 1, column)) }
            }
        }
        return "<osm version=\"0.6\">\n\(nodes)\(ways)</osm>\n"
    }

    private static func text(_ degrees: Double) -> String { "\((degrees * 1e7).rounded() / 1e7)" }

    private static func tags(_ random: inout SplitMix) -> String {
        var tags = ["highway": highways.randomElement(using: &random) ?? "path"]
        tags["surface"] = surfaces.randomElement(using: &random) ?? nil
        tags["sac_scale"] = grades.randomElement(using: &random) ?? nil
        if Int.random(in: 0..<4, using: &random) == 0 {
            tags["oneway"] = ["yes", "-1"].randomElement(using: &random)
        }
        if Int.random(in: 0..<12, using: &random) == 0 { tags["bicycle"] = "no" }
        if Int.random(in: 0..<12, using: &random) == 0 { tags["oneway:foot"] = "yes" }
        if Int.random(in: 0..<15, using: &random) == 0 { tags["foot"] = "no" }
        return tags.sorted { $0.key < $1.key }.map { "<tag k=\"\($0.key)\" v=\"\($0.value)\"/>" }.joined()
    }

    /// A tile of hills around the town.
    static func tile(in folder: ScratchFolder) throws -> URL { try folder.write("N47E009.hgt", hills) }

    private static let hills = HGTBytes.tile(side: 1201) { row, column in
        Int16(600 + 200 * sin(Double(row) / 9) + 150 * cos(Double(column) / 7))
    }
}

/// Ways between random nodes within two kilometres: loops, parallels, crossings without a junction, parts apart.
enum MadeUpTangle {
    static func osm(nodes count: Int, seed: UInt64) -> String {
        var random = SplitMix(seed: seed &* 77)
        var text = "<osm version=\"0.6\">\n"
        for id in 1...count {
            let (y, x) = (Int.random(in: 0...200, using: &random), Int.random(in: 0...200, using: &random))
            text +=
                "<node id=\"\(id)\" lat=\"\(47 + Double(y) / 10_000)\" lon=\"\(9 + Double(x) / 10_000)\"/>\n"
        }
        for id in 1...count + count / 3 {
            let refs = (0..<Int.random(in: 2...4, using: &random)).map { _ in
                Int.random(in: 1...count, using: &random)
            }
            text += "<way id=\"\(id)\">" + refs.map { "<nd ref=\"\($0)\"/>" }.joined()
            text +=
                "<tag k=\"highway\" v=\"\(["path", "steps", "primary"].randomElement(using: &random) ?? "")\"/>"
            if Int.random(in: 0..<3, using: &random) == 0 { text += "<tag k=\"oneway\" v=\"yes\"/>" }
            if Int.random(in: 0..<6, using: &random) == 0 { text += "<tag k=\"oneway:foot\" v=\"-1\"/>" }
            text += "</way>\n"
        }
        return text + "</osm>\n"
    }
}

/// Elevation tiles as bytes.
enum HGTBytes {
    static func tile(side: Int, _ sample: (_ row: Int, _ column: Int) -> Int16) -> Data {
        var samples = [Int16](repeating: 0, count: side * side)
        for row in 0..<side {
            for column in 0..<side { samples[row * side + column] = sample(row, column).bigEndian }
        }
        return samples.withUnsafeBytes { Data($0) }
    }
}
