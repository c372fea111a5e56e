/// Areas whose outline an extract cuts: closed along the edge of what the file declares to cover.
enum ClippedArea {
    /// Ends of an outline this near to the edge continue to it, as a share of the longer side of the box.
    private static let reach = 0.1
    /// A continuation in the direction of the outline is taken up to this many times the way to the nearest edge.
    private static let longestContinuation = 3.0
    /// The share of the edge up to which it belongs to the area; around half of it, either side may be inside.
    private static let mostEdge = 0.45

    /// The rings of open outlines, filled even-odd; `nil` if an outline ends inside the box, or it is doubtful which
    /// side is inside.
    static func rings(_ chains: [[MapPoint]], in box: MapBox) -> [[MapPoint]]? {
        let edge = BoxEdge(box: box)
        var runs: [[MapPoint]] = []
        for chain in joined(chains) { runs += edge.runs(of: continued(chain, edge)) }
        guard !runs.isEmpty,
            runs.allSatisfy({ !edge.isInside($0[0]) && !edge.isInside($0[$0.count - 1]) })
        else { return nil }
        // Ends around the edge: the run of each, and whether it begins there.
        let ends = runs.indices.flatMap { run in
            [
                (way: edge.way(runs[run][0]), run: run, isStart: true),
                (way: edge.way(runs[run][runs[run].count - 1]), run: run, isStart: false),
            ]
        }.sorted { ($0.way, $0.run, $0.isStart ? 0 : 1) < ($1.way, $1.run, $1.isStart ? 0 : 1) }
        // Stretches of the edge are inside and outside by turns: of the two ways to begin, the one with less edge.
        func stretch(_ end: Int) -> Double {
            let gap = ends[(end + 1) % ends.count].way - ends[end].way
            return gap < 0 ? gap + 4 : gap
        }
        let even = stride(from: 0, to: ends.count, by: 2).reduce(0.0) { $0 + stretch($1) }
        let first = even <= 2 ? 0 : 1
        guard min(even, 4 - even) <= 4 * mostEdge else { return nil }
        func place(_ run: Int, _ isStart: Bool) -> Int {
            ends.firstIndex { $0.run == run && $0.isStart == isStart } ?? 0
        }
        var rings: [[MapPoint]] = []
        var isUsed = [Bool](repeating: false, count: runs.count)
        for start in runs.indices where !isUsed[start] {
            var ring: [MapPoint] = []
            var (run, isForward) = (start, true)
            while !isUsed[run] {
                isUsed[run] = true
                ring += isForward ? runs[run] : runs[run].reversed()
                let here = place(run, !isForward)
                // The other end of the stretch of edge.
                let isFirst = (here - first + ends.count).isMultiple(of: 2)
                let other = (here + (isFirst ? 1 : -1) + ends.count) % ends.count
                let between = corners(
                    from: ends[isFirst ? here : other].way, to: ends[isFirst ? other : here].way, edge)
                ring += isFirst ? between : between.reversed()
                (run, isForward) = (ends[other].run, ends[other].isStart)
            }
            if let point = ring.first { rings.append(ring + [point]) }
        }
        return rings
    }

    /// The corners of the box on the way clockwise around it.
    private static func corners(from: Double, to: Double, _ edge: BoxEdge) -> [MapPoint] {
        let end = to < from ? to + 4 : to
        return (0..<8).filter { Double($0) > from && Double($0) < end }.map { edge.corners[$0 % 4] }
    }

    /// Chains that meet end to start, as those of a ring that begins in the middle.
    private static func joined(_ chains: [[MapPoint]]) -> [[MapPoint]] {
        guard chains.count > 1, let first = chains.first, let last = chains.last, first.first == last.last
        else { return chains }
        return [last + first.dropFirst()] + chains.dropFirst().dropLast()
    }

    /// A chain whose ends near the edge continue to it, in the direction of the outline where that is near.
    private static func continued(_ chain: [MapPoint], _ edge: BoxEdge) -> [MapPoint] {
        guard chain.count > 1 else { return chain }
        let reach = Double(max(edge.box.width, edge.box.height)) * Self.reach
        func next(_ end: MapPoint, after before: MapPoint) -> MapPoint? {
            guard edge.isInside(end) else { return nil }
            let nearest = edge.nearestEdge(end)
            let gap = distance(end, nearest)
            guard gap <= reach else { return nil }
            let step = distance(before, end)
            guard step > 0 else { return nearest }
            let share = longestContinuation * gap / step
            let far = MapPoint(
                x: coordinate(Double(end.x) + share * (Double(end.x) - Double(before.x))),
                y: coordinate(Double(end.y) + share * (Double(end.y) - Double(before.y))))
            guard !edge.isInside(far), let cut = edge.clipped(end, far) else { return nearest }
            return cut.1
        }
        var chain = chain
        if let point = next(chain[chain.count - 1], after: chain[chain.count - 2]) { chain.append(point) }
        if let point = next(chain[0], after: chain[1]) { chain.insert(point, at: 0) }
        return chain
    }

    private static func coordinate(_ value: Double) -> Int32 {
        Int32(max(0, min(MapLevel.world - 1, value.rounded())))
    }

    private static func distance(_ a: MapPoint, _ b: MapPoint) -> Double {
        let (dx, dy) = (Double(a.x) - Double(b.x), Double(a.y) - Double(b.y))
        return (dx * dx + dy * dy).squareRoot()
    }
}
