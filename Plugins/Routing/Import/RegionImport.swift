import Cartography
import CivilTime
import Foundation
import Geodesy
import PluginKit

/// The report of an import.
package struct ImportReport: Sendable {
    /// The number of ways with a `highway` in the file, and of those that were kept.
    var seenWays = 0
    var keptWays = 0
    var seenNodes = 0
    package var nodes = 0
    package var edges = 0
    /// The number of places found by a name or an address.
    package var places = 0
    /// The number of named objects without a node in the file, and of addresses without a street; they
    /// cannot be found.
    package var unplacedNames = 0
    package var streetlessAddresses = 0
    /// The number of references of kept ways to nodes that the file does not have.
    package var missingReferences = 0
    /// The elevation tiles used.
    package var tiles: [String] = []
    /// The number of nodes on edges without an elevation.
    package var unknownHeights = 0
    /// The number of marked trails.
    package var trails = 0
    /// The map features; `nil` if they were not requested.
    package var map: MapTableBuilder.Report?
    /// Tags of ways and obstacles whose values are not understood.
    var unknownValues = UnknownValues()
    /// Notices about data that could not be used.
    package var notices: [String] = []
    /// What became of the ways of the file.
    package var account: SourceAccount {
        SourceAccount(
            parts: [
                .init(
                    item: "way", seen: seenWays, used: keptWays,
                    entries: [
                        .init(
                            .setAside, "for neither feet nor bicycles, or outside of the box",
                            count: seenWays - keptWays)
                    ])
            ],
            remarks: (missingReferences > 0
                ? ["\(missingReferences, of: "reference") of ways to nodes that the file does not have"] : [])
                + unknownValues.sorted.map {
                    "\($0.tag): a value that is not understood, of \($0.count, of: "object")"
                }
                + notices)
    }
    /// The decision on each combination of tags, if requested.
    var considered: [(tags: WayTags, verdict: WayVerdict?)] = []
}

extension ImportReport {
    /// Adds relief to the map, and its notices to the report.
    mutating func take(
        _ map: inout MapTableBuilder, _ heights: ElevationModel?, _ request: RegionImport.Request
    ) {
        map.heights = heights.flatMap { $0.mapSource(files: request.elevation) }
        self.map = map.report
        notices += map.report.notices
        if request.elevation.isEmpty { notices.append("the map has no relief; --elevation adds it") }
    }
}

/// Creates regions from map files and sketches.
package struct RegionImport {
    /// The request of an import.
    package struct Request: Sendable {
        package var source: URL
        /// Elevation tiles, or folders of them.
        package var elevation: [URL]
        package var bounds: BoundingBox?
        package var name: String
        /// Whether a region of the same name may be replaced.
        package var replaces: Bool
        /// Whether names and addresses are read; false only in measurements.
        package var keepsNames: Bool
        /// Whether map features are read; false only in measurements.
        package var keepsMap: Bool
        /// Whether the report lists the decision on each combination of tags.
        package var isWatched = false
        /// Whether the import saves memory at the cost of time; `nil` decides by the size of the file.
        package var isLarge: Bool?
        /// The day of the import, which decides what is not there yet; `nil` takes each start for past.
        package var day: CivilDate?

        package init(
            source: URL, elevation: [URL] = [], bounds: BoundingBox? = nil, name: String,
            replaces: Bool = false, keepsNames: Bool = true, keepsMap: Bool = true
        ) {
            self.source = source
            self.elevation = elevation
            self.bounds = bounds
            self.name = name
            self.replaces = replaces
            self.keepsNames = keepsNames
            self.keepsMap = keepsMap
        }
    }

    let folder: RegionFolder
    let progress: ProgressReporter

    package init(into folder: RegionFolder, progress: ProgressReporter = ProgressReporter()) {
        self.folder = folder
        self.progress = progress
    }

    /// Imports a map file. Either the whole region is written, or nothing is changed.
    package func run(_ request: Request) throws -> ImportReport {
        try folder.check(request.name, replaces: request.replaces)
        let reader = OSMReader(OSMFile(request.source), progress: progress, day: request.day)
        try reader.checkKind()
        let isLarge = try request.isLarge ?? (reader.size() > RoutingSettings.largeFile)
        // Returning memory at once makes the system clear it again for the next use.
        guard isLarge else { return try make(request, reader, isLarge: false) }
        return try FreedMemory.givenBack { try make(request, reader, isLarge: true) }
    }

    /// Names and map of a large file are read after the rest is released.
    private func make(_ request: Request, _ reader: OSMReader, isLarge: Bool) throws -> ImportReport {
        defer { FreedMemory.giveBackLater() }
        let beside = BackgroundWorkGroup()
        defer { beside.end() }
        var names: BackgroundWork<ConcurrentReading.Names>?
        var drawing: BackgroundWork<MapTableBuilder>?
        func readNames() {
            names = ConcurrentReading.names(
                reader.source, bounds: request.bounds, day: request.day, in: beside)
        }
        func readMap() {
            drawing = ConcurrentReading.map(
                reader.source, bounds: request.bounds, elevation: request.elevation, after: names,
                isPrepared: !isLarge, in: beside)
        }
        if !isLarge { reader.source.keepBlocks(bytes: RoutingSettings.keptBlocks) }
        if !isLarge, request.keepsNames { readNames() }
        if !isLarge, request.keepsMap { readMap() }
        var read = try reader.read(bounds: request.bounds, isWatched: request.isWatched)
        let keptWays = read.ways.ways.count
        // Uniquely referenced, so that appending does not copy them.
        var (ways, nodes) = (read.ways, read.nodes)
        (read.ways, read.nodes) = (WayTable(), NodeTable())
        let (areas, uncrossed) = try AreaCrossings.add(to: &ways, nodes, relations: read.areas) {
            try Interruption.check()
        }
        var network = try RegionNetwork(ways: ways, nodes: nodes, obstacles: read.obstacles) {
            try Interruption.check()
        }
        network.areas = areas
        if request.keepsNames { network.ways.nodes = [] }
        FerrySpeeds.take(&network, relations: read.ferries)
        network.take(read.trails, ofWay: read.trailsOfWay)
        network.take(read.turns)
        guard !network.edges.isEmpty else {
            let file = request.source.lastPathComponent
            guard keptWays == 0 || read.missing == 0 || request.bounds != nil else {
                throw RegionErrors.empty(
                    "\(file) lacks the nodes of its ways: \(read.missing, of: "reference") to nodes that it does not have",
                    fix: "download the map with the nodes of its ways, as by `(._;>;); out;` of Overpass")
            }
            guard let box = request.bounds else {
                throw RegionErrors.empty("\(file) contains no way that can be walked or ridden")
            }
            throw RegionErrors.empty(
                "\(file) contains no way in the box \(box.south),\(box.west),\(box.north),\(box.east) that can be walked or ridden",
                fix: "a box is SOUTH,WEST,NORTH,EAST")
        }
        var report = ImportReport(
            seenWays: read.seenWays, keptWays: keptWays, seenNodes: read.seenNodes,
            edges: network.edges.count, missingReferences: read.missing, trails: network.trails.count,
            notices: read.notices)
        report.considered = read.considered ?? []
        report.unknownValues = read.unknownValues
        report.notices += read.unknownValues.notice(region: request.name).map { [$0] } ?? []
        report.notices += [DownloadRemark.notice(request.source)].compactMap(\.self) + reader.source.notices
        if uncrossed > 0 {
            report.notices.append(
                "\(uncrossed, of: "square") can only be walked round: incomplete in the file, or too intricate"
            )
        }
        let heights = try addHeights(to: &network, request.elevation, &report)
        report.nodes = zip(network.isJunction, network.used).count { $0 && $1 }
        let metadata = [
            RegionMetadata.name: request.name, RegionMetadata.source: request.source.lastPathComponent,
            RegionMetadata.missing: "\(report.missingReferences)",
            RegionMetadata.tiles: report.tiles.joined(separator: " "),
            RegionMetadata.unknownHeights: "\(report.unknownHeights)",
            RegionMetadata.unknownValues: report.unknownValues.text,
            RegionMetadata.account: report.account.text,
        ]
        let places = { () throws -> PlaceTables in
            if isLarge { readNames() }
            guard let found = try names?.result() else { return try PlaceTables([], areas: []) }
            (report.places, report.unplacedNames) = (found.places, found.unplaced)
            report.streetlessAddresses = found.streetless
            return found.tables
        }
        try folder.write(
            &network, name: request.name, metadata: metadata, replaces: request.replaces, isLarge: isLarge,
            beside: beside, progress: progress, places: request.keepsNames ? places : nil
        ) {
            if isLarge, request.keepsMap { readMap() }
            guard var map = try drawing?.result() else { return nil }
            report.take(&map, heights, request)
            return map
        }
        return report
    }

    /// Creates a region from a sketch.
    package func sketch(
        map: String, ways: [RegionSketch.Way], heights: [Character: Double] = [:],
        obstacles: [Character: [String: String]] = [:], scale: RegionSketch.Scale = RegionSketch.Scale(),
        name: String, replaces: Bool = false
    ) throws {
        try folder.check(name, replaces: replaces)
        let beside = BackgroundWorkGroup()
        defer { beside.end() }
        var network = try RegionSketch.network(
            map: map, ways: ways, heights: heights, obstacles: obstacles, scale: scale)
        try folder.write(
            &network, name: name,
            metadata: [
                RegionMetadata.name: name, RegionMetadata.source: "sketch",
                RegionMetadata.letters: String(RegionSketch.letters(of: map)),
            ],
            replaces: replaces, beside: beside, progress: progress)
    }

    private func addHeights(
        to network: inout RegionNetwork, _ urls: [URL], _ report: inout ImportReport
    ) throws -> ElevationModel? {
        let used = network.used
        let nodes = network.nodes
        defer { report.unknownHeights = used.indices.count { used[$0] && network.nodes.elevation[$0].isNaN } }
        guard !urls.isEmpty else { return nil }
        var corners: Set<ElevationTile.Corner> = []
        for node in used.indices where used[node] {
            if node % RoutingSettings.rowStep == 0 { try Interruption.check() }
            corners.insert(
                ElevationTile.Corner(
                    latitude: Int(nodes.latitude[node].rounded(.down)),
                    longitude: Int(nodes.longitude[node].rounded(.down))))
        }
        let model = try ElevationFile.model(urls, wanted: corners.contains, progress: progress)
        report.tiles = model.names
        report.notices += model.notices
        for node in used.indices where used[node] {
            if node % RoutingSettings.rowStep == 0 { try Interruption.check() }
            let height = model.height(latitude: nodes.latitude[node], longitude: nodes.longitude[node])
            network.nodes.elevation[node] = height.map { Float($0) } ?? .nan
        }
        if used.indices.allSatisfy({ !used[$0] || network.nodes.elevation[$0].isNaN }) {
            report.notices.append("the elevation files cover no way of the region")
            return model
        }
        let check = { try Interruption.check() }
        try OffGroundHeights.level(&network, check)
        try GroundSampling(model).sample(&network, check)
        return model
    }
}
