import Geodesy

/// The rings of an area that is walked across, in a plane, and what is visible across it.
struct AreaPolygon: Sendable {
    /// A place in the area: a corner, a point on a side, or neither.
    struct Spot: Sendable, Hashable {
        var point: PlanePoint
        /// The corner it is.
        var corner: Int?
        /// The corner at which the side that it lies on begins.
        var side: Int?
    }

    /// The ids of the corners' nodes; rings that touch share one.
    private(set) var ids: [Int64] = []
    private(set) var points: [PlanePoint] = []
    /// The neighbours of each corner on its ring.
    private(set) var next: [Int] = []
    private(set) var previous: [Int] = []
    /// Whether more than half of the surroundings of a corner belong to the area.
    private(set) var isReflex: [Bool] = []

    /// The area between rings, none of which repeats its first corner at the end.
    init(_ rings: [[(id: Int64, point: PlanePoint)]]) {
        for ring in rings {
            let start = points.count
            for (offset, corner) in ring.enumerated() {
                ids.append(corner.id)
                points.append(corner.point)
                next.append(start + (offset + 1) % ring.count)
                previous.append(start + (offset + ring.count - 1) % ring.count)
            }
        }
        isReflex = [Bool](repeating: false, count: points.count)
        var start = 0
        for ring in rings where !ring.isEmpty {
            let range = start..<start + ring.count
            start += ring.count
            let isLeft = isAreaLeft(of: range)
            for corner in range {
                let turn = Self.turn(points[previous[corner]], points[corner], points[next[corner]])
                isReflex[corner] = isLeft ? turn < 0 : turn > 0
            }
        }
    }

    /// A corner as a place.
    func spot(corner: Int) -> Spot { Spot(point: points[corner], corner: corner) }

    /// A point as a place: at the nearest corner or on the nearest side if that is within some metres, else inside; `nil` outside.
    func spot(_ point: PlanePoint, tolerance: Double) -> Spot? {
        func square(_ corner: Int) -> Double { point.square(from: points[corner], to: points[corner]) }
        // A corner is on two sides, neither of which hides what is seen from it.
        if let corner = points.indices.min(by: { square($0) < square($1) }),
            square(corner) <= tolerance * tolerance
        {
            return spot(corner: corner)
        }
        let side = points.indices.min {
            point.square(from: points[$0], to: points[next[$0]])
                < point.square(from: points[$1], to: points[next[$1]])
        }
        if let side, point.square(from: points[side], to: points[next[side]]) <= tolerance * tolerance {
            return Spot(point: point, side: side)
        }
        return contains(point) ? Spot(point: point) : nil
    }

    /// Whether a line between two places stays in the area. Along a side it does.
    func sees(_ from: Spot, _ to: Spot) -> Bool {
        if isBeside(from, to) { return true }
        for index in points.indices {
            let end = next[index]
            guard !touches(from, index), !touches(to, index) else { continue }
            let (a, b, c, d) = (from.point, to.point, points[index], points[end])
            if Self.turn(a, b, c) * Self.turn(a, b, d) <= 0, Self.turn(c, d, a) * Self.turn(c, d, b) <= 0 {
                return false
            }
        }
        return contains(
            PlanePoint(x: (from.point.x + to.point.x) / 2, y: (from.point.y + to.point.y) / 2))
    }

    /// Whether two places are on the same side.
    private func isBeside(_ from: Spot, _ to: Spot) -> Bool {
        if let a = from.corner, let b = to.corner { return next[a] == b || next[b] == a || ids[a] == ids[b] }
        if let side = from.side { return to.side == side || to.corner == side || to.corner == next[side] }
        if let side = to.side { return from.corner == side || from.corner == next[side] }
        return false
    }

    /// Whether a place is on the side that begins at a corner. Rings may touch at a node.
    private func touches(_ spot: Spot, _ side: Int) -> Bool {
        if let corner = spot.corner { return ids[side] == ids[corner] || ids[next[side]] == ids[corner] }
        return spot.side == side
    }

    /// Whether the area is to the left of a ring: inside one that runs counterclockwise, unless the ring is a hole.
    private func isAreaLeft(of ring: Range<Int>) -> Bool {
        let twiceArea = ring.reduce(0) { sum, index in
            let (a, b) = (points[index], points[next[index]])
            return sum + a.x * b.y - b.x * a.y
        }
        let (a, b) = (points[ring.lowerBound], points[next[ring.lowerBound]])
        let middle = PlanePoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
        return (twiceArea > 0) != contains(middle, except: ring)
    }

    /// Twice the area of a triangle, positive if it runs counterclockwise.
    static func turn(_ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint) -> Double {
        (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }

    /// Whether a line to a corner passes it: a shortest way bends only there.
    func isTangent(_ corner: Int, from other: Int) -> Bool {
        let before = Self.turn(points[other], points[corner], points[previous[corner]])
        let after = Self.turn(points[other], points[corner], points[next[corner]])
        return before * after >= 0
    }

    /// Whether a point is in the area, by the crossings of a ray to the east with its rings, without one of them.
    func contains(_ point: PlanePoint, except ring: Range<Int> = 0..<0) -> Bool {
        var isInside = false
        for index in points.indices where !ring.contains(index) {
            let (a, b) = (points[index], points[next[index]])
            if (a.y > point.y) != (b.y > point.y), point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
            {
                isInside.toggle()
            }
        }
        return isInside
    }

    /// The shortest lines in the area from a place to others: of each its length, and the corners at which it bends;
    /// `nil` where there is none.
    ///
    /// Method: Dijkstra's algorithm on the visibility graph, which is built as far as it is searched. A shortest line
    /// bends only at corners of more than half a turn.
    func lines(from start: Spot, to goals: [Spot]) -> [(length: Double, bends: [Int])?] {
        let corners = points.indices.filter { isReflex[$0] || isStraight($0) }
        let spots = corners.map { spot(corner: $0) } + goals
        var length = [Double](repeating: .infinity, count: spots.count)
        var before = [Int](repeating: -1, count: spots.count)
        var isSettled = [Bool](repeating: false, count: spots.count)
        func relax(from spot: Spot, _ base: Double, _ index: Int) {
            for other in spots.indices where !isSettled[other] {
                let (dx, dy) = (spots[other].point.x - spot.point.x, spots[other].point.y - spot.point.y)
                let sum = base + (dx * dx + dy * dy).squareRoot()
                guard sum < length[other], sees(spot, spots[other]) else { continue }
                (length[other], before[other]) = (sum, index)
            }
        }
        relax(from: start, 0, -1)
        while let nearest = spots.indices.filter({ !isSettled[$0] && length[$0].isFinite }).min(by: {
            (length[$0], $0) < (length[$1], $1)
        }) {
            isSettled[nearest] = true
            if nearest < corners.count { relax(from: spots[nearest], length[nearest], nearest) }
        }
        return goals.indices.map { goal in
            let index = corners.count + goal
            guard length[index].isFinite else { return nil }
            var bends: [Int] = []
            var bend = before[index]
            while bend >= 0 {
                bends.append(corners[bend])
                bend = before[bend]
            }
            return (length[index], bends.reversed())
        }
    }

    /// Whether a side continues straight at a corner, so that a line along it passes the corner.
    private func isStraight(_ corner: Int) -> Bool {
        Self.turn(points[previous[corner]], points[corner], points[next[corner]]) == 0
    }
}
