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
        /// The number of closed coastlines around land that lie on land, such as islets of rivers.
        var coastOnLand = 0
        /// The number of coastlines that were drawn in the wrong direction, and are turned.
        var turnedCoast = 0
        /// The number of areas whose coastlines contradict each other, the roads or the heights, though none ends inside.
        public var doubtedCoast = 0
        /// The largest share of the roads of a part of the map that lie in its sea, from 0 to 1; 0 if hardly any does.
        var wetRoads = 0.0

        /// Notices about incomplete features.
        public var notices: [String] {
            var notices: [String] = []
            if broken > 0 {
                notices.append(
                    "\(broken, of: "area") of the map lack\(broken == 1 ? "s" : "") a part of the edge; drawn as far as \(broken == 1 ? "it closes" : "they close")"
                )
            }
            if looseCoast > 0 {
                notices.append(
                    "the coastline ends inside the extract at \(looseCoast, of: "point"); the sea is drawn as far as it is known"
                )
            }
            if turnedCoast > 0 {
                notices.append(
                    "\(turnedCoast, of: "coastline") \(turnedCoast == 1 ? "is" : "are") drawn in the wrong direction; turned"
                )
            }
            if doubtedCoast > 0 {
                notices.append(
                    "the coastline contradicts itself, the roads or the elevation (is its direction right?); the sea is drawn as far as it is known"
                )
            }
            if wetRoads > 0 {
                notices.append(
                    "\(Int((wetRoads * 100).rounded(.up))) % of the roads lie in the sea that the coastline gives, in the part where these are most: on piers, or on land whose coastline is missing"
                )
            }
            if floodingCoast > 0 {
                notices.append(
                    "\(floodingCoast, of: "coastline") would put roads under water; no sea is drawn there"
                )
            }
            if coastOnLand > 0 {
                notices.append(
                    "\(coastOnLand, of: "closed coastline") \(coastOnLand == 1 ? "lies" : "lie") on land; left out"
                )
            }
            return notices
        }
    }

    /// What has been collected so far.
    public internal(set) var report = Report()
    var areas = PackedFeatures()
    var lines = PackedFeatures()
    var points = PackedFeatures()
    private var names = TextTable()
    var box = MapBox()
    /// The extent of the features in each hemisphere.
    var hemispheres = (west: MapBox(), east: MapBox())
    let declared: BoundingBox?
    /// The area of the map; `nil` for all.
    let bounds: MapBox?
    /// The source of the relief; `nil` for a map without.
    public var heights: HeightSource?
    /// The encoded features, once prepared.
    private var cells: [StoredMapCell]?
    /// The points of the current object; reused.
    private var parts = PackedFeatures()
    /// Areas that may be described twice: ways by themselves, and multipolygons that have such ways as their edges.
    var twice = RepeatedAreas()

    /// An empty map of an area, or of all added features.
    ///
    /// `declared` is the area that the file says to cover.
    public init(
        bounds: BoundingBox? = nil, heights: HeightSource? = nil, declared: BoundingBox? = nil
    ) {
        self.bounds = bounds.map(MapBox.init)
        self.heights = heights
        self.declared = declared
    }

    /// Whether there are more features than a region can hold.
    public var isOverfull: Bool {
        areas.isOverfull || lines.isOverfull || points.isOverfull || lines.partCount > JoinedLines.mostParts
    }

    /// Adds an object; ignores those that the map does not show.
    public mutating func add(_ source: SourceFeature, _ lines: SourceLines) {
        let verdict = source.verdict
        let kinds = verdict.kinds
        if verdict.lacksArea(isBroken: source.isBroken) { report.broken += 1 }
        guard let first = kinds.first else { return }
        parts.removeAll()
        parts.begin(PackedFeatures.Head(kind: first))
        for part in 0..<lines.count { addPart(lines[part]) }
        guard parts.parts(of: 0).contains(where: { Self.jumps(parts.part($0)) }) else {
            add(source, kinds)
            return
        }
        for side in MeridianCut.sides(rings) {
            take(side, as: first)
            add(source, kinds)
        }
    }

    private static func jumps(_ part: some Collection<MapPoint>) -> Bool {
        zip(part, part.dropFirst()).contains { MeridianCut.jumps($0, $1) }
    }

    /// Replaces the points of the current object.
    private mutating func take(_ all: [[MapPoint]], as kind: Int) {
        parts.removeAll()
        parts.begin(PackedFeatures.Head(kind: kind))
        for part in all { parts.add(part) }
    }

    /// Adds an object whose outline is cut: its lines as they are, its areas closed along the edge of the extract.
    private mutating func addCut(_ source: SourceFeature, _ kinds: [Int]) {
        let isLine = kinds.map { MapKinds.all[$0].shape == .line }
        for (kind, isLine) in zip(kinds, isLine) where isLine { add(source, as: kind) }
        guard let first = zip(kinds, isLine).first(where: { !$0.1 })?.0 else { return }
        let all = rings
        var closed = all.filter { $0.count > 3 && $0.first == $0.last }
        let open = all.filter { !($0.count > 3 && $0.first == $0.last) }
        let cut = declared.flatMap { declared -> [[MapPoint]]? in
            declared.crossesAntimeridian ? nil : ClippedArea.rings(open, in: MapBox(declared))
        }
        closed += cut ?? []
        if cut == nil, source.origin == .relation || !isLine.contains(true) { report.broken += 1 }
        take(closed, as: first)
        guard !parts.parts(of: 0).isEmpty else { return }
        for (kind, isLine) in zip(kinds, isLine) where !isLine { add(source, as: kind) }
    }

    /// Adds the object whose points are in `parts`.
    private mutating func add(_ source: SourceFeature, _ kinds: [Int]) {
        let whole = parts.box(of: 0)
        guard !whole.isEmpty else {
            // An area of which the file has no part is counted, not drawn.
            if source.isBroken, source.isClosed { report.broken += 1 }
            return
        }
        guard bounds?.meets(whole) ?? true else { return }
        if Double(whole.width) > MapLevel.world / 2 {
            // Cut at the 180° meridian: its parts are on either side.
            for ring in rings { extend(ring.reduce(into: MapBox()) { $0.add($1) }) }
        } else {
            extend(whole)
        }
        if source.isBroken, source.isClosed {
            addCut(source, kinds)
        } else {
            for kind in kinds { add(source, as: kind) }
        }
    }

    /// The same with alternating latitude and longitude of each part, in 1e-7 degrees.
    mutating func add(_ source: SourceFeature, parts: [[Int32]]) {
        let starts = parts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count / 2) }
        let points = parts.flatMap { $0 }
        starts.withUnsafeBufferPointer { starts in
            points.withUnsafeBufferPointer { points in
                guard let points = points.baseAddress, let starts = starts.baseAddress else { return }
                add(source, SourceLines(count: parts.count, firstPoint: starts, points: points))
            }
        }
    }

    /// Adds the object whose points are in `parts` as a feature of one of its kinds.
    private mutating func add(_ source: SourceFeature, as kind: Int) {
        var head = PackedFeatures.Head(
            kind: kind, flags: MapFlags(source.tags, kind: kind), layer: source.layer)
        if var label = source.label(of: kind) {
            head.name = label.withUTF8 { names.index(of: UnsafeRawBufferPointer($0)) }
        }
        head.value = source.value(of: kind)
        report.features += 1
        switch MapKinds.all[kind].shape {
        case .area:
            if head.name >= 0 {
                let rings = rings
                head.place = RingMeasures.inside(rings)
                head.value = Self.size(of: rings)
            }
            twice.note(areas.count, source, rings: parts)
            Self.copy(parts, to: &areas, head)
        case .line: Self.copy(parts, to: &lines, head)
        case .point:
            guard let place = source.origin == .node ? parts.part(0).first : RingMeasures.inside(rings) else {
                return
            }
            points.begin(head)
            points.add(CollectionOfOne(place))
        }
    }

    private var rings: [[MapPoint]] { parts.parts(of: 0).map { Array(parts.part($0)) } }

    private static func copy(
        _ parts: PackedFeatures, to features: inout PackedFeatures, _ head: PackedFeatures.Head
    ) {
        features.begin(head)
        for part in parts.parts(of: 0) { parts.withPart(part) { features.add($0) } }
    }

    /// Adds the coordinates of a part, in stored units.
    private mutating func addPart(_ part: SourceLines.Part) {
        converted.removeAll(keepingCapacity: true)
        for index in 0..<part.count {
            let place = part[index]
            guard place.isValid else { continue }
            let point = MapPoint(place)
            if converted.last != point { converted.append(point) }
        }
        parts.add(converted)
    }
    private var converted: [MapPoint] = []

    /// The extent of an area's rings, as the side of a square in stored units: the size of its label.
    private static func size(of rings: [[MapPoint]]) -> Int {
        Int(rings.map { abs(RingMeasures.doubleArea($0)) / 2 }.max()?.squareRoot() ?? 0)
    }

    // MARK: Writing

    /// Encodes the features, so that writing only writes; called once, after all are added. `check` throws
    /// to cancel. Unprepared features are encoded while they are written, which needs less memory.
    public mutating func prepare(check: () throws -> Void = { try Interruption.check() }) throws {
        var stored: [StoredMapCell] = []
        try takeCells(holdsLevels: true, check).forEach(check) { stored.append($0) }
        cells = stored
    }

    /// The features as cells; this builder has none afterwards.
    private mutating func takeCells(holdsLevels: Bool, _ check: () throws -> Void) throws -> MapCells {
        try NativeLibrary.zlib.require()
        let contents = MapContents(
            areas: areas, lines: try JoinedLines(lines, check: check), points: points, names: names)
        (areas, lines, points, names) = (
            PackedFeatures(), PackedFeatures(), PackedFeatures(), TextTable()
        )
        return MapCells(contents, holdsLevels: holdsLevels)
    }

    /// Writes the tables, replacing existing ones.
    public func write(to db: Database, progress: ProgressReporter = ProgressReporter()) throws {
        try db.execute(sql: MapTableSchema.drop + MapTableSchema.tables)
        let block = try RawStatement(db, MapTableSchema.insertBlock)
        let box = try RawStatement(db, MapTableSchema.insertBox)
        var (level, id): (Int, Int64) = (-1, 0)
        func write(_ cell: StoredMapCell) throws {
            try Interruption.check()
            if cell.level != level {
                level = cell.level
                progress.report("writing the map", done: level, of: MapLevel.all.count)
            }
            id += 1
            try Self.write(cell, id: id, block, box)
        }
        if let cells {
            for cell in cells { try write(cell) }
        } else {
            var rest = self
            try rest.takeCells(holdsLevels: false) { try Interruption.check() }
                .forEach({ try Interruption.check() }, write)
        }
        let grid = try heights.map { try HeightTable.write($0, around: boundingBox, to: db) } ?? nil
        try writeFacts(grid, to: db)
    }

    private static func write(
        _ cell: StoredMapCell, id: Int64, _ block: RawStatement, _ box: RawStatement
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

    /// Features between two checks for cancellation.
    static let step = 1000

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
        let (west, east) = hemispheres
        if bounds == nil, !west.isEmpty, !east.isEmpty, Self.gap(west, east) > MapLevel.world / 2 {
            // On both sides of the 180° meridian.
            return BoundingBox(
                south: southEast.latitude, west: MapPoint(x: east.minX, y: 0).coordinate.longitude,
                north: northWest.latitude, east: MapPoint(x: west.maxX, y: 0).coordinate.longitude)
        }
        return BoundingBox(
            south: southEast.latitude, west: northWest.longitude, north: northWest.latitude,
            east: southEast.longitude)
    }

    /// Stored units between the features of the hemispheres, on the side of the prime meridian.
    static func gap(_ west: MapBox, _ east: MapBox) -> Double {
        Double(east.minX) - Double(west.maxX)
    }

    mutating func extend(_ whole: MapBox) {
        box.add(whole)
        let isEast = (Double(whole.minX) + Double(whole.maxX)) / 2 >= MapLevel.world / 2
        if isEast { hemispheres.east.add(whole) } else { hemispheres.west.add(whole) }
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
enum MapAttribution {
    /// For data from OpenStreetMap.
    static let openStreetMap = "© OpenStreetMap contributors"
}

extension SourceFeature {
    fileprivate var layer: Int { max(-7, min(7, tags["layer"].flatMap(Int.init) ?? 0)) }

    /// The characters that a tag's value can have in OpenStreetMap.
    private static let longestName = 255

    func label(of kind: Int) -> String? {
        let name = tags["name"] ?? (MapKinds.all[kind].shape == .line ? tags["ref"] : nil)
        guard let name, !name.isEmpty, name.unicodeScalars.count <= Self.longestName else { return nil }
        let line = name.inOneLine
        return line.isEmpty ? nil : line
    }

    /// The height in hundredths of a metre, or the population of a settlement, if it has one.
    fileprivate func value(of kind: Int) -> Int? {
        guard MapKinds.all[kind].shape == .point else { return nil }
        let isSettlement = MapKinds.isSettlement[kind]
        let number =
            isSettlement
            ? tags["population"].flatMap(TagNumber.count)
            : tags["ele"].flatMap(TagNumber.height).map { $0 * MapHeights.perMetre }
        guard let number, abs(number) < 1e9 else { return nil }
        return Int(number.rounded())
    }
}

extension MapPoint {
    init(_ coordinate: Coordinate) {
        let point = WebMercator.project(coordinate)
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
