import Core
import Foundation
import GRDB
import Geodesy
import TrailStores

/// Collects the map features of a region and writes its tables.
public struct MapTableBuilder: Sendable {
    /// The result.
    public struct Report: Sendable, Hashable {
        /// The number of map features.
        public var features = 0
        /// The number of incomplete or open multipolygons and areas, which are drawn as far as they close.
        public var broken = 0
        /// The number of ends of coastlines inside the region, cut by the extract's edge.
        public var looseCoast = 0
        /// The number of coastlines whose sea would cover adjacent roads; it is not drawn.
        public var floodingCoast = 0

        /// Notices about incomplete features.
        public var notices: [String] {
            var notices: [String] = []
            if broken > 0 {
                notices.append(
                    "\(broken) area\(broken == 1 ? "" : "s") of the map lack\(broken == 1 ? "s" : "") a part of the edge; drawn as far as \(broken == 1 ? "it closes" : "they close")"
                )
            }
            if looseCoast > 0 {
                notices.append(
                    "the coastline ends inside the extract at \(looseCoast) point\(looseCoast == 1 ? "" : "s"); the sea is drawn to the next end or edge"
                )
            }
            if floodingCoast > 0 {
                notices.append(
                    "\(floodingCoast) coastline\(floodingCoast == 1 ? "" : "s") would put roads under water; no sea is drawn there"
                )
            }
            return notices
        }
    }

    /// What has been collected so far.
    public private(set) var report = Report()
    private var areas: [DrawnFeature] = []
    private var lines: [DrawnFeature] = []
    private var points: [DrawnFeature] = []
    private var box = MapBox()
    /// The area of the map; `nil` for all.
    private let bounds: MapBox?
    /// The source of the relief; `nil` for a map without.
    public var heights: HeightSource?
    /// The encoded features, once prepared.
    private var cells: [StoredCell]?

    /// An empty map of an area, or of all added features.
    public init(bounds: BoundingBox? = nil, heights: HeightSource? = nil) {
        self.bounds = bounds.map(MapBox.init)
        self.heights = heights
    }

    /// Adds an object; ignores those that the map does not show.
    public mutating func add(_ source: SourceFeature) {
        let isLost = source.isBroken && source.origin == .relation
        let verdict = source.verdict
        let kinds = verdict.kinds
        if isLost && !kinds.isEmpty || verdict.lacksArea(isBroken: source.isBroken) { report.broken += 1 }
        guard !kinds.isEmpty else { return }
        let parts = source.parts.map(Self.points)
        var whole = MapBox()
        for part in parts { for point in part { whole.add(point) } }
        guard !whole.isEmpty, bounds?.meets(whole) ?? true else { return }
        box.add(whole)
        for kind in kinds {
            let shape = MapKinds.all[kind].shape
            var feature = DrawnFeature(
                kind: kind, flags: MapFlags(source.tags), layer: source.layer, name: source.label(of: kind),
                value: source.value(of: kind), parts: parts, box: whole)
            report.features += 1
            switch shape {
            case .area:
                if feature.name != nil {
                    feature.place = RingMeasures.inside(parts)
                    feature.value = Self.size(of: parts)
                }
                areas.append(feature)
            case .line: lines.append(feature)
            case .point:
                guard let place = source.origin == .node ? parts[0].first : RingMeasures.inside(parts) else {
                    continue
                }
                feature.parts = [[place]]
                feature.box = MapBox()
                feature.box.add(place)
                points.append(feature)
            }
        }
    }

    /// The coordinates of a part, in stored units.
    private static func points(_ part: [Int32]) -> [MapPoint] {
        var points: [MapPoint] = []
        points.reserveCapacity(part.count / 2)
        for index in stride(from: 0, to: part.count - 1, by: 2) {
            let place = Coordinate(
                latitude: Double(part[index]) / 1e7, longitude: Double(part[index + 1]) / 1e7)
            guard place.isValid else { continue }
            let point = MapPoint(place)
            if points.last != point { points.append(point) }
        }
        if points.isEmpty { return [] }
        return points
    }

    /// The extent of an area's rings, as the side of a square in stored units: the size of its label.
    private static func size(of rings: [[MapPoint]]) -> Int {
        Int(rings.map { abs(RingMeasures.doubleArea($0)) / 2 }.max()?.squareRoot() ?? 0)
    }

    // MARK: Writing

    /// A row of the tables.
    private struct StoredCell: Sendable {
        var level: Int
        var features: Int
        /// The size of the inflated bytes.
        var size: Int
        var bytes: Data
        var box: MapBox
    }

    /// Encodes the features, so that writing only writes; called once, after all are added. `check` throws
    /// to cancel. Without `holdsLevels` lines are simplified twice, for the cell and for writing, so that
    /// only those of one cell are in memory.
    public mutating func prepare(
        holdsLevels: Bool = true, check: () throws -> Void = { try Interruption.check() }
    ) throws {
        try NativeLibrary.zlib.require()
        // Avoids duplicates in memory: this is most of the memory of an import.
        let pieces = lines
        var features = areas
        (areas, lines) = ([], [])
        try LineJoining.join(pieces, into: &features, check: check)
        features += points
        points = []
        var stored: [StoredCell] = []
        for level in MapLevel.all.indices {
            try store(features, level: level, holdsLevels, in: &stored, check)
        }
        cells = stored
    }

    /// Writes the tables, replacing existing ones.
    public func write(to db: Database, progress: ProgressReporter = ProgressReporter()) throws {
        guard let cells else {
            var prepared = self
            try prepared.prepare()
            return try prepared.write(to: db, progress: progress)
        }
        try db.execute(sql: MapTableSchema.drop + MapTableSchema.tables)
        let block = try RawStatement(db, MapTableSchema.insertBlock)
        let box = try RawStatement(db, MapTableSchema.insertBox)
        var level = -1
        for (index, cell) in cells.enumerated() {
            try Interruption.check()
            if cell.level != level {
                level = cell.level
                progress.report("writing the map", done: level, of: MapLevel.all.count)
            }
            try Self.write(cell, id: Int64(index + 1), block, box)
        }
        let grid = try heights.map { try HeightTable.write($0, around: boundingBox, to: db) } ?? nil
        try writeFacts(grid, to: db)
    }

    /// Builds the sea from the coastlines; called once, after all are added. `check` throws to cancel.
    public mutating func finish(check: () throws -> Void) rethrows {
        guard let coastline = MapKinds.byName[MapKinds.coastline], let kind = MapKinds.byName[MapKinds.sea]
        else { return }
        var coast = lines.filter { $0.kind == coastline }.flatMap(\.parts)
        // If a part cannot have one consistent sea, it is subdivided.
        for zoom in CoveredParts.zooms where !coast.isEmpty {
            var known = CoveredParts(zoom: zoom)
            for features in [areas, lines, points] {
                for (index, feature) in features.enumerated() {
                    if index % Self.step == 0 { try check() }
                    known.add(feature.box)
                }
            }
            for line in coast { known.add(line) }
            try check()
            let pieces = known.pieces(of: coast)
            coast = []
            for piece in pieces where !piece.lines.isEmpty {
                try check()
                let sea = try Sea(coastlines: piece.lines, box: piece.box, check: check)
                if try floods(sea, piece.box, check) {
                    coast += piece.lines
                    continue
                }
                guard !sea.rings.isEmpty else { continue }
                report.looseCoast += sea.looseEnds
                var whole = MapBox()
                for ring in sea.rings { for point in ring { whole.add(point) } }
                areas.append(
                    DrawnFeature(kind: kind, flags: [], layer: 0, name: nil, parts: sea.rings, box: whole))
            }
        }
        report.floodingCoast = coast.count
    }

    /// Whether a sea covers so many roads that its coastline must be wrong: cut, reversed, or with missing
    /// land.
    private func floods(_ sea: Sea, _ box: MapBox, _ check: () throws -> Void) rethrows -> Bool {
        let roads = lines.filter {
            MapKinds.isRoad[$0.kind] && !$0.flags.contains(.bridge) && !$0.flags.contains(.tunnel)
                && $0.box.meets(box)
        }
        let step = max(1, roads.count / Self.mostRoadsTried)
        let tried = stride(from: 0, to: roads.count, by: step).compactMap { index in
            roads[index].parts.first.map { $0[$0.count / 2] }
        }
        var wet = 0
        for place in tried {
            try check()
            if RingMeasures.contains(place, sea.rings) { wet += 1 }
        }
        return Double(wet) > Self.mostWetRoads * Double(tried.count)
    }
    private static let mostRoadsTried = 400
    /// The tolerated share of roads in the sea: on piers and causeways, and along roughly mapped coasts.
    private static let mostWetRoads = 0.2

    /// Features between two checks for cancellation, and comparisons between two.
    private static let step = 1000
    private static let comparisons = 100_000

    /// A cell as one number, in the order of zoom, row and column.
    private static func key(zoom: Int, y: Int, x: Int) -> UInt64 {
        UInt64(zoom) << 56 | UInt64(y) << 28 | UInt64(x)
    }

    /// A feature of a level and its cell.
    private struct Placed {
        var cell: UInt64
        var kind: Int32
        var index: Int32
        /// Its index among the simplified features of the level, if those are in memory.
        var held: Int32
    }

    /// Stores the features of a level cell by cell.
    private func store(
        _ features: [DrawnFeature], level: Int, _ holds: Bool, in cells: inout [StoredCell],
        _ check: () throws -> Void
    ) throws {
        var held: [DrawnFeature] = []
        let placed = try placed(features, level: level, holds, &held, check)
        var start = 0
        while start < placed.count {
            let cell = placed[start].cell
            var end = start
            var simple: [DrawnFeature] = []
            while end < placed.count, placed[end].cell == cell {
                if end % Self.step == 0 { try check() }
                if holds {
                    simple.append(held[Int(placed[end].held)])
                } else if let one = simplified(features[Int(placed[end].index)], level: level) {
                    simple.append(one)
                }
                end += 1
            }
            try check()
            cells.append(Self.stored(simple, level: level))
            start = end
        }
    }

    /// The features of a level in the order of their cells, then by kind, then in input order.
    private func placed(
        _ features: [DrawnFeature], level: Int, _ holds: Bool, _ held: inout [DrawnFeature],
        _ check: () throws -> Void
    ) throws -> [Placed] {
        var placed: [Placed] = []
        let facts = MapLevel.all[level]
        let zooms = MapKinds.all.map(\.zoom)
        for (index, feature) in features.enumerated() where zooms[feature.kind] <= facts.nearest {
            if index % Self.step == 0 { try check() }
            guard let simple = simplified(feature, level: level) else { continue }
            let box = simple.box
            var zoom = facts.cells
            // Features larger than a cell are stored in a larger one.
            while zoom > 0, max(box.width, box.height) > Int(MapLevel.world) >> zoom { zoom -= 1 }
            let shift = MapLevel.worldBits - zoom
            let x = ((Int(box.minX) + Int(box.maxX)) / 2) >> shift
            let y = ((Int(box.minY) + Int(box.maxY)) / 2) >> shift
            placed.append(
                Placed(
                    cell: Self.key(zoom: zoom, y: y, x: x), kind: Int32(feature.kind), index: Int32(index),
                    held: Int32(held.count)))
            if holds { held.append(simple) }
        }
        var looks = 0
        try placed.sort { a, b in
            looks += 1
            if looks % Self.comparisons == 0 { try check() }
            if a.cell != b.cell { return a.cell < b.cell }
            return a.kind != b.kind ? a.kind < b.kind : a.index < b.index
        }
        return placed
    }

    /// A feature at the detail of a level; `nil` if it is too small to be visible.
    private func simplified(_ feature: DrawnFeature, level: Int) -> DrawnFeature? {
        let shape = MapKinds.all[feature.kind].shape
        guard shape != .point else { return feature }
        let tolerance = MapLevel.tolerance(level)
        let isFull = level == MapLevel.all.count - 1
        var simple = feature
        simple.parts = feature.parts.compactMap { part in
            let line = Simplification.simplified(part, tolerance: tolerance)
            guard shape == .area else { return line.count > 1 ? line : nil }
            guard line.count > 3 else { return nil }
            // Two pixels in each direction.
            let smallest = isFull ? 0 : 16 * tolerance * tolerance
            return abs(RingMeasures.doubleArea(line)) / 2 > smallest ? line : nil
        }
        guard !simple.parts.isEmpty else { return nil }
        if !isFull, shape == .line,
            Double(max(feature.box.width, feature.box.height)) < 2 * tolerance
        {
            return nil
        }
        simple.box = MapBox()
        for part in simple.parts { for point in part { simple.box.add(point) } }
        return simple
    }

    private static func stored(_ cell: [DrawnFeature], level: Int) -> StoredCell {
        let bytes = FeatureCoding.bytes(cell, level: level)
        var whole = MapBox()
        for feature in cell { whole.add(feature.box) }
        return StoredCell(
            level: level, features: cell.count, size: bytes.count, bytes: RawDeflate.deflate(bytes),
            box: whole)
    }

    private static func write(
        _ cell: StoredCell, id: Int64, _ block: RawStatement, _ box: RawStatement
    ) throws {
        block.bind(1, id)
        block.bind(2, Int64(cell.level))
        block.bind(3, Int64(cell.features))
        block.bind(4, Int64(cell.size))
        try cell.bytes.withUnsafeBytes {
            block.bind(5, blob: $0)
            try block.run()
        }
        box.bind(1, id)
        for (index, edge) in [cell.box.minX, cell.box.maxX, cell.box.minY, cell.box.maxY].enumerated() {
            box.bind(Int32(index + 2), Int64(edge))
        }
        box.bind(6, Int64(cell.level))
        box.bind(7, Int64(cell.level))
        try box.run()
    }

    /// The area of the map; `nil` if it is empty.
    public var extent: BoundingBox? { boundingBox }

    /// The extent of the features; `nil` if there are none.
    private var boundingBox: BoundingBox? {
        guard !box.isEmpty else { return nil }
        let kept = bounds ?? box
        let (northWest, southEast) = (
            MapPoint(x: max(box.minX, kept.minX), y: max(box.minY, kept.minY)).coordinate,
            MapPoint(x: min(box.maxX, kept.maxX), y: min(box.maxY, kept.maxY)).coordinate
        )
        return BoundingBox(
            south: southEast.latitude, west: northWest.longitude, north: northWest.latitude,
            east: southEast.longitude)
    }

    private func writeFacts(_ grid: Int?, to db: Database) throws {
        var facts = [
            MapFact.format: MapTableSchema.format,
            MapFact.kinds: MapKinds.all.map(\.name).joined(separator: " "),
            MapFact.attribution: MapAttribution.openStreetMap,
            MapFact.broken: "\(report.broken)", MapFact.looseCoast: "\(report.looseCoast)",
            MapFact.features: "\(report.features)",
        ]
        if let grid, let heights {
            facts[MapFact.grid] = "\(grid)"
            facts[MapFact.heightSource] = heights.source
        }
        if let bounds = boundingBox {
            facts[MapFact.bounds] = "\(bounds.west),\(bounds.south),\(bounds.east),\(bounds.north)"
        }
        let insert = try RawStatement(db, MapTableSchema.insertFact)
        for (key, value) in facts.sorted(by: { $0.key < $1.key }) {
            insert.bind(1, key)
            insert.bind(2, value)
            try insert.run()
        }
    }
}

/// Attributions of maps.
public enum MapAttribution {
    /// For data from OpenStreetMap.
    public static let openStreetMap = "© OpenStreetMap contributors"
}

extension SourceFeature {
    fileprivate var layer: Int { max(-7, min(7, tags["layer"].flatMap(Int.init) ?? 0)) }

    fileprivate func label(of kind: Int) -> String? {
        let name = tags["name"] ?? (MapKinds.all[kind].shape == .line ? tags["ref"] : nil)
        guard let name, !name.isEmpty, name.utf8.count <= 200 else { return nil }
        return name
    }

    /// The height or population, if it has one.
    fileprivate func value(of kind: Int) -> Int? {
        let text = tags["ele"] ?? tags["population"]
        guard MapKinds.all[kind].shape == .point, let text else { return nil }
        let digits = text.replacing(" ", with: "").prefix { $0.isNumber || $0 == "." || $0 == "-" }
        guard let number = Double(digits), abs(number) < 1e9 else { return nil }
        return Int(number.rounded())
    }
}

extension MapPoint {
    init(_ place: Coordinate) {
        let point = WebMercator.project(place)
        func unit(_ share: Double) -> Int32 {
            Int32(max(0, min(MapLevel.world - 1, (share * MapLevel.world).rounded(.down))))
        }
        self.init(x: unit(point.x), y: unit(point.y))
    }

    var coordinate: Coordinate {
        WebMercator.unproject(
            WebMercator.Point(x: Double(x) / MapLevel.world, y: Double(y) / MapLevel.world))
    }
}

extension MapBox {
    init(_ box: BoundingBox) {
        self.init()
        add(MapPoint(Coordinate(latitude: box.north, longitude: box.west)))
        add(MapPoint(Coordinate(latitude: box.south, longitude: box.east)))
    }
}
