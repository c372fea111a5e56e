import Foundation
import Geodesy

/// A shape to which stops are matched, as points in space on a sphere in metres: no special case at the
/// antimeridian.
struct ShapeLine {
    /// A point of a shape near a stop.
    struct Match {
        /// The segment.
        var index: Int
        /// Metres from the stop.
        var offset: Double
        /// Metres along the shape.
        var along: Double
    }

    private let points: [SIMD3<Double>]
    /// Metres along the shape at each point, and the greatest `shape_dist_traveled` up to it.
    private let along: [Double]
    private let distances: [Double]
    /// Boxes around runs of segments.
    private var boxes: [Box] = []

    private struct Box {
        var low: SIMD3<Double>
        var high: SIMD3<Double>

        func isNear(_ point: SIMD3<Double>, within metres: Double) -> Bool {
            all(point .>= low - metres) && all(point .<= high + metres)
        }
    }

    /// A point on the sphere.
    static func point(_ latitude: Double, _ longitude: Double) -> SIMD3<Double> {
        let (phi, lambda) = (latitude.radians, longitude.radians)
        return GeodesySettings.earthRadius
            * SIMD3(cos(phi) * cos(lambda), cos(phi) * sin(lambda), sin(phi))
    }

    init(_ rows: ArraySlice<ShapeRow>) {
        points = rows.map { Self.point($0.latitude, $0.longitude) }
        var (length, most) = (0.0, 0.0)
        var along: [Double] = []
        var distances: [Double] = []
        for (index, row) in rows.enumerated() {
            if index > 0 { length += Self.metres(points[index - 1], points[index]) }
            if row.distance > most { most = row.distance }
            along.append(length)
            distances.append(most)
        }
        (self.along, self.distances) = (along, distances)
        for start in stride(from: 0, to: points.count - 1, by: TransitSettings.shapeBox) {
            let run = points[start...min(start + TransitSettings.shapeBox, points.count - 1)]
            var box = Box(low: points[start], high: points[start])
            var longest = 0.0
            for (index, point) in zip(run.indices, run) {
                box.low = pointwiseMin(box.low, point)
                box.high = pointwiseMax(box.high, point)
                if index > start { longest = max(longest, along[index] - along[index - 1]) }
            }
            // An arc deviates from its chord by up to the chord's square over eight radii.
            let bulge = longest * longest / (8 * GeodesySettings.earthRadius)
            box.low -= bulge
            box.high += bulge
            boxes.append(box)
        }
    }

    /// Whether the shape has `shape_dist_traveled`.
    var hasDistances: Bool { (distances.last ?? 0) > 0 }

    /// Metres between two points along a great circle; NaN if the place of one of them is unknown.
    static func metres(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
        let half = ((a - b) * (a - b)).sum().squareRoot() / (2 * GeodesySettings.earthRadius)
        return 2 * GeodesySettings.earthRadius * asin(half > 1 ? 1 : half)
    }

    /// The point of a segment that is nearest to a stop.
    @inline(__always)
    private func nearest(_ stop: SIMD3<Double>, _ index: Int) -> SIMD3<Double> {
        let (a, b) = (points[index], points[index + 1])
        let way = b - a
        let square = (way * way).sum()
        guard square > 0 else { return a }
        let share = ((stop - a) * way).sum() / square
        if share <= 0 { return a }
        if share >= 1 { return b }
        // The chord's point, projected onto the arc.
        let point = a + share * way
        return point * (GeodesySettings.earthRadius / (point * point).sum().squareRoot())
    }

    private func match(_ index: Int, _ point: SIMD3<Double>, _ offset: Double) -> Match {
        Match(index: index, offset: offset, along: along[index] + Self.metres(points[index], point))
    }

    /// The local minima of the distance from the shape to a stop.
    func matches(_ stop: SIMD3<Double>, within metres: Double) -> [Match] {
        var found: [Match] = []
        var best: Match?
        var (end, isLeaving) = (Double.infinity, false)
        func close() {
            if let match = best { found.append(match) }
            best = nil
        }
        for (number, box) in boxes.enumerated() {
            guard box.isNear(stop, within: metres) else {
                close()
                isLeaving = false
                continue
            }
            let first = number * TransitSettings.shapeBox
            for index in first..<min(first + TransitSettings.shapeBox, points.count - 1) {
                let point = nearest(stop, index)
                let offset = Self.metres(stop, point)
                if offset <= metres {
                    // The shape leaves and returns: two matches.
                    if isLeaving, offset < end { close() }
                    if best.map({ offset < $0.offset }) ?? true { best = match(index, point, offset) }
                } else {
                    close()
                }
                end = Self.metres(stop, points[index + 1])
                isLeaving = end > offset
            }
        }
        close()
        return found
    }

    /// Metres from a stop to the shape.
    func offset(_ stop: SIMD3<Double>) -> Double {
        guard points.count > 1 else { return points.first.map { Self.metres(stop, $0) } ?? .infinity }
        return (0..<points.count - 1).lazy.map { Self.metres(stop, nearest(stop, $0)) }.min() ?? .infinity
    }

    /// The point at a `shape_dist_traveled` of the feed, searched from a segment on.
    func match(distance: Double, from start: Int, _ stop: SIMD3<Double>) -> Match {
        var (before, next) = (start, start)
        while next < points.count, distance >= distances[next] {
            before = next
            next += 1
        }
        var share = 0.0
        if next > 0, before + 1 < points.count, distances[next] > distances[before] {
            share = (distance - distances[before]) / (distances[next] - distances[before])
        }
        guard share > 0 else {
            return Match(
                index: before, offset: Self.metres(stop, points[before]), along: along[before])
        }
        let chord = points[before] + share * (points[before + 1] - points[before])
        let point = chord * (GeodesySettings.earthRadius / (chord * chord).sum().squareRoot())
        return Match(
            index: before, offset: Self.metres(stop, point),
            along: along[before] + share * (along[before + 1] - along[before]))
    }
}

/// Matches the calls of a trip to points along a shape, each after the one before.
enum ShapeOrder {
    /// The matches with the least sum of offsets; or the first call that cannot be matched, and the best
    /// choice before it.
    static func best(_ matches: [[ShapeLine.Match]]) -> (choice: [ShapeLine.Match], failsAt: Int?) {
        /// The least sum of offsets of choices that end at a match, and the match before it.
        struct Partial {
            var score: Double
            var along: Double
            var before: Int
        }
        var partials: [[Partial]] = []
        for (call, options) in matches.enumerated() {
            // Both lists are ordered along the shape, so the candidates before a match only grow.
            var (next, best, score) = (0, -1, call == 0 ? 0 : Double.infinity)
            let earlier = partials.last ?? []
            let row = options.map { match -> Partial in
                while next < earlier.count, earlier[next].along <= match.along {
                    if earlier[next].score < score { (best, score) = (next, earlier[next].score) }
                    next += 1
                }
                return Partial(score: score + match.offset, along: match.along, before: best)
            }
            if !row.contains(where: { $0.score < .infinity }) { return ([], call) }
            partials.append(row)
        }
        guard let last = partials.last, var at = last.indices.min(by: { last[$0].score < last[$1].score })
        else {
            return ([], nil)
        }
        var choice: [ShapeLine.Match] = []
        for call in matches.indices.reversed() {
            choice.append(matches[call][at])
            at = partials[call][at].before
        }
        return (choice.reversed(), nil)
    }
}
