/// The sea bounded by coastlines: land is on their left, water on their right.
///
/// Where every coastline runs from edge to edge of the known area or closes, its sea is exact. Otherwise it is drawn as far
/// as it is known, see `BrokenCoast`.
struct Sea {
    /// Heights of the ground in metres by latitude and longitude; `nil` if unknown.
    typealias Heights = (Double, Double) -> Double?

    /// Rings, filled even-odd; empty without coastlines.
    private(set) var rings: [[MapPoint]] = []
    /// The number of ends of coastlines inside the box.
    private(set) var looseEnds = 0
    /// The number of closed coastlines on land, which are left out.
    private(set) var onLand = 0
    /// The number of coastlines that were drawn in the wrong direction, and are turned.
    private(set) var turned = 0
    /// Whether the sea is drawn only as far as it is known: coastlines end inside, contradict each other, or the
    /// ground rises out of their sea.
    private(set) var isBroken = false
    /// Whether the ground rises out of the sea that the coastlines bound.
    private(set) var isHigh = false
    /// Whether it does so away from any land, as on an island whose coastline is missing.
    private(set) var isMissingLand = false
    /// The share of the other ground that is at the level of the sea; 0 without heights.
    private(set) var lowLand = 0.0
    /// The share of the sea whose ground is known to be at that level; 0 without heights.
    private(set) var lowSea = 0.0
    /// Whether a coastline is closed around land, and whether one is around water.
    private(set) var hasIsland = false
    private(set) var hasBasin = false

    private let edge: BoxEdge
    private var box: MapBox { edge.box }

    /// The sea inside a box. `check` throws to cancel. With `isDoubted` the coastlines are taken as broken.
    init(
        coastlines: [[MapPoint]], box: MapBox, isDeclared: Bool = false, heights: Heights? = nil,
        land: [MapPoint] = [], isDoubted: Bool = false, check: () throws -> Void
    ) rethrows {
        edge = BoxEdge(box: box)
        let settings = SeaSettings()
        let span = Double(max(box.width, box.height))
        let reach = span * (isDeclared ? settings.declaredReach : settings.guessedReach)
        var lines = coastlines.filter { $0.count > 1 }
        try check()
        turned = Self.turn(&lines)
        var chains = Self.chains(lines)
        try check()
        try bridgeGaps(&chains, settings.bridged(span: span), check)
        let doubts = try doubted(chains, settings.bridged(span: span), check)
        chains = chains.map { reaching($0, reach) }
        let islands = chains.filter { Self.isIsland($0, in: edge) }
        var (runs, doubtedRuns): ([[MapPoint]], [[MapPoint]]) = ([], [])
        for (index, chain) in chains.enumerated() where !Self.isIsland(chain, in: edge) {
            try check()
            let found = edge.runs(of: chain)
            if doubts.contains(index) { doubtedRuns += found } else { runs += found }
        }
        let contradicting = contradictions(runs)
        let sure = runs.indices.filter { !contradicting.contains($0) }.map { runs[$0] }
        let unsure = contradicting.sorted().map { runs[$0] } + doubtedRuns
        runs += doubtedRuns
        hasIsland = islands.contains { RingMeasures.doubleArea($0) < 0 }
        hasBasin = islands.contains { RingMeasures.doubleArea($0) > 0 }
        looseEnds = runs.reduce(0) { sum, run in
            sum + [run[0], run[run.count - 1]].count(where: edge.isInside)
        }
        isBroken = isDoubted || looseEnds > 0 || !alternate(runs)
        if !isBroken {
            rings = try shores(runs, check)
            // An island in the open sea: the water extends to the edges of the box.
            if runs.isEmpty, hasIsland {
                rings.append(edge.corners + [edge.corners[0]])
            }
            let coast = try CoastRings(rings, adding: islands, in: box, check: check)
            onLand = coast.onLand
            if let union = try CoastUnion.rings(coast.rings, in: box, check: check) {
                rings = union
                if let heights { isHigh = try rises(heights, settings, check) }
                isBroken = isHigh || isMissingLand
            } else {
                isBroken = true
            }
        }
        guard isBroken, !runs.isEmpty || !islands.isEmpty else { return }
        rings = try BrokenCoast(
            sure + islands, doubted: unsure, isMissingLand: isMissingLand, box: box, heights: heights,
            land: land, settings: settings, check: check
        ).rings
    }

    /// Whether a coastline is closed and lies in the box.
    private static func isIsland(_ chain: [MapPoint], in edge: BoxEdge) -> Bool {
        chain.first == chain.last && chain.count > 3 && chain.allSatisfy(edge.holds)
    }

    private enum Ground { case unknown, land, high }

    /// Whether the ground is high on too much of the sea. Measures the rest of the ground, too.
    private mutating func rises(
        _ heights: Heights, _ settings: SeaSettings, _ check: () throws -> Void
    ) rethrows -> Bool {
        var (high, known, low, rest, level) = (0, 0, 0, 0, 0)
        let count = settings.sampledRows
        var ground = [Ground](repeating: .unknown, count: count * count)
        for row in 0..<count {
            try check()
            let y = Double(box.minY) + (Double(row) + 0.5) / Double(count) * Double(box.height) + 0.25
            let crossings = RingMeasures.crossings(of: rings, at: y).sorted()
            var passed = 0
            for column in 0..<count {
                let x = Double(box.minX) + (Double(column) + 0.5) / Double(count) * Double(box.width)
                while passed < crossings.count, crossings[passed] < x { passed += 1 }
                let place = MapPoint(x: Int32(x), y: Int32(y)).coordinate
                guard let height = heights(place.latitude, place.longitude) else { continue }
                guard !passed.isMultiple(of: 2) else {
                    rest += 1
                    ground[row * count + column] = .land
                    if settings.seaLevel.contains(height) { low += 1 }
                    continue
                }
                known += 1
                if settings.seaLevel.contains(height) { level += 1 }
                guard height > settings.highGround else { continue }
                high += 1
                ground[row * count + column] = .high
            }
        }
        isMissingLand = ground.indices.contains { index in
            let (row, column) = index.quotientAndRemainder(dividingBy: count)
            guard ground[index] == .high else { return false }
            return (max(0, row - 1)...min(count - 1, row + 1)).allSatisfy { y in
                (max(0, column - 1)...min(count - 1, column + 1))
                    .allSatisfy { ground[y * count + $0] != .land }
            }
        }
        lowLand = rest > 0 ? Double(low) / Double(rest) : 0
        lowSea = known > 0 ? Double(level) / Double(known) : 0
        return Double(high) > settings.mostHighGround * Double(known)
    }

    /// Whether runs leave and enter the box by turns, as consistent coastlines do.
    private func alternate(_ runs: [[MapPoint]]) -> Bool {
        let ends = runs.flatMap { run in [(edge.way(run[0]), true), (edge.way(run[run.count - 1]), false)] }
            .sorted { ($0.0, $0.1 ? 1 : 0) < ($1.0, $1.1 ? 1 : 0) }
        return ends.indices.allSatisfy { ends[$0].1 != ends[($0 + 1) % ends.count].1 }
            || Set(ends.map(\.0)).count < ends.count
    }

    /// The runs whose direction is unknown: of two whose ends are adjacent on the edge one must leave the box where the
    /// other enters it. A much longer one is taken for right; the missing end of one that ends inside may lie between.
    private func contradictions(_ runs: [[MapPoint]]) -> Set<Int> {
        let ends = runs.indices.flatMap { index in
            let run = runs[index]
            return [(edge.way(run[0]), true, index), (edge.way(run[run.count - 1]), false, index)]
                .filter { !edge.isInside($0.1 ? run[0] : run[run.count - 1]) }
        }.sorted { ($0.0, $0.1 ? 1 : 0, $0.2) < ($1.0, $1.1 ? 1 : 0, $1.2) }
        guard Set(ends.map(\.0)).count == ends.count else { return [] }
        let lengths = runs.map(Self.length)
        let isLoose = runs.map { edge.isInside($0[0]) || edge.isInside($0[$0.count - 1]) }
        var found: Set<Int> = []
        for place in ends.indices {
            let (one, other) = (ends[place], ends[(place + 1) % ends.count])
            guard one.1 == other.1, one.2 != other.2, !isLoose[one.2], !isLoose[other.2] else { continue }
            Self.doubt(one.2, other.2, lengths, &found)
        }
        return found
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

    /// Turns each coastline that begins where one begins and ends where one ends, if these two are longer: it was drawn in the
    /// wrong direction. Returns the number.
    private static func turn(_ lines: inout [[MapPoint]]) -> Int {
        let chains = Self.chains(lines)
        var (starts, ends): ([MapPoint: [Int]], [MapPoint: [Int]]) = ([:], [:])
        for (index, chain) in chains.enumerated() where chain.first != chain.last {
            starts[chain[0], default: []].append(index)
            ends[chain[chain.count - 1], default: []].append(index)
        }
        var wrong: Set<Int> = []
        for (index, chain) in chains.enumerated() where chain.first != chain.last {
            let begins = starts[chain[0], default: []].filter { $0 != index }
            let stops = ends[chain[chain.count - 1], default: []].filter { $0 != index }
            // At a point where more than two lines meet, nothing tells which are consecutive.
            guard begins.count == 1, stops.count == 1 else { continue }
            let others = Set(begins + stops)
            if others.reduce(0, { $0 + length(chains[$1]) }) > length(chain), wrong.isDisjoint(with: others) {
                wrong.insert(index)
            }
        }
        if wrong.isEmpty { return 0 }
        lines = chains.indices.map { wrong.contains($0) ? chains[$0].reversed() : chains[$0] }
        return wrong.count
    }

    /// The coastlines whose direction is unknown: one that ends where another ends, or begins where another begins. A
    /// much longer one is taken for right.
    private func doubted(
        _ chains: [[MapPoint]], _ reach: Double, _ check: () throws -> Void
    ) rethrows -> Set<Int> {
        let open = chains.indices.filter { chains[$0].first != chains[$0].last }
        guard open.count <= SeaSettings.mostBridgedEnds else { return Set(open) }
        let lengths = chains.map(Self.length)
        var doubted: Set<Int> = []
        for (place, one) in open.enumerated() {
            try check()
            for other in open[(place + 1)...] {
                let (a, b) = (chains[one], chains[other])
                let begins = Self.distance(a[0], b[0]) <= reach && edge.isInside(a[0])
                let stops =
                    Self.distance(a[a.count - 1], b[b.count - 1]) <= reach && edge.isInside(a[a.count - 1])
                guard begins || stops else { continue }
                Self.doubt(one, other, lengths, &doubted)
            }
        }
        return doubted
    }

    /// Of two coastlines that contradict each other, doubts each that is not much longer than the other.
    private static func doubt(_ one: Int, _ other: Int, _ lengths: [Double], _ doubted: inout Set<Int>) {
        if lengths[one] < lengths[other] * SeaSettings.muchLonger { doubted.insert(one) }
        if lengths[other] < lengths[one] * SeaSettings.muchLonger { doubted.insert(other) }
    }

    private static func length(_ line: [MapPoint]) -> Double {
        zip(line, line.dropFirst()).reduce(0) { $0 + distance($1.0, $1.1) }
    }

    /// Connects ends of coastlines to a start so near that it is a slip of the map.
    private func bridgeGaps(
        _ chains: inout [[MapPoint]], _ reach: Double, _ check: () throws -> Void
    ) rethrows {
        let open = chains.indices.filter { chains[$0].first != chains[$0].last }
        guard open.count <= SeaSettings.mostBridgedEnds else { return }
        let ends = chains.map { (start: $0[0], end: $0[$0.count - 1]) }
        var pairs: [(gap: Double, from: Int, to: Int)] = []
        for from in open where edge.isInside(ends[from].end) {
            try check()
            for to in open where edge.isInside(ends[to].start) {
                let gap = Self.distance(ends[from].end, ends[to].start)
                if gap <= reach { pairs.append((gap, from, to)) }
            }
        }
        var (left, reached) = (Set<Int>(), Set<Int>())
        for pair in pairs.sorted(by: { ($0.gap, $0.from, $0.to) < ($1.gap, $1.from, $1.to) })
        where !left.contains(pair.from) && !reached.contains(pair.to) {
            left.insert(pair.from)
            reached.insert(pair.to)
            // A bridging line is a coastline of its own.
            chains.append([ends[pair.from].end, ends[pair.to].start])
        }
        if !left.isEmpty { chains = Self.chains(chains) }
    }

    private static func distance(_ a: MapPoint, _ b: MapPoint) -> Double {
        let (dx, dy) = (Double(a.x) - Double(b.x), Double(a.y) - Double(b.y))
        return (dx * dx + dy * dy).squareRoot()
    }

    /// An open coastline whose ends are continued to the edge of the box if that is near: extracts drop the
    /// segments that cross it. One that goes on beyond the edge elsewhere was not cut there, so that its end inside is a gap;
    /// and the ends of a scrap at the edge say nothing about a coast.
    private func reaching(_ chain: [MapPoint], _ reach: Double) -> [MapPoint] {
        guard let first = chain.first, let last = chain.last, first != last, chain.allSatisfy(edge.holds),
            Self.length(chain) > reach * SeaSettings.leastReaching
        else { return chain }
        var chain = chain
        if edge.isInside(first), Self.distance(first, edge.nearestEdge(first)) <= reach {
            chain.insert(edge.nearestEdge(first), at: 0)
        }
        if edge.isInside(last), Self.distance(last, edge.nearestEdge(last)) <= reach {
            chain.append(edge.nearestEdge(last))
        }
        return chain
    }

    /// Rings of runs and of the edges between them: from the end of a run clockwise to the start of the
    /// next, so that the water stays on the right.
    private func shores(_ runs: [[MapPoint]], _ check: () throws -> Void) rethrows -> [[MapPoint]] {
        var open = Set(runs.indices)
        let starts = runs.map { edge.way($0[0]) }
        var rings: [[MapPoint]] = []
        for first in runs.indices where open.contains(first) {
            var ring: [MapPoint] = []
            var index = first
            repeat {
                try check()
                open.remove(index)
                ring += runs[index]
                guard let end = runs[index].last else { break }
                let here = edge.way(end)
                func ahead(_ other: Double) -> Double {
                    let gap = other - here
                    return gap < 0 ? gap + 4 : gap
                }
                let choices = runs.indices.filter { open.contains($0) || $0 == first }
                guard let next = choices.min(by: { ahead(starts[$0]) < ahead(starts[$1]) }) else { break }
                let reach = ahead(starts[next])
                for corner in (0..<4).sorted(by: { ahead(Double($0)) < ahead(Double($1)) })
                where ahead(Double(corner)) < reach { ring.append(edge.corners[corner]) }
                index = next
            } while index != first
            if let start = ring.first { rings.append(ring + [start]) }
        }
        return rings
    }
}
