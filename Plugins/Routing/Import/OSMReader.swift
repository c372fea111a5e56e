import Archives
import COsmium
import CivilTime
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// Reads ways and their nodes from an OSM file.
struct OSMReader {
    /// The library's handle of the file; several readers may share it.
    let source: OSMFile
    private let progress: ProgressReporter
    /// Whether reading must stop before the end of the file.
    private let isStopped: @Sendable () -> Bool
    /// The day of the import; `nil` takes each start for past.
    private let day: CivilDate?
    var url: URL { source.url }
    private var file: String { url.lastPathComponent }

    init(
        _ source: OSMFile, progress: ProgressReporter, day: CivilDate? = nil,
        isStopped: @escaping @Sendable () -> Bool = { Task.isCancelled }
    ) {
        self.source = source
        self.progress = progress
        self.day = day
        self.isStopped = isStopped
    }

    /// Throws `E-INTERRUPTED` if reading must stop.
    func checkStop() throws {
        if isStopped() { throw Interruption.stopped }
    }

    /// The data read.
    struct Result {
        var ways = WayTable()
        var nodes = NodeTable()
        /// The number of references to nodes that the file does not have.
        var missing = 0
        /// Areas mapped as relations.
        var areas: [AreaEdge] = []
        /// How many ways and obstacles have a tag whose value is not understood.
        var unknownValues = UnknownValues()
        /// The number of ways with a `highway` in the file, and of the edges of areas.
        var seenWays = 0
        /// The combinations of tags that were decided on; `nil` without a recorder.
        var considered: [(tags: WayTags, verdict: WayVerdict?)]?
        var seenNodes = 0
        /// The tags of nodes of ways that may be obstacles, by the node's number.
        var obstacles: [Int32: [String: String]] = [:]
        /// The unsupported conditional restrictions of ways and obstacles.
        var conditions: Set<String> = []
        /// Hiking trails that follow kept ways, and for each way the trails along it by their index.
        var trails: [Trail] = []
        var trailsOfWay: [Int64: [Int32]] = [:]
        /// The turn restrictions that bind bicycles.
        var turns: [TurnRestriction] = []
        /// The durations of ferries stated by their relations, with the ways of each.
        var ferries: [FerryRelations.Ferry] = []
        /// Notices about data that could not be used, each once.
        var notices: [String] = []
    }

    /// Reads the kept ways and the nodes that they use; with a box only those inside. With a recorder it
    /// also lists the combinations of tags.
    func read(bounds: BoundingBox?, isWatched: Bool = false) throws -> Result {
        var result = Result()
        if isWatched { result.considered = [] }
        var references = try readWays(&result)
        try readNodes(&result, &references, bounds: bounds)
        return result
    }

    /// The bytes of the file.
    func size() throws -> Int {
        (try url.resourceValues(forKeys: [.fileSizeKey])).fileSize ?? 0
    }

    func checkKind() throws {
        try RegularFile.check(url)
        // A file of a map's name whose bytes say nothing is damaged; the library says where.
        let endings = [".pbf", ".osm", ".osm.gz", ".osm.bz2"]
        let isNamed = endings.contains { file.lowercased().hasSuffix($0) }
        guard try isNamed || MapFiles.kind(of: SourceBytes(url)) != nil else {
            throw RegionErrors.osmKind(
                "\(file) is no OpenStreetMap file: neither PBF nor XML with the element osm",
                fix: "`import FILE` reads files of other kinds")
        }
    }

    /// The ids that ways refer to, and the contents of files with node locations on ways.
    private struct References {
        var ids: [Int64] = []
        var positions: [Int32] = []

        /// Adds those of a way; returns where they are.
        mutating func add(_ ways: cosm_ways, _ way: Int) -> Range<Int> {
            let start = ids.count
            let range = Int(ways.first_ref[way])..<Int(ways.first_ref[way + 1])
            let hadPositions = !positions.isEmpty
            ids.append(
                contentsOf: UnsafeBufferPointer(start: ways.refs + range.lowerBound, count: range.count))
            if let known = ways.ref_positions, hadPositions || start == 0 {
                positions.append(
                    contentsOf: UnsafeBufferPointer(
                        start: known + 2 * range.lowerBound, count: 2 * range.count))
            } else if hadPositions {
                positions += [Int32](repeating: COSM_UNDEFINED, count: 2 * range.count)
            }
            return start..<ids.count
        }
    }

    // MARK: Trails

    private func takeRoutes(_ routes: cosm_ways, _ result: inout Result) {
        let texts = OSMTexts(routes)
        let keyCount = TrailRelations.keys.count
        let relations = (0..<routes.count).map { index in
            let members = UnsafeBufferPointer(
                start: routes.refs + Int(routes.first_ref[index]),
                count: Int(routes.first_ref[index + 1] - routes.first_ref[index]))
            let main = members.prefix { $0 != cosm_side_members }
            return TrailRelations.Relation(
                id: routes.ids[index],
                values: texts.values(of: index, count: keyCount),
                members: Array(main), side: Array(members.dropFirst(main.count + 1)))
        }
        let trails = TrailRelations(relations)
        result.ferries = FerryRelations.seconds(relations)
        result.trails = trails.trails
        result.trailsOfWay = trails.ofWay
        result.notices += trails.notices
    }

    // MARK: Turn restrictions

    private func takeTurns(_ turns: cosm_ways, _ result: inout Result) {
        let texts = OSMTexts(turns)
        let relations = TurnRelations(
            (0..<turns.count).map { index in
                let range = Int(turns.first_ref[index])..<Int(turns.first_ref[index + 1])
                return TurnRelations.Relation(
                    id: turns.ids[index], values: texts.values(of: index, count: TurnRelations.keys.count),
                    members: range.map { turns.refs[$0] })
            })
        result.turns = relations.restrictions
        guard relations.unusable > 0 else { return }
        result.notices.append(
            "\(relations.unusable, of: "turn restriction") not used, incomplete or of an unknown kind: routes of "
                + "bicycles may turn where it is forbidden")
    }

    // MARK: Ways

    private func readWays(_ result: inout Result) throws -> References {
        try NativeLibrary.osmium.require()
        var ways = cosm_ways()
        var routes = cosm_ways()
        var areas = cosm_ways()
        var restrictions = cosm_ways()
        defer {
            cosm_free_ways(&ways)
            cosm_free_ways(&routes)
            cosm_free_ways(&areas)
            cosm_free_ways(&restrictions)
        }
        let outcome = CStrings.withPointers(WayTags.keys) { keys in
            CStrings.withPointers(TrailRelations.keys) { routeKeys in
                CStrings.withPointers(TurnRelations.keys) { turnKeys in
                    withProgress("reading ways") { function, context in
                        cosm_read_ways(
                            source.handle, keys, WayTags.keys.count, WayTags.own.count, routeKeys,
                            TrailRelations.keys.count, turnKeys, TurnRelations.keys.count, function,
                            context, &ways, &routes, &areas, &restrictions)
                    }
                }
            }
        }
        try check(outcome)
        guard ways.first_ref[ways.count] < WayTable.mostNodes else {
            throw RegionErrors.osm("\(file) has more ways than a region can hold")
        }
        takeRoutes(routes, &result)
        takeTurns(restrictions, &result)
        var references = try take(ways, &result)
        try takeAreas(areas, &result, &references)
        return references
    }

    // MARK: Areas mapped as relations

    /// Adds the ways of the edges of areas, which need no tags of their own.
    private func takeAreas(
        _ areas: cosm_ways, _ result: inout Result, _ references: inout References
    ) throws {
        let texts = OSMTexts(areas)
        let shared = WayTags.keys.count - WayTags.own.count
        var kept: [(verdict: Int32, name: Int32, members: [Int64])] = []
        for area in 0..<areas.count {
            var tags = WayTags(values: texts.values(of: area, count: shared) + WayTags.own.map { _ in nil })
            tags.setIfAbsent("area", "yes")
            tags.dropStarts(before: day)
            let verdict = decide(tags, &result)
            guard verdict >= 0, result.ways.verdicts[Int(verdict)].isArea else { continue }
            let name = texts.own(of: area, count: WayTags.own.count).first { $0 >= 0 }.map { texts[$0] }
            let range = Int(areas.first_ref[area])..<Int(areas.first_ref[area + 1])
            let members = range.map { areas.refs[$0] }.filter { $0 >= 0 }
            kept.append((verdict, result.ways.number(ofName: name ?? nil), members))
            result.unknownValues.add(UnknownValues.tags { tags[$0] })
        }
        guard !kept.isEmpty else { return }
        let wanted = Set(kept.flatMap(\.members)).sorted()
        var members = cosm_ways()
        defer { cosm_free_ways(&members) }
        let outcome = withProgress("reading squares") { function, context in
            cosm_read_members(source.handle, wanted, wanted.count, function, context, &members)
        }
        try check(outcome)
        let rows = Dictionary(
            (0..<members.count).map { (members.ids[$0], $0) }, uniquingKeysWith: { first, _ in first })
        // A way of its own along an edge is one of the area's ways as it is.
        let wantedIDs = Set(wanted)
        var known: [Int64: Int] = [:]
        for (index, way) in result.ways.ways.enumerated() where wantedIDs.contains(way.id) {
            known[way.id] = index
        }
        for area in kept {
            var edge: [Int] = []
            for member in area.members {
                if let index = known[member] {
                    edge.append(index)
                } else if let row = rows[member] {
                    known[member] = result.ways.ways.count
                    edge.append(result.ways.ways.count)
                    let nodes = references.add(members, row)
                    result.ways.ways.append(
                        WayTable.Way(id: member, verdict: area.verdict, name: area.name, nodes: nodes))
                    result.seenWays += 1
                }
            }
            result.areas.append(
                AreaEdge(
                    ways: edge, isComplete: edge.count == area.members.count, own: (area.verdict, area.name)))
        }
    }

    private func take(_ ways: cosm_ways, _ result: inout Result) throws -> References {
        var references = References()
        let texts = OSMTexts(ways)
        let shared = WayTags.keys.count - WayTags.own.count
        let networks = result.trails.map { $0.network ?? "yes" }
        // By class and the network of the trail along the way.
        var verdicts: [Int: Int32] = [:]
        var names = [Int32?](repeating: nil, count: ways.text_count)
        // The tags of each class that are not understood, where there are any.
        var doubts: [Int: [String]] = [:]
        let count = Int(ways.first_ref[ways.count])
        references.ids.reserveCapacity(count)
        if ways.ref_positions != nil { references.positions.reserveCapacity(2 * count) }
        var repeated = 0
        for way in 0..<ways.count {
            if way % RoutingSettings.rowStep == 0 { try checkStop() }
            // Of several versions of a way the last counts.
            if way + 1 < ways.count, ways.ids[way] == ways.ids[way + 1] {
                repeated += 1
                continue
            }
            // The most important of the trails along it is used.
            let trail = result.trailsOfWay[ways.ids[way]]?.first.map { networks[Int($0)] }
            let key = Int(ways.classes[way]) * Self.networkNumbers + (trail.map(Self.networkNumber) ?? 0)
            let known: Int32
            if let decided = verdicts[key] {
                known = decided
            } else {
                let values = texts.values(of: way, count: shared) + WayTags.own.map { _ in nil }
                var tags = WayTags(values: values, trail: trail)
                tags.dropStarts(before: day)
                known = decide(tags, &result)
                verdicts[key] = known
                let unknown = known >= 0 ? UnknownValues.tags { tags[$0] } : UnknownValues.kind(tags)
                if !unknown.isEmpty { doubts[key] = unknown }
            }
            if let unknown = doubts[key] { result.unknownValues.add(unknown) }
            guard known >= 0 else { continue }
            let nodes = references.add(ways, way)
            var name: Int32 = -1
            if let text = texts.own(of: way, count: WayTags.own.count).first(where: { $0 >= 0 }) {
                name = names[Int(text)] ?? result.ways.number(ofName: texts[text])
                names[Int(text)] = name
            }
            result.ways.ways.append(
                WayTable.Way(id: ways.ids[way], verdict: known, name: name, nodes: nodes))
        }
        result.seenWays = ways.count - repeated
        if repeated > 0 {
            result.notices.append("\(repeated, of: "way") in several versions: the last of each is used")
        }
        return references
    }

    /// The conditional restrictions that are not supported.
    private static func unsupported(_ tags: (String) -> String?) -> [String] {
        (TagKeys.conditional + TagKeys.timed).compactMap { key in
            guard let text = tags(key), !ConditionalAccess.isUnderstood(text) else { return nil }
            return "\(key)=\(text)"
        }
    }

    /// A number for each value of `network`, for the table of verdicts; 0 means none.
    private static func networkNumber(_ network: String) -> Int {
        (networks.firstIndex(of: network) ?? networks.count) + 1
    }
    private static let networks = ["iwn", "nwn", "rwn", "lwn", "yes"]
    private static let networkNumbers = networks.count + 2

    /// The number of a new verdict; −1 if such ways are not kept.
    private func decide(_ tags: WayTags, _ result: inout Result) -> Int32 {
        let decided = WayRules.verdict(tags)
        result.considered?.append((tags, decided))
        guard let verdict = decided else { return -1 }
        result.conditions.formUnion(Self.unsupported { tags[$0] })
        result.ways.verdicts.append(verdict)
        return Int32(result.ways.verdicts.count - 1)
    }

    // MARK: Nodes

    private func readNodes(
        _ result: inout Result, _ references: inout References, bounds: BoundingBox?
    ) throws {
        var ids = try SortedIDs(references.ids, checkStop)
        var numbers = [Int32](repeating: -1, count: references.ids.count)
        for (index, id) in references.ids.enumerated() {
            if index % RoutingSettings.arrayStep == 0 { try checkStop() }
            numbers[index] = ids.number(of: id)
        }
        references.ids = []
        var latitude = [Int32](repeating: COSM_UNDEFINED, count: ids.all.count)
        var longitude = latitude
        for index in 0..<references.positions.count / 2 {
            latitude[Int(numbers[index])] = references.positions[2 * index]
            longitude[Int(numbers[index])] = references.positions[2 * index + 1]
        }
        references.positions = []
        var seen: UInt64 = 0
        var obstacles = cosm_ways()
        defer { cosm_free_ways(&obstacles) }
        let outcome = CStrings.withPointers(TagKeys.obstacles) { pointers in
            var marks = cosm_mark_keys(
                keys: pointers, mark_count: TagKeys.obstacleMarks, key_count: TagKeys.obstacles.count)
            return withProgress("reading nodes") { function, context in
                cosm_read_nodes(
                    source.handle, ids.all, ids.all.count, &marks, function, context, &latitude, &longitude,
                    &seen, &obstacles)
            }
        }
        try check(outcome)
        takeObstacles(obstacles, &ids, &result)
        result.seenNodes = Int(seen)
        try checkStop()
        result.missing = numbers.count { latitude[Int($0)] == COSM_UNDEFINED }
        let isMissing = latitude.map { $0 == COSM_UNDEFINED }
        try checkStop()
        result.nodes.ids = ids.all
        result.nodes.latitude = DegreeList(units: latitude)
        result.nodes.longitude = DegreeList(units: longitude)
        result.nodes.elevation = [Float](repeating: .nan, count: ids.all.count)
        for (index, node) in numbers.enumerated() {
            if index % RoutingSettings.arrayStep == 0 { try checkStop() }
            let isKept =
                !isMissing[Int(node)] && (bounds?.contains(result.nodes.coordinate(node)) ?? true)
            if !isKept { numbers[index] = -1 }
        }
        result.ways.nodes = numbers
        joinAtMeridian(&result, latitude, longitude)
        let unjoined = UnjoinedNodes(result.ways, latitude: latitude, longitude: longitude)
        result.notices += unjoined.notice.map { [$0] } ?? []
    }

    /// Makes one node of two at the same latitude on the 180th meridian, where the data cuts ways: +180° and −180° are
    /// one place.
    private func joinAtMeridian(_ result: inout Result, _ latitude: [Int32], _ longitude: [Int32]) {
        let meridian: Int32 = 180 * 10_000_000
        var first: [Int32: Int32] = [:]
        var twins: [Int32: Int32] = [:]
        for (node, degrees) in longitude.enumerated() where abs(Int64(degrees)) == Int64(meridian) {
            let node = Int32(node)
            if let known = first[latitude[Int(node)]] {
                twins[node] = known
            } else {
                first[latitude[Int(node)]] = node
            }
        }
        guard !twins.isEmpty else { return }
        for (index, node) in result.ways.nodes.enumerated() {
            if let known = twins[node] { result.ways.nodes[index] = known }
        }
        for (twin, node) in twins {
            if let tags = result.obstacles.removeValue(forKey: twin) { result.obstacles[node] = tags }
        }
    }

    private func takeObstacles(_ found: cosm_ways, _ ids: inout SortedIDs, _ result: inout Result) {
        let texts = OSMTexts(found)
        for index in 0..<found.count {
            let values = texts.values(of: index, count: TagKeys.obstacles.count)
            var tags: [String: String] = [:]
            for (key, value) in zip(TagKeys.obstacles, values) {
                tags[key] = value.map { TagSpelling.usual($0, of: key) }
            }
            let node = ids.number(of: found.ids[index])
            guard WayRules.isObstacle(tags), node >= 0 else { continue }
            result.obstacles[node] = tags
            result.conditions.formUnion(Self.unsupported { tags[$0] })
            result.unknownValues.add(UnknownValues.tags { tags[$0] })
        }
        result.notices += result.conditions.sorted().map {
            "an unsupported conditional restriction is kept as text: \($0)"
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
        case cosm_memory: throw RegionErrors.osm("\(file): out of memory at byte \(outcome.offset)")
        default:
            if let other = NoMapFile.words(url) {
                throw RegionErrors.osm("\(file) \(other.what) (byte \(outcome.offset))", fix: other.fix)
            }
            let byte = try PBFOutline.firstFault(in: url) ?? Int(outcome.offset)
            throw RegionErrors.osm("\(file) is damaged at byte \(byte): \(message)")
        }
    }
}

/// Strings for C.
enum CStrings {
    /// Calls a body with an array of C strings, valid during the call.
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
        "reading OSM files", packages: "zlib1g libbz2-1.0 libexpat1",
        headers: "libosmium2-dev zlib1g-dev libbz2-dev libexpat1-dev",
        isThere: cosm_is_there)
}
