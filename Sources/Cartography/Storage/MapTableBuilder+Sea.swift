import Geodesy

/// The sea: what lies beyond the coastlines.
extension MapTableBuilder {
    /// Builds the sea from the coastlines; called once, after all are added. `heights` are asked for once if there is a
    /// coastline. `check` throws to cancel.
    public mutating func finish(
        heights: () throws -> ((Double, Double) -> Double?)? = { nil },
        check: () throws -> Void
    ) throws {
        areas = twice.removed(from: areas)
        guard let coastline = MapKinds.byName[MapKinds.coastline], let kind = MapKinds.byName[MapKinds.sea]
        else { return }
        var coast = lines.heads.indices.filter { lines.heads[$0].kind == coastline }
            .flatMap { lines.parts(of: $0).map { Array(lines.part($0)) } }
        // Where the file declares to cover, nothing is known to be missing.
        let known = known
        for area in known { extend(area) }
        if coast.isEmpty { return }
        let heights = try heights()
        let land = roads(in: nil)
        if !known.isEmpty {
            let pieces = known.map { (box: $0, lines: coast) }
            coast = try addSea(kind, pieces, isDeclared: true, heights, land, check)
        }
        // If a part cannot have one consistent sea, it is subdivided.
        var isRefused = !known.isEmpty
        for zoom in CoveredParts.zooms where !coast.isEmpty {
            var known = CoveredParts(zoom: zoom)
            for features in [areas, lines, points] {
                for feature in 0..<features.count {
                    if feature % Self.step == 0 { try check() }
                    known.add(features.box(of: feature))
                }
            }
            for line in coast { known.add(line) }
            try check()
            var pieces = known.pieces(of: coast)
            if let heights {
                let water = OpenWater(heights: heights)
                for index in pieces.indices where !pieces[index].lines.isEmpty {
                    let others = pieces.indices.filter { $0 != index }.map { pieces[$0].box }
                    pieces[index].box = try water.grown(
                        pieces[index].box, lines: pieces[index].lines, others: others, limit: bounds,
                        check: check)
                }
            }
            coast = try addSea(
                kind, pieces, isDeclared: false, isRefused: isRefused, heights, land, check)
            isRefused = true
        }
        report.floodingCoast = coast.count
    }

    /// The declared area. The reader of files orders its corners: if all features are near the 180° meridian and one is
    /// outside of it, it is the other way round the world. Ways may go on beyond it on both sides.
    private var declaredAround: BoundingBox? {
        let (west, east) = hemispheres
        guard let declared, !west.isEmpty, !east.isEmpty, !declared.crossesAntimeridian else {
            return declared
        }
        let sorted = MapBox(declared)
        guard Self.gap(west, east) > MapLevel.world / 2,
            west.minX < sorted.minX || east.maxX > sorted.maxX
        else { return declared }
        return BoundingBox(
            south: declared.south, west: declared.east, north: declared.north, east: declared.west)
    }

    /// The parts of the declared area, on both sides of the 180° meridian, in which the features say something: some
    /// files declare the whole world.
    private var known: [MapBox] {
        guard let declared = declaredAround, !box.isEmpty else { return [] }
        let settings = SeaSettings()
        let beyond = max(
            Double(settings.leastBeyond), settings.declaredBeyond * Double(max(box.width, box.height)))
        func grown(_ edge: Int32, _ step: Double) -> Int32 {
            Int32(max(0, min(MapLevel.world - 1, Double(edge) + step)))
        }
        let near = MapBox(
            minX: grown(box.minX, -beyond), minY: grown(box.minY, -beyond), maxX: grown(box.maxX, beyond),
            maxY: grown(box.maxY, beyond))
        return declared.longitudeRanges.compactMap { range in
            var area = MapBox(
                BoundingBox(
                    south: declared.south, west: range.lowerBound, north: declared.north,
                    east: range.upperBound))
            for limit in [near, bounds].compactMap({ $0 }) {
                guard area.meets(limit) else { return nil }
                area = MapBox(
                    minX: max(area.minX, limit.minX), minY: max(area.minY, limit.minY),
                    maxX: min(area.maxX, limit.maxX), maxY: min(area.maxY, limit.maxY))
            }
            return area.width > 0 && area.height > 0 ? area : nil
        }
    }

    /// Adds the seas of pieces; returns the coastlines of those that would put roads under water. Coastlines that did so in a
    /// larger area are refused where neither roads nor heights speak for them.
    private mutating func addSea(
        _ kind: Int, _ pieces: [(box: MapBox, lines: [[MapPoint]])], isDeclared: Bool,
        isRefused: Bool = false, _ heights: Sea.Heights?, _ land: [MapPoint], _ check: () throws -> Void
    ) rethrows -> [[MapPoint]] {
        let settings = SeaSettings()
        var flooding: [[MapPoint]] = []
        for piece in pieces where !piece.lines.isEmpty {
            try check()
            var sea = try Sea(
                coastlines: piece.lines, box: piece.box, isDeclared: isDeclared, heights: heights,
                land: land, check: check)
            let roads = try wetRoads(sea, piece.box, check)
            var wet = roads.share
            var isFlooding = wet > settings.mostWetRoads
            let isContradicted =
                sea.isHigh || roads.tried >= settings.turningRoads && wet >= settings.turningWet
            if isFlooding || sea.isBroken && sea.looseEnds == 0,
                let other = try reversed(
                    piece, isDeclared: isDeclared, isContradicted: isContradicted, heights, land, check)
            {
                (sea, isFlooding, wet) = (other, false, 0)
                report.turnedCoast += piece.lines.count
            }
            if isFlooding, !sea.isBroken, heights != nil {
                // The heights may decide where the coastlines do not.
                sea = try Sea(
                    coastlines: piece.lines, box: piece.box, isDeclared: isDeclared, heights: heights,
                    land: land, isDoubted: true, check: check)
                wet = try wetRoads(sea, piece.box, check).share
                isFlooding = wet > settings.mostWetRoads
            }
            let isUnsupported = isRefused && roads.tried == 0 && sea.lowSea < settings.leastLowSea
            guard !isFlooding, !isUnsupported else {
                flooding += piece.lines
                continue
            }
            extend(piece.box)
            if wet > settings.saidWetRoads { report.wetRoads = max(report.wetRoads, wet) }
            report.looseCoast += sea.looseEnds
            if sea.isBroken, sea.looseEnds == 0 { report.doubtedCoast += 1 }
            report.coastOnLand += sea.onLand
            report.turnedCoast += sea.turned
            guard !sea.rings.isEmpty else { continue }
            areas.begin(PackedFeatures.Head(kind: kind))
            for ring in sea.rings { areas.add(ring) }
        }
        return flooding
    }

    /// The sea of coastlines that were all drawn in the wrong direction: only if heights or roads contradict the sea as
    /// drawn, and it is whole that way round and neither contradicts it. Ground that is no sea beside islands may as well
    /// be land whose coastline is missing: no island is taken for a lake.
    private func reversed(
        _ piece: (box: MapBox, lines: [[MapPoint]]), isDeclared: Bool, isContradicted: Bool,
        _ heights: Sea.Heights?, _ land: [MapPoint], _ check: () throws -> Void
    ) rethrows -> Sea? {
        let sea = try Sea(
            coastlines: piece.lines.map { $0.reversed() }, box: piece.box, isDeclared: isDeclared,
            heights: heights, land: land, check: check)
        guard !sea.isBroken, sea.onLand == 0, sea.turned == 0, !sea.rings.isEmpty,
            isContradicted || sea.hasIsland, !sea.hasBasin, sea.lowLand < SeaSettings().mostLowLand
        else { return nil }
        return try wetRoads(sea, piece.box, check).share == 0 ? sea : nil
    }

    /// A place in the middle of each road on the ground.
    private func roads(in area: MapBox?) -> [MapPoint] {
        (0..<lines.count).compactMap { line in
            let head = lines.heads[line]
            guard MapKinds.isRoad[Int(head.kind)],
                MapFlags(rawValue: head.flags).isDisjoint(with: [.bridge, .tunnel]),
                area.map({ lines.box(of: line).meets($0) }) ?? true
            else { return nil }
            let part = lines.part(lines.parts(of: line).lowerBound)
            return part.isEmpty ? nil : part[part.startIndex + part.count / 2]
        }
    }

    /// The share of the roads that a sea covers, and how many were tried. If it is large, the coastline must be wrong:
    /// cut, reversed, or with missing land.
    private func wetRoads(
        _ sea: Sea, _ box: MapBox, _ check: () throws -> Void
    ) rethrows -> (share: Double, tried: Int) {
        let roads = roads(in: box)
        let step = max(1, roads.count / Self.mostRoadsTried)
        let tried = stride(from: 0, to: roads.count, by: step).map { roads[$0] }
        var wet = 0
        for place in tried {
            try check()
            if RingMeasures.contains(place, sea.rings) { wet += 1 }
        }
        return (tried.isEmpty ? 0 : Double(wet) / Double(tried.count), tried.count)
    }
    private static let mostRoadsTried = 400
}
