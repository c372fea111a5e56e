import Foundation

/// The sea along coastlines that are incomplete: on a grid, as far as it is known.
///
/// Water that meets only right sides of coastlines is sea. Where one stretch meets both sides, a part of the coast is
/// missing: there the sea is low ground connected to a right side, or without heights only what lies close to one.
struct BrokenCoast {
    /// Rings around the sea, filled even-odd.
    private(set) var rings: [[MapPoint]] = []

    private let settings: SeaSettings
    private let box: MapBox
    private let isMissingLand: Bool
    /// Stored units of a cell's side.
    private let unit: Double
    private let columns: Int
    private let rows: Int
    private var segments: [Segment] = []
    /// Loose ends, in cells.
    private var ends: [SIMD2<Double>] = []
    /// The coastlines through a cell.
    private var shore: [Int: [Int32]] = [:]

    private struct Segment {
        var from: SIMD2<Double>
        var to: SIMD2<Double>
        /// The adjacent segments of the same line; -1 at its ends.
        var before: Int
        var after: Int
        var line: Line
    }

    /// What the sides of a coastline tell: a closed one around land how far from it there is water only by heights; one around
    /// water, which may be an island that is drawn in the wrong direction, no more than that it is a coast.
    private enum Line { case open, island, basin, doubted }

    private enum Side { case left, right, rightOfRing, inBasin, doubted, unknown }

    /// Of the `doubted` lines the direction is unknown. If land is known to be missing, all ground above the shore is land.
    init(
        _ lines: [[MapPoint]], doubted: [[MapPoint]] = [], isMissingLand: Bool = false, box: MapBox,
        heights: Sea.Heights?, land: [MapPoint], settings: SeaSettings, check: () throws -> Void
    ) rethrows {
        (self.settings, self.box, self.isMissingLand) = (settings, box, isMissingLand)
        unit = max(1, Double(max(box.width, box.height)) / Double(settings.cells))
        columns = max(1, Int((Double(box.width) / unit).rounded(.up)))
        rows = max(1, Int((Double(box.height) / unit).rounded(.up)))
        for line in lines {
            try check()
            let isRing = line.first == line.last
            add(line, isRing ? RingMeasures.doubleArea(line) < 0 ? .island : .basin : .open)
        }
        for line in doubted {
            try check()
            add(line, .doubted)
        }
        for index in segments.indices { mark(index) }
        let isSea = try filled(heights, barred(land), check)
        rings = try outlines(isSea, check)
    }

    // MARK: Coastlines

    private func cell(_ point: MapPoint) -> SIMD2<Double> {
        SIMD2(
            (Double(point.x) - Double(box.minX)) / unit, (Double(point.y) - Double(box.minY)) / unit)
    }

    private mutating func add(_ line: [MapPoint], _ kind: Line) {
        guard let start = line.first, let end = line.last else { return }
        let isRing = start == end
        let first = segments.count
        for (from, to) in zip(line, line.dropFirst()) where from != to {
            segments.append(
                Segment(
                    from: cell(from), to: cell(to), before: segments.count - 1, after: segments.count + 1,
                    line: kind))
        }
        guard segments.count > first else { return }
        let last = segments.count - 1
        segments[first].before = isRing ? last : -1
        segments[last].after = isRing ? first : -1
        if !isRing {
            for end in [start, end] where isInside(end) { ends.append(cell(end)) }
        }
    }

    private func isInside(_ point: MapPoint) -> Bool {
        point.x > box.minX && point.x < box.maxX && point.y > box.minY && point.y < box.maxY
    }

    /// Marks every cell that a segment crosses, without a gap at corners.
    private mutating func mark(_ index: Int) {
        let (from, to) = (segments[index].from, segments[index].to)
        var (x, y) = (Int(from.x.rounded(.down)), Int(from.y.rounded(.down)))
        let (lastX, lastY) = (Int(to.x.rounded(.down)), Int(to.y.rounded(.down)))
        let step = to - from
        let (right, down) = (step.x < 0 ? -1 : 1, step.y < 0 ? -1 : 1)
        func next(_ cell: Int, _ way: Int, _ start: Double, _ step: Double) -> Double {
            step == 0 ? .infinity : (Double(way > 0 ? cell + 1 : cell) - start) / step
        }
        var left = abs(lastX - x) + abs(lastY - y)
        touch(x, y, index)
        while left > 0 {
            if next(x, right, from.x, step.x) < next(y, down, from.y, step.y) {
                x += right
            } else {
                y += down
            }
            touch(x, y, index)
            left -= 1
        }
    }

    private mutating func touch(_ x: Int, _ y: Int, _ index: Int) {
        guard (0...columns).contains(x), (0...rows).contains(y) else { return }
        // A line along the far edge belongs to the last cells.
        shore[min(y, rows - 1) * columns + min(x, columns - 1), default: []].append(Int32(index))
    }

    /// The side of the nearest coastline in adjacent cells on which a place lies.
    private func side(_ column: Int, _ row: Int) -> Side {
        let place = SIMD2(Double(column) + 0.5, Double(row) + 0.5)
        var best: (distance: Double, segment: Int, along: Double)?
        for y in max(0, row - 1)...min(rows - 1, row + 1) {
            for x in max(0, column - 1)...min(columns - 1, column + 1) {
                for index in shore[y * columns + x] ?? [] {
                    let (along, distance) = nearest(place, Int(index))
                    if distance < best?.distance ?? .infinity { best = (distance, Int(index), along) }
                }
            }
        }
        guard let best else { return .unknown }
        if segments[best.segment].line == .doubted { return .doubted }
        let segment = segments[best.segment]
        var turn = cross(place, segment)
        if best.along <= 0 || best.along >= 1 {
            let other = best.along <= 0 ? segment.before : segment.after
            guard other >= 0 else { return .unknown }
            // At a corner both segments are as near: the sum of their normals decides.
            let corner = best.along <= 0 ? segment.from : segment.to
            let normal = Self.normal(segment) + Self.normal(segments[other])
            turn = (normal * (place - corner)).sum()
        }
        if turn == 0 { return .unknown }
        return switch segment.line {
        case .open: turn < 0 ? .left : .right
        case .island: turn < 0 ? .left : .rightOfRing
        case .basin: turn < 0 ? .unknown : .inBasin
        case .doubted: .doubted
        }
    }

    private func nearest(_ place: SIMD2<Double>, _ index: Int) -> (along: Double, distance: Double) {
        let segment = segments[index]
        let step = segment.to - segment.from
        let along = max(0, min(1, ((place - segment.from) * step).sum() / (step * step).sum()))
        let gap = place - segment.from - along * step
        return (along, (gap * gap).sum())
    }

    /// Positive on the right, with y down.
    private func cross(_ place: SIMD2<Double>, _ segment: Segment) -> Double {
        (Self.normal(segment) * (place - segment.from)).sum()
    }

    /// The unit vector to the right.
    private static func normal(_ segment: Segment) -> SIMD2<Double> {
        let step = segment.to - segment.from
        return SIMD2(-step.y, step.x) / (step * step).sum().squareRoot()
    }

    // MARK: Water

    private func barred(_ land: [MapPoint]) -> Set<Int> {
        Set(
            land.compactMap { point in
                let place = cell(point)
                let (x, y) = (Int(place.x.rounded(.down)), Int(place.y.rounded(.down)))
                return (0..<columns).contains(x) && (0..<rows).contains(y) ? y * columns + x : nil
            })
    }

    private func forEachNeighbour(_ cell: Int, _ take: (Int) -> Void) {
        let column = cell % columns
        if column > 0 { take(cell - 1) }
        if column < columns - 1 { take(cell + 1) }
        if cell >= columns { take(cell - columns) }
        if cell < (rows - 1) * columns { take(cell + columns) }
    }

    /// The cells of the sea. Those through which a coastline runs are not among them: a part of each is land.
    private func filled(
        _ heights: Sea.Heights?, _ barred: Set<Int>, _ check: () throws -> Void
    ) rethrows -> [Bool] {
        var isSea = [Bool](repeating: false, count: columns * rows)
        var isSeen = isSea
        let shoreCells = shore.keys.sorted()
        for cell in shoreCells { isSeen[cell] = true }
        for start in shoreCells {
            try check()
            var starts: [Int] = []
            forEachNeighbour(start) { starts.append($0) }
            for start in starts where !isSeen[start] {
                // A stretch of cells between coastlines, with the sides that it meets.
                var stretch = [start]
                var (lefts, rights, atRings): ([Int], [Int], [Int]) = ([], [], [])
                isSeen[start] = true
                // A coast of unknown direction may have its land here.
                var (isBasin, isDoubtful) = (false, false)
                var index = 0
                while index < stretch.count {
                    let cell = stretch[index]
                    var isAtShore = false
                    forEachNeighbour(cell) { next in
                        if shore[next] != nil { isAtShore = true }
                        if !isSeen[next] {
                            isSeen[next] = true
                            stretch.append(next)
                        }
                    }
                    if isAtShore {
                        switch side(cell % columns, cell / columns) {
                        case .left: lefts.append(cell)
                        case .right: rights.append(cell)
                        case .rightOfRing: atRings.append(cell)
                        case .inBasin:
                            atRings.append(cell)
                            isBasin = true
                        case .doubted: isDoubtful = true
                        case .unknown: break
                        }
                    }
                    index += 1
                    if index % Self.step == 0 { try check() }
                }
                if rights.isEmpty, atRings.isEmpty { continue }
                if lefts.isEmpty, !isBasin, !isDoubtful, !isHigh(stretch, heights) {
                    let dry = try dry(stretch, heights, check)
                    for cell in stretch where !dry.contains(cell) { isSea[cell] = true }
                } else {
                    try spread(lefts, rights, atRings, heights, barred, &isSea, check)
                }
            }
        }
        return isSea
    }
    private static let step = 10_000

    /// Whether the ground of a stretch is too high for a sea.
    private func isHigh(_ stretch: [Int], _ heights: Sea.Heights?) -> Bool {
        guard let heights else { return false }
        var (high, known) = (0, 0)
        let step = max(1, stretch.count / (settings.sampledRows * settings.sampledRows))
        for index in stride(from: 0, to: stretch.count, by: step) {
            guard let height = height(stretch[index], heights) else { continue }
            known += 1
            if height > settings.highGround { high += 1 }
        }
        return Double(high) > settings.mostHighGround * Double(known)
    }

    /// The cells of a stretch of sea that are land, whose coastline is missing: high ground, and what is connected to it and
    /// above the shore.
    private func dry(_ stretch: [Int], _ heights: Sea.Heights?, _ check: () throws -> Void) rethrows -> Set<
        Int
    > {
        guard let heights else { return [] }
        var raised: Set<Int> = []
        var open: [Int] = []
        for (index, cell) in stretch.enumerated() {
            if index % Self.step == 0 { try check() }
            guard let height = height(cell, heights), height > settings.shoreLevel.upperBound else {
                continue
            }
            raised.insert(cell)
            if isMissingLand || height > settings.highGround { open.append(cell) }
        }
        var dry = Set(open)
        while let cell = open.popLast() {
            forEachNeighbour(cell) { next in
                if raised.contains(next), dry.insert(next).inserted { open.append(next) }
            }
        }
        return dry
    }

    private func height(_ cell: Int, _ heights: Sea.Heights) -> Double? {
        let place = MapPoint(
            x: Int32(Double(box.minX) + (Double(cell % columns) + 0.5) * unit),
            y: Int32(Double(box.minY) + (Double(cell / columns) + 0.5) * unit)
        ).coordinate
        return heights(place.latitude, place.longitude)
    }

    /// Fills the known sea of a stretch with both sides of coastlines. Around a ring, such as an islet, only heights tell how far
    /// the water goes: how near the missing coast is to it is unknown.
    private func spread(
        _ lefts: [Int], _ rights: [Int], _ atRings: [Int], _ heights: Sea.Heights?, _ barred: Set<Int>,
        _ isSea: inout [Bool], _ check: () throws -> Void
    ) rethrows {
        let rings = Set(atRings)
        let rights = rights + atRings
        // The nearest start of each reached cell, and its side; nearer ones come first.
        var origin: [Int: Int] = [:]
        var isLeft: Set<Int> = []
        var queue = lefts + rights
        for cell in queue { origin[cell] = cell }
        isLeft.formUnion(lefts)
        var index = 0
        while index < queue.count {
            let cell = queue[index]
            let start = origin[cell] ?? cell
            forEachNeighbour(cell) { next in
                guard origin[next] == nil, shore[next] == nil else { return }
                origin[next] = start
                queue.append(next)
            }
            index += 1
            if index % Self.step == 0 { try check() }
        }
        var open = rights
        var isReached = Set(rights)
        index = 0
        while index < open.count {
            let cell = open[index]
            index += 1
            if index % Self.step == 0 { try check() }
            guard let start = origin[cell], !isLeft.contains(start), !barred.contains(cell),
                isWater(cell, from: start, isAtRing: rings.contains(start), heights)
            else { continue }
            isSea[cell] = true
            forEachNeighbour(cell) { next in
                if shore[next] == nil, isReached.insert(next).inserted { open.append(next) }
            }
        }
    }

    /// Whether a cell that is connected to the water of a coastline is water, too.
    private func isWater(_ cell: Int, from start: Int, isAtRing: Bool, _ heights: Sea.Heights?) -> Bool {
        if let heights, let height = height(cell, heights) { return settings.shoreLevel.contains(height) }
        if isAtRing { return false }
        func place(_ cell: Int) -> SIMD2<Double> {
            SIMD2(Double(cell % columns) + 0.5, Double(cell / columns) + 0.5)
        }
        let here = place(cell)
        func distance(_ other: SIMD2<Double>) -> Double {
            let gap = here - other
            return (gap * gap).sum().squareRoot()
        }
        let toEnd = ends.map(distance).min() ?? 0
        return distance(place(start)) + 1 < min(settings.mostKnown, settings.knownShare * toEnd)
    }

    // MARK: Outlines

    /// The outlines of the cells that are sea.
    private func outlines(_ isSea: [Bool], _ check: () throws -> Void) rethrows -> [[MapPoint]] {
        // Sides of cells with sea on their right, by the corner where they begin.
        var sides: [Int: [Int]] = [:]
        let width = columns + 1
        for row in 0..<rows {
            for column in 0..<columns where isSea[row * columns + column] {
                let cell = row * columns + column
                let corner = row * width + column
                if row == 0 || !isSea[cell - columns] { sides[corner, default: []].append(corner + 1) }
                if column == columns - 1 || !isSea[cell + 1] {
                    sides[corner + 1, default: []].append(corner + 1 + width)
                }
                if row == rows - 1 || !isSea[cell + columns] {
                    sides[corner + 1 + width, default: []].append(corner + width)
                }
                if column == 0 || !isSea[cell - 1] { sides[corner + width, default: []].append(corner) }
            }
        }
        var rings: [[MapPoint]] = []
        for start in sides.keys.sorted() {
            try check()
            while let first = sides[start]?.popLast() {
                var corners = [start]
                var here = first
                while here != start, let next = sides[here]?.popLast() {
                    corners.append(here)
                    here = next
                }
                let ring = corners.indices.filter { index in
                    let before = corners[(index + corners.count - 1) % corners.count]
                    let after = corners[(index + 1) % corners.count]
                    return corners[index] - before != after - corners[index]
                }.map { point(corners[$0]) }
                if let start = ring.first { rings.append(ring + [start]) }
            }
        }
        return rings
    }

    private func point(_ corner: Int) -> MapPoint {
        func scaled(_ cells: Int, _ low: Int32, _ high: Int32) -> Int32 {
            min(high, low + Int32((Double(cells) * unit).rounded()))
        }
        return MapPoint(
            x: scaled(corner % (columns + 1), box.minX, box.maxX),
            y: scaled(corner / (columns + 1), box.minY, box.maxY))
    }
}
