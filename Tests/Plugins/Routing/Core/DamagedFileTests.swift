import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import Synchronization
import Testing
import TurnInstructions

@testable import RoutingPlugin

/// The files beside a region may be damaged anywhere: the result is that of intact files, or an error that
/// names the location.
struct DamagedFileTests {
    /// A region of a few ways with a trail's worth of tags, whose files are small enough to change every byte of them.
    private struct Small {
        let folder: ScratchFolder
        let files: RegionFiles
        let stamp: UInt64
        let places: [[Coordinate]]
        let answers: [[String]]

        init() throws {
            folder = try ScratchFolder()
            try RegionImport(into: folder.regions).sketch(
                map: "A  B  C\n\nD  E  F",
                ways: [
                    .init("ABC", name: "Alley", highway: "residential"),
                    .init("DEF", name: "Brook Lane", highway: "track", surface: "gravel"), .init("AD"),
                    .init("BE", name: "Steps", highway: "steps"), .init("CF", name: "Dyke", oneway: "yes"),
                ], name: "small")
            let region = try RoutingRegion(folder.regions.database("small"), isOwn: true)
            files = RegionFiles(database: region.database)
            stamp = try #require(files.stamp)
            let nodes = (0..<region.graph.nodeCount).map { region.graph.coordinate(of: $0) }
            places = [[nodes[0], nodes[5]], [nodes[2], nodes[3]], [nodes[4], nodes[1]]]
            let graph = region.graph
            let costs = try region.hierarchy(.hiking)
            answers = try places.map {
                try Self.answer(graph, RoutePlanner(costs.weighted, hierarchy: costs), $0)
            }
        }

        /// All properties of a route, its instructions and its network.
        static func answer(_ graph: RoutingGraph, _ planner: RoutePlanner, _ places: [Coordinate]) throws
            -> [String]
        {
            let path = try planner.plan(places)
            let pieces = PathTurns(graph: graph, path: path)
            var generator = TurnGenerator(trace: NoTrace())
            let turns = generator.turns(along: pieces.turnPath())
            let slow = try planner.plan(places, method: .aStar)
            let words = [
                "\(path.cost) \(path.duration) \(path.distance)", "\(path.coordinates)", "\(slow.cost)",
            ]
            let bounds = graph.bounds.map { "\($0)" } ?? ""
            try planner.costs?.checkSound()
            return words + turns.map(\.description) + [bounds]
        }

        var urls: [URL] { [files.graph, files.hierarchy, files.derived.last ?? files.graph] }
    }

    /// Places whose bytes are changed: all of the index, and of the sections each byte of a step.
    private static func places(_ whole: Data, step: Int) -> [Int] {
        let index = 64 + 32 * whole.word(at: 32) + 8 * whole.word(at: 40)
        return Array(0..<index) + Array(stride(from: index, to: whole.count, by: step))
    }

    @Test(arguments: [0, 1, 2])
    func aDamagedByteChangesNoAnswer(_ file: Int) throws {
        let small = try Small()
        let url = small.urls[file]
        let whole = try Data(contentsOf: url)
        for place in Self.places(whole, step: 13) {
            var bytes = whole
            bytes[place] ^= 1 << UInt8(place % 8)
            try bytes.write(to: url)
            let region = try RoutingRegion(small.files.database, isOwn: true)
            let planner = try RoutePlanner(region, profile: .hiking)
            for (places, answer) in zip(small.places, small.answers) {
                #expect(try Small.answer(region.graph, planner, places) == answer, "byte \(place)")
            }
        }
        #expect(try Data(contentsOf: url).count == whole.count)
    }

    /// As if the database were unreadable, too.
    @Test(arguments: [0, 1, 2])
    func whatCannotBeMadeAnewIsAnErrorThatNamesThePlace(_ file: Int) throws {
        let small = try Small()
        let url = small.urls[file]
        let whole = try Data(contentsOf: url)
        var (found, same) = (0, 0)
        for place in Self.places(whole, step: 3) {
            var bytes = whole
            bytes[place] ^= 1 << UInt8(place % 8)
            try bytes.write(to: url)
            guard let planner = try planner(small) else { continue }
            for (places, answer) in zip(small.places, small.answers) {
                do {
                    let other = try Small.answer(planner.weighted.graph, planner, places)
                    // Data that was not read may be damaged.
                    #expect(other == answer, "byte \(place)")
                    same += 1
                } catch let error as RutterError {
                    #expect(error.code == "E-REGION-DAMAGED", "byte \(place): \(error.message)")
                    let numbers =
                        error.message.components(separatedBy: ": bytes ").last?
                        .components(separatedBy: " to ").compactMap { Int($0) } ?? []
                    #expect(error.message.contains(url.lastPathComponent))
                    #expect(
                        numbers.count == 2 && (numbers[0]...numbers[1]).contains(place), "\(error.message)")
                    found += 1
                }
            }
        }
        #expect(found > 20)
    }

    /// A planner with the files only; `nil` if one of them is rejected as a whole.
    private func planner(_ small: Small) throws -> RoutePlanner? {
        guard let image = MemoryImage.mapped(small.files.graph, stamp: small.stamp),
            let graph = RoutingGraph(mapped: image),
            let order = MemoryImage.mapped(small.files.hierarchy, stamp: small.stamp),
            let hierarchy = Hierarchy(mapped: order, of: graph),
            let key = CostsKey(.hiking, graph: graph, hierarchy: hierarchy),
            let costs = MemoryImage.mapped(small.urls[2], stamp: key.stamp),
            let stored = StoredCosts(costs, key: key, graph: graph, hierarchy: hierarchy)
        else { return nil }
        let weighted = WeightedGraph(graph, profile: .hiking, stored: stored)
        return RoutePlanner(weighted, hierarchy: HierarchyCosts(hierarchy, weighted, stored: stored))
    }

    /// The checksums match, as in a file made to harm: no section exceeds the file or overlaps another one.
    @Test(arguments: [0, 1, 2])
    func aSectionThatLeadsElsewhereIsNotBelieved(_ file: Int) throws {
        let small = try Small()
        let url = small.urls[file]
        let whole = try Data(contentsOf: url)
        func isBelieved(_ change: (inout Data) -> Void) throws -> Bool {
            var bytes = whole
            change(&bytes)
            bytes.sumUp()
            try bytes.write(to: url)
            guard let planner = try planner(small), let costs = planner.costs else { return false }
            for image in [planner.weighted.graph.image, costs.hierarchy.image, costs.weighted.stored?.image] {
                image?.checkAll()
            }
            return errorCode { try costs.checkSound() } == nil
        }
        #expect(try isBelieved { _ in })
        // Sections of whole numbers with invalid indexes.
        let indices: [Set<Int>] = [
            [6, 7, 8, 20, 21, 29, 31, 41, 51], [1, 2, 3, 4, 5], [6, 7, 20, 22, 24, 25, 26],
        ]
        for row in stride(from: 64, to: 64 + 32 * whole.word(at: 32), by: 32) {
            let (tag, start, count) = (whole.word(at: row), whole.word(at: row + 8), whole.word(at: row + 16))
            for (place, value) in [
                (8, whole.count + 64), (8, start + 4), (16, whole.count), (24, 0), (24, 5000),
            ] {
                #expect(try !isBelieved { $0.store(value, at: row + place) }, "section \(tag): \(value)")
            }
            guard indices[file].contains(tag), count > 0 else { continue }
            for value: Int32 in [.max, .min] {
                #expect(try !isBelieved { $0.store(value, at: start + count - 4) }, "section \(tag)")
                #expect(try !isBelieved { $0.store(value, at: start) }, "section \(tag)")
            }
        }
    }

    /// Stored costs are never used for another profile, graph, hierarchy or program.
    @Test func keptCostsAreThoseOfTheProfileAndTheRegion() throws {
        let small = try Small()
        func region() throws -> RoutingRegion { try RoutingRegion(small.files.database, isOwn: true) }
        #expect(try region().hierarchy(.hiking).weighted.stored != nil)
        var other = CostProfile.hiking
        other.rules[0].factor *= 2
        #expect(isFresh(try region(), other))
        // It was kept, and the first one stays.
        #expect(try region().hierarchy(other).weighted.stored != nil)
        #expect(try region().hierarchy(.hiking).weighted.stored != nil)
        for change: (inout CostProfile) -> Void in [
            { $0.name = "other" }, { $0.gain += 1 }, { $0.surfaces["asphalt"] = 9 },
            { $0.missingSurfaces["residential"] = 2 },
            { $0.allowed = ["private"] },
            { $0.closedHighways.insert("path") }, { $0.sacLimit = nil }, { $0.isBareDistance = true },
            { $0.descents[0].factor += 1 }, { $0.mode = .cycling }, { $0 = $0.timed },
        ] {
            var changed = CostProfile.hiking
            change(&changed)
            #expect(isFresh(try region(), changed))
        }
        // A file under the name of another profile.
        _ = try region().hierarchy(.hiking)
        let key = try #require(
            CostsKey(.hiking, graph: try region().graph, hierarchy: try region().hierarchy()))
        let name = small.files.costs(key)
        let foreign = try #require(small.files.derived.last { $0 != name && $0.path.contains("costs-") })
        try FileManager.default.removeItem(at: name)
        try FileManager.default.copyItem(at: foreign, to: name)
        #expect(isFresh(try region(), .hiking))
        #expect(small.files.derived.count { $0.path.contains("costs-") } <= RoutingSettings.storedProfiles)
    }

    /// A property added to profiles or rules is part of the key of their costs.
    @Test func theKeyOfCostsNamesEveryPropertyOfAProfile() {
        func properties(_ value: Any) -> Set<String> {
            Set(Mirror(reflecting: value).children.compactMap(\.label))
        }
        #expect(
            properties(CostProfile.hiking) == [
                "name", "mode", "speed", "surfaces", "otherSurface", "missingSurfaces", "sacScales",
                "highways",
                "closedHighways",
                "gain", "loss", "descents", "steepestDescent", "sacLimit", "sacWarning", "rules", "allowed",
                "moment", "isBareDistance", "isTimed",
            ])
        #expect(properties(CostProfile.hiking.descents[0]) == ["below", "factor"])
        #expect(
            properties(CostProfile.hiking.rules[0]) == [
                "text", "conditions", "factor", "seconds", "isForbidden", "warns",
            ])
    }

    private func isFresh(_ region: RoutingRegion, _ profile: CostProfile) -> Bool {
        (try? region.hierarchy(profile))?.weighted.stored == nil
    }

    /// Threads that meet damage at the same time wait for the one that rebuilds the file.
    @Test func damageMetByManyThreadsAtOnce() throws {
        let values = (0..<200_000).map(Int32.init)
        var builder = MemoryImage.Builder()
        builder.add(1, values)
        let whole = builder.image(stamp: 7)
        var bytes = Data(whole.bytes)
        for offset in stride(from: bytes.count - 4096 * 40, to: bytes.count - 4096, by: 4096) {
            bytes[offset] ^= 1
        }
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("damaged")
        try bytes.write(to: file)
        let image = try #require(MemoryImage.mapped(file, stamp: 7))
        image.onDamage { whole }
        let column = image.column(1, as: Int32.self)
        let wrong = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 16) { thread in
            let own = values.indices.reversed().count {
                ($0 ^ thread) < values.count && column[$0 ^ thread] != Int32($0 ^ thread)
            }
            wrong.withLock { $0 += own }
        }
        #expect(wrong.withLock { $0 } == 0)
        #expect(image.damage == nil)
    }

    /// A folder that cannot be written: everything works, and nothing is left behind.
    @Test func withoutAFileTheCostsAreWorkedOut() throws {
        let small = try Small()
        let key = try #require(small.files.derived.last)
        try FileManager.default.removeItem(at: key)
        // Nothing can be written in its place.
        try FileManager.default.createDirectory(at: key, withIntermediateDirectories: true)
        let region = try RoutingRegion(small.files.database, isOwn: true)
        let planner = try RoutePlanner(region, profile: .hiking)
        for (places, answer) in zip(small.places, small.answers) {
            #expect(try Small.answer(region.graph, planner, places) == answer)
        }
        #expect(
            !FileManager.default.directoryContents(small.folder.regions.url).contains {
                $0.hasPrefix(".small")
            })
    }
}

extension FileManager {
    fileprivate func directoryContents(_ url: URL) -> [String] {
        (try? contentsOfDirectory(atPath: url.path)) ?? []
    }
}

extension Data {
    fileprivate func word(at offset: Int) -> Int {
        withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    }

    fileprivate mutating func store<T: BitwiseCopyable>(_ value: T, at offset: Int) {
        withUnsafeMutableBytes { $0.storeBytes(of: value, toByteOffset: offset, as: T.self) }
    }

    /// Recomputes all checksums, as far as the index can be read.
    fileprivate mutating func sumUp() {
        let sums = 64 + 32 * word(at: 32)
        var block = 0
        for row in Swift.stride(from: 64, to: sums, by: 32) {
            let (start, bytes, stride) = (word(at: row + 8), word(at: row + 16), word(at: row + 24))
            guard stride > 0, stride <= 4096, start + bytes <= count else { break }
            var size = stride
            while size * 2 <= 4096 { size *= 2 }
            for from in Swift.stride(from: start, to: start + bytes, by: size) {
                let to = Swift.min(from + size, start + bytes)
                guard block < word(at: 40) else { break }
                let sum = withUnsafeBytes { Checksum.of(UnsafeRawBufferPointer(rebasing: $0[from..<to])) }
                store(sum, at: sums + 8 * block)
                block += 1
            }
        }
        let end = sums + 8 * word(at: 40)
        let sum = withUnsafeBytes { bytes in bytes.baseAddress.map { MemoryImage.indexSum($0, bytes: end) } }
        store(sum ?? 0, at: 8)
    }
}
