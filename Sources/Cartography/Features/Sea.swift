/// The sea bounded by coastlines: land is on their left, water on their right.
struct Sea {
    /// Rings, filled even-odd; empty without coastlines.
    private(set) var rings: [[MapPoint]] = []
    /// The number of ends of coastlines inside the box, which were connected to the next start or to the
    /// nearest edge.
    private(set) var looseEnds = 0

    private let box: MapBox

    /// The sea inside a box. `check` throws to cancel.
    init(coastlines: [[MapPoint]], box: MapBox, check: () throws -> Void) rethrows {
        self.box = box
        var chains = Self.chains(coastlines.filter { $0.count > 1 })
        try check()
        try bridgeGaps(&chains, check)
        let islands = chains.filter { $0.first == $0.last && $0.count > 3 }
        var runs: [[MapPoint]] = []
        for chain in chains where chain.first != chain.last {
            try check()
            runs += self.runs(of: chain)
        }
        rings = try shores(runs, check)
        // An island in the open sea: the water extends to the edges of the box.
        if runs.isEmpty, islands.contains(where: { RingMeasures.doubleArea($0) < 0 }) {
            rings.append(corners + [corners[0]])
        }
        rings += islands
    }

    /// The corners, clockwise from the north west.
    private var corners: [MapPoint] {
        [
            MapPoint(x: box.minX, y: box.minY), MapPoint(x: box.maxX, y: box.minY),
            MapPoint(x: box.maxX, y: box.maxY), MapPoint(x: box.minX, y: box.maxY),
        ]
    }

    /// Coastlines joined end to start.
    private static func chains(_ lines: [[MapPoint]]) -> [[MapPoint]] {
        var starts: [MapPoint: [Int]] = [:]
        var ended: Set<MapPoint> = []
        for (index, line) in lines.enumerated() {
            starts[line[0], default: []].append(index)
            ended.insert(line[line.count - 1])
        }
        var used = [Bool](repeating: false, count: lines.count)
        // First chains without a predecessor, then rings.
        let order = lines.indices.filter { !ended.contains(lines[$0][0]) } + lines.indices
        var chains: [[MapPoint]] = []
        for index in order where !used[index] {
            used[index] = true
            var chain = lines[index]
            while let end = chain.last, chain.first != end,
                let next = starts[end]?.first(where: { !used[$0] })
            {
                used[next] = true
                chain += lines[next].dropFirst()
            }
            chains.append(chain)
        }
        return chains
    }

    /// The maximum number of ends without a successor inside the box up to which gaps are closed; more
    /// indicate a fragmented coast.
    private static let mostGaps = 2_000

    /// Connects ends of coastlines to the nearest start, including their own, if it is nearer than the
    /// edge.
    private mutating func bridgeGaps(
        _ chains: inout [[MapPoint]], _ check: () throws -> Void
    ) rethrows {
        let open = chains.indices.filter { chains[$0].first != chains[$0].last }
        guard open.count <= Self.mostGaps else { return }
        func gap(_ a: MapPoint, _ b: MapPoint) -> Double {
            let (dx, dy) = (Double(a.x) - Double(b.x), Double(a.y) - Double(b.y))
            return dx * dx + dy * dy
        }
        let ends = chains.map { (start: $0[0], end: $0[$0.count - 1]) }
        let toEdge = ends.map {
            (start: gap($0.start, nearestEdge($0.start)), end: gap($0.end, nearestEdge($0.end)))
        }
        var pairs: [(gap: Double, from: Int, to: Int)] = []
        for from in open where isInside(ends[from].end) {
            try check()
            for to in open where isInside(ends[to].start) {
                let width = gap(ends[from].end, ends[to].start)
                if width < min(toEdge[from].end, toEdge[to].start) { pairs.append((width, from, to)) }
            }
        }
        var (left, reached) = (Set<Int>(), Set<Int>())
        for pair in pairs.sorted(by: { ($0.gap, $0.from, $0.to) < ($1.gap, $1.from, $1.to) })
        where !left.contains(pair.from) && !reached.contains(pair.to) {
            left.insert(pair.from)
            reached.insert(pair.to)
            looseEnds += 2
            // A bridging line is a coastline of its own.
            chains.append([ends[pair.from].end, ends[pair.to].start])
        }
        if !left.isEmpty { chains = Self.chains(chains) }
    }

    private func isInside(_ point: MapPoint) -> Bool {
        point.x > box.minX && point.x < box.maxX && point.y > box.minY && point.y < box.maxY
    }

    /// The runs of an open coastline inside the box, each from edge to edge.
    private mutating func runs(of chain: [MapPoint]) -> [[MapPoint]] {
        var runs: [[MapPoint]] = []
        var run: [MapPoint] = []
        for point in chain {
            if isInside(point) {
                run.append(point)
            } else {
                let edge = nearestEdge(point)
                if !run.isEmpty {
                    runs.append(run + [edge])
                    run = []
                }
                // Where the line re-enters, it begins at the edge.
                run = [edge]
            }
        }
        if run.count > 1 { runs.append(run) }
        return runs.compactMap { run in
            guard run.contains(where: isInside), let first = run.first, let last = run.last else {
                return nil
            }
            var run = run
            if isInside(first) {
                looseEnds += 1
                run.insert(nearestEdge(first), at: 0)
            }
            if isInside(last) {
                looseEnds += 1
                run.append(nearestEdge(last))
            }
            return run
        }
    }

    private func nearestEdge(_ point: MapPoint) -> MapPoint {
        let x = max(box.minX, min(box.maxX, point.x))
        let y = max(box.minY, min(box.maxY, point.y))
        let ways = [
            (Int(x) - Int(box.minX), MapPoint(x: box.minX, y: y)),
            (Int(box.maxX) - Int(x), MapPoint(x: box.maxX, y: y)),
            (Int(y) - Int(box.minY), MapPoint(x: x, y: box.minY)),
            (Int(box.maxY) - Int(y), MapPoint(x: x, y: box.maxY)),
        ]
        return ways.min { $0.0 < $1.0 }?.1 ?? point
    }

    /// The position of a point along the edge of the box, clockwise from the north west, 0..<4.
    private func way(_ point: MapPoint) -> Double {
        let (width, height) = (Double(max(1, box.width)), Double(max(1, box.height)))
        let (dx, dy) = (Double(Int(point.x) - Int(box.minX)), Double(Int(point.y) - Int(box.minY)))
        if point.y == box.minY { return dx / width }
        if point.x == box.maxX { return 1 + dy / height }
        if point.y == box.maxY { return 3 - dx / width }
        return (4 - dy / height).truncatingRemainder(dividingBy: 4)
    }

    /// Rings of runs and of the edges between them: from the end of a run clockwise to the start of the
    /// next, so that the water stays on the right.
    private func shores(_ runs: [[MapPoint]], _ check: () throws -> Void) rethrows -> [[MapPoint]] {
        var open = Set(runs.indices)
        let starts = runs.map { way($0[0]) }
        var rings: [[MapPoint]] = []
        for first in runs.indices where open.contains(first) {
            var ring: [MapPoint] = []
            var index = first
            repeat {
                try check()
                open.remove(index)
                ring += runs[index]
                guard let end = runs[index].last else { break }
                let here = way(end)
                func ahead(_ other: Double) -> Double {
                    let gap = other - here
                    return gap < 0 ? gap + 4 : gap
                }
                let choices = runs.indices.filter { open.contains($0) || $0 == first }
                guard let next = choices.min(by: { ahead(starts[$0]) < ahead(starts[$1]) }) else { break }
                let reach = ahead(starts[next])
                for corner in (0..<4).sorted(by: { ahead(Double($0)) < ahead(Double($1)) })
                where ahead(Double(corner)) < reach { ring.append(corners[corner]) }
                index = next
            } while index != first
            if let start = ring.first { rings.append(ring + [start]) }
        }
        return rings
    }
}
