import COsmium
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// Reads ways and their nodes out of an OSM file.
struct OSMReader {
    let url: URL
    private let progress: ProgressReporter
    /// Whether reading is to end before the file does.
    private let isStopped: @Sendable () -> Bool
    private var file: String { url.lastPathComponent }

    init(
        _ url: URL, progress: ProgressReporter,
        isStopped: @escaping @Sendable () -> Bool = { Task.isCancelled }
    ) {
        self.url = url
        self.progress = progress
        self.isStopped = isStopped
    }

    /// Throws `E-INTERRUPTED` where reading is to end.
    func checkStop() throws {
        if isStopped() { throw Interruption.stopped }
    }

    /// The data read.
    struct Result {
        var ways = WayTable()
        var nodes = NodeTable()
        /// References to nodes that the file does not have.
        var missing = 0
        /// Ways with a `highway` in the file.
        var seenWays = 0
        /// The combinations of tags that were decided on; `nil` where nobody watches.
        var considered: [(tags: WayTags, verdict: WayVerdict?)]?
        var seenNodes = 0
        /// The tags of nodes of ways that may stop someone, by the node's number.
        var obstacles: [Int32: [String: String]] = [:]
        /// Hiking trails that follow kept ways, and for each way the trails along it by their index.
        var trails: [Trail] = []
        var trailsOfWay: [Int64: [Int32]] = [:]
        /// What was met that could not be used, each said once.
        var notices: [String] = []
    }

    /// Reads the ways that are kept and the nodes they use; with a box only those inside. Watched, it also lists the
    /// combinations of tags that it met.
    func read(bounds: BoundingBox?, isWatched: Bool = false) throws -> Result {
        var result = Result()
        if isWatched { result.considered = [] }
        var references = try readWays(&result)
        try readNodes(&result, &references, bounds: bounds)
        return result
    }

    func checkKind() throws {
        try RegularFile.check(url)
        let known = [".osm.pbf", ".pbf", ".osm", ".osm.gz", ".osm.bz2"]
        guard known.contains(where: { file.lowercased().hasSuffix($0) }) else {
            throw RegionErrors.osmKind("\(file) is not an .osm.pbf, .osm, .osm.gz or .osm.bz2 file")
        }
    }

    /// The ids that ways refer to, and what a file with positions on its ways says of them.
    private struct References {
        var ids: [Int64] = []
        var positions: [Int32] = []
    }

    // MARK: Trails

    private func takeRoutes(_ routes: cosm_ways, _ result: inout Result) {
        let texts = OSMTexts(routes)
        let keyCount = TrailRelations.keys.count
        let relations = (0..<routes.count).map { index in
            TrailRelations.Relation(
                id: routes.ids[index],
                values: (0..<keyCount).map { texts[routes.values[index * keyCount + $0]] },
                members: Array(
                    UnsafeBufferPointer(
                        start: routes.refs + Int(routes.first_ref[index]),
                        count: Int(routes.first_ref[index + 1] - routes.first_ref[index]))))
        }
        let trails = TrailRelations(relations)
        result.trails = trails.trails
        result.trailsOfWay = trails.ofWay
        result.notices += trails.notices
    }

    // MARK: Ways

    private func readWays(_ result: inout Result) throws -> References {
        try NativeLibrary.osmium.require()
        var ways = cosm_ways()
        var routes = cosm_ways()
        defer {
            cosm_free_ways(&ways)
            cosm_free_ways(&routes)
        }
        let outcome = CStrings.withPointers(WayTags.keys) { keys in
            CStrings.withPointers(TrailRelations.keys) { routeKeys in
                withProgress("reading ways") { function, context in
                    cosm_read_ways(
                        url.path, keys, WayTags.keys.count, routeKeys, TrailRelations.keys.count, function,
                        context, &ways, &routes)
                }
            }
        }
        try check(outcome)
        takeRoutes(routes, &result)
        return take(ways, &result)
    }

    private func take(_ ways: cosm_ways, _ result: inout Result) -> References {
        var references = References()
        let texts = OSMTexts(ways)
        var verdicts: [[Int32]: Int32] = [:]
        let keyCount = WayTags.keys.count
        let nameKey = WayTags.keys.firstIndex(of: "name") ?? 0
        let refKey = WayTags.keys.firstIndex(of: "ref") ?? 0
        let networks = result.trails.map { $0.network ?? "yes" }
        var conditions: Set<String> = []
        for way in 0..<ways.count {
            let values = UnsafeBufferPointer(start: ways.values + way * keyCount, count: keyCount)
            var key = Array(values)
            key[nameKey] = -1
            key[refKey] = -1
            // The most important of the trails along it stands for all.
            let trail = result.trailsOfWay[ways.ids[way]]?.first.map { Int32($0) }
            key.append(trail.map { Int32(Self.networkNumber(networks[Int($0)])) } ?? -1)
            let known =
                verdicts[key]
                ?? decide(key.dropLast(), trail.map { networks[Int($0)] }, texts, &result, &conditions)
            verdicts[key] = known
            guard known >= 0 else { continue }
            let range = Int(ways.first_ref[way])..<Int(ways.first_ref[way + 1])
            let start = references.ids.count
            references.ids.append(
                contentsOf: UnsafeBufferPointer(start: ways.refs + range.lowerBound, count: range.count))
            if let positions = ways.ref_positions {
                references.positions.append(
                    contentsOf: UnsafeBufferPointer(
                        start: positions + 2 * range.lowerBound, count: 2 * range.count))
            }
            result.ways.ways.append(
                WayTable.Way(
                    id: ways.ids[way], verdict: known, name: texts[values[nameKey]] ?? texts[values[refKey]],
                    nodes: start..<references.ids.count))
        }
        result.seenWays = ways.count
        result.notices += conditions.sorted().map {
            "a conditional restriction is kept as text, as it is not understood: \($0)"
        }
        return references
    }

    /// A number for each value of `network`, for the table of verdicts.
    private static func networkNumber(_ network: String) -> Int {
        ["iwn", "nwn", "rwn", "lwn", "yes"].firstIndex(of: network) ?? 5
    }

    /// The number of a new verdict; −1 when such ways are not kept.
    private func decide(
        _ key: ArraySlice<Int32>, _ trail: String?, _ texts: OSMTexts, _ result: inout Result,
        _ conditions: inout Set<String>
    ) -> Int32 {
        let tags = WayTags(values: key.map { texts[$0] }, trail: trail)
        let decided = WayRules.verdict(tags)
        result.considered?.append((tags, decided))
        guard let verdict = decided else { return -1 }
        for name in ["access", "foot", "bicycle"] {
            guard let text = tags[name + ":conditional"], !ConditionalAccess.isUnderstood(text) else {
                continue
            }
            conditions.insert("\(name):conditional=\(text)")
        }
        result.ways.verdicts.append(verdict)
        return Int32(result.ways.verdicts.count - 1)
    }

    // MARK: Nodes

    private func readNodes(
        _ result: inout Result, _ references: inout References, bounds: BoundingBox?
    ) throws {
        var keys = references.ids.enumerated().map { index, id in
            // Ids may be negative; the top bit flipped they sort as whole numbers.
            (key: UInt64(bitPattern: id) ^ (1 << 63), index: UInt32(index))
        }
        RadixSort.sort(&keys)
        var numbers = [Int32](repeating: -1, count: keys.count)
        var ids: [Int64] = []
        for (key, index) in keys {
            let id = Int64(bitPattern: key ^ (1 << 63))
            if ids.last != id { ids.append(id) }
            numbers[Int(index)] = Int32(ids.count - 1)
        }
        var latitude = [Int32](repeating: COSM_UNDEFINED, count: ids.count)
        var longitude = latitude
        for index in 0..<references.positions.count / 2 {
            latitude[Int(numbers[index])] = references.positions[2 * index]
            longitude[Int(numbers[index])] = references.positions[2 * index + 1]
        }
        var seen: UInt64 = 0
        var obstacles = cosm_ways()
        defer { cosm_free_ways(&obstacles) }
        let outcome = CStrings.withPointers(TagKeys.obstacles) { pointers in
            var marks = cosm_mark_keys(
                keys: pointers, mark_count: TagKeys.obstacleMarks, key_count: TagKeys.obstacles.count)
            return withProgress("reading nodes") { function, context in
                cosm_read_nodes(
                    url.path, ids, ids.count, &marks, function, context, &latitude, &longitude, &seen,
                    &obstacles)
            }
        }
        try check(outcome)
        takeObstacles(obstacles, ids, &result)
        result.seenNodes = Int(seen)
        let isKept = place(ids, latitude, longitude, bounds, &result.nodes)
        result.missing = numbers.count { latitude[Int($0)] == COSM_UNDEFINED }
        result.ways.nodes = numbers.map { isKept[Int($0)] ? $0 : -1 }
    }

    private func takeObstacles(_ found: cosm_ways, _ ids: [Int64], _ result: inout Result) {
        let texts = OSMTexts(found)
        let count = TagKeys.obstacles.count
        for index in 0..<found.count {
            var tags: [String: String] = [:]
            for (place, key) in TagKeys.obstacles.enumerated() {
                tags[key] = texts[found.values[index * count + place]]
            }
            guard WayRules.isObstacle(tags), let node = Self.place(of: found.ids[index], in: ids) else {
                continue
            }
            result.obstacles[Int32(node)] = tags
        }
    }

    /// The index of an id among sorted ones.
    private static func place(of id: Int64, in ids: [Int64]) -> Int? {
        let index = ids.partitionIndex { $0 >= id }
        return index < ids.count && ids[index] == id ? index : nil
    }

    /// Fills the node table; whether each node is known and inside of the box.
    private func place(
        _ ids: [Int64], _ latitude: [Int32], _ longitude: [Int32], _ bounds: BoundingBox?,
        _ nodes: inout NodeTable
    ) -> [Bool] {
        nodes.ids = ids
        nodes.latitude = latitude.map { Double($0) / 1e7 }
        nodes.longitude = longitude.map { Double($0) / 1e7 }
        nodes.elevation = [Float](repeating: .nan, count: ids.count)
        return ids.indices.map { index in
            guard latitude[index] != COSM_UNDEFINED else { return false }
            return bounds?.contains(nodes.coordinate(Int32(index))) ?? true
        }
    }

    // MARK: Calling the library

    /// The context of the library's progress callback.
    private final class Watch {
        let label: String
        let progress: ProgressReporter
        let isStopped: @Sendable () -> Bool

        init(_ label: String, _ progress: ProgressReporter, _ isStopped: @escaping @Sendable () -> Bool) {
            (self.label, self.progress, self.isStopped) = (label, progress, isStopped)
        }
    }

    func withProgress(
        _ label: String, _ body: (cosm_progress?, UnsafeMutableRawPointer?) -> cosm_result
    ) -> cosm_result {
        let watch = Watch(label, progress, isStopped)
        return withExtendedLifetime(watch) {
            body(
                { context, done, total in
                    guard let context else { return 0 }
                    let watch = Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue()
                    watch.progress.report(watch.label, done: Int(done), of: Int(total))
                    return watch.isStopped() ? 1 : 0
                }, Unmanaged.passUnretained(watch).toOpaque())
        }
    }

    func check(_ outcome: cosm_result) throws {
        let message = String(cArray: outcome.message)
        switch outcome.status {
        case cosm_ok: return
        case cosm_stopped: throw Interruption.stopped
        case cosm_system: throw CommonErrors.fileAccess("\(file): \(message)")
        case cosm_feature: throw RegionErrors.osmFeature("\(file): \(message)")
        case cosm_kind: throw RegionErrors.osmKind("\(file): \(message)")
        case cosm_memory: throw RegionErrors.osm("\(file): memory ran out at byte \(outcome.offset)")
        default:
            let byte = try PBFOutline.firstFault(in: url) ?? Int(outcome.offset)
            throw RegionErrors.osm("\(file) is damaged at byte \(byte): \(message)")
        }
    }
}

/// The texts that the reader gave, made into strings only when they are asked for.
private struct OSMTexts {
    private let ways: cosm_ways

    init(_ ways: cosm_ways) { self.ways = ways }

    subscript(_ index: Int32) -> String? {
        guard index >= 0 else { return nil }
        let (start, end) = (ways.first_byte[Int(index)], ways.first_byte[Int(index) + 1])
        let bytes = UnsafeRawBufferPointer(start: ways.bytes + Int(start), count: Int(end - start))
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Files that can be read to their end: no folders, devices or pipes.
enum RegularFile {
    static func check(_ url: URL) throws {
        var info = stat()
        guard stat(url.path, &info) == 0 else {
            throw CommonErrors.fileMissing("there is no file \(url.lastPathComponent)")
        }
        guard info.st_mode & S_IFMT == S_IFREG else {
            throw CommonErrors.fileAccess("\(url.lastPathComponent) is not a regular file")
        }
    }
}

/// Strings for C.
enum CStrings {
    /// Lends an array of C strings.
    static func withPointers<T>(
        _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> T
    ) -> T {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let pointers = copies.map { UnsafePointer($0) }
        return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
    }
}

extension NativeLibrary {
    /// libosmium, built in from its headers, and its dependencies.
    static let osmium = NativeLibrary(
        "reading OSM files", packages: "libosmium2-dev zlib1g-dev libbz2-dev libexpat1-dev",
        isThere: cosm_is_there)
}
