import Foundation
import Geodesy

/// The positions of a track that say where someone went: without those that a rest scatters around one place, and without those
/// that lie far off for a moment.
struct TrackScreening {
    /// The indices of the positions to match, in order.
    private(set) var kept: [Int] = []
    /// Positions set aside since they lie far from those before and after.
    private(set) var stray = 0
    /// Rests of which one position is kept.
    private(set) var rests = 0

    init(_ track: [Coordinate]) {
        kept = Self.thinned(track.indices.filter { track[$0].isValid }, track)
        dropStray(track)
        joinRests(track)
    }

    /// The positions at least some metres apart, and the last one.
    private static func thinned(_ indices: [Int], _ track: [Coordinate]) -> [Int] {
        var kept: [Int] = []
        for index in indices {
            if let last = kept.last, index != indices.last,
                track[last].distance(to: track[index]) < MatchSettings.spacing
            {
                continue
            }
            kept.append(index)
        }
        return kept
    }

    /// Sets aside up to a few successive positions that are reached and left by steps of many times the usual length, while the
    /// track goes on near where it was.
    private mutating func dropStray(_ track: [Coordinate]) {
        let steps = zip(kept, kept.dropFirst()).map { track[$0].distance(to: track[$1]) }
        guard steps.count > MatchSettings.mostStray,
            let usual = steps.sorted().dropFirst(steps.count / 2).first
        else { return }
        var result: [Int] = []
        var index = 0
        while index < kept.count {
            result.append(kept[index])
            let leap = (1...MatchSettings.mostStray).first { count in
                let next = index + count + 1
                guard next < kept.count else { return false }
                return steps[index] > usual * MatchSettings.strayStep
                    && steps[next - 1] > usual * MatchSettings.strayStep
                    && track[kept[index]].distance(to: track[kept[next]])
                        < usual * (Double(count) + MatchSettings.strayReturn)
            }
            stray += leap ?? 0
            index += 1 + (leap ?? 0)
        }
        kept = result
    }

    /// Keeps one position of each series that goes to and fro within a small circle.
    private mutating func joinRests(_ track: [Coordinate]) {
        var result: [Int] = []
        // Noise can leave the circle: what lies beside the place of a rest may belong to it.
        var beside: [Int] = []
        var last: Int?
        var index = 0
        func isNear(_ position: Int, _ radii: Double) -> Bool {
            last.map { track[$0].distance(to: track[position]) < radii * MatchSettings.restRadius } ?? false
        }
        while index < kept.count {
            guard let rest = rest(from: index, track) else {
                if isNear(kept[index], 2) {
                    beside.append(kept[index])
                } else {
                    result += beside + [kept[index]]
                    beside = []
                    last = nil
                }
                index += 1
                continue
            }
            if isNear(rest.place, 1) {
                beside = []
                index = rest.end
                continue
            }
            result += beside + [rest.place]
            beside = []
            last = rest.place
            rests += 1
            index = rest.end
        }
        result += beside
        if let end = kept.last, result.last != end { result.append(end) }
        kept = result
    }

    /// The rest that begins at a position: the position nearest to its middle, and the index after it. `nil` if the track goes on.
    private func rest(from start: Int, _ track: [Coordinate]) -> (place: Int, end: Int)? {
        let plane = LocalPlane(at: track[kept[start]])
        var points: [PlanePoint] = []
        var sum = PlanePoint(x: 0, y: 0)
        for index in kept[start...].prefix(MatchSettings.mostOfRest) {
            let point = plane.point(track[index])
            let count = Double(points.count + 1)
            let middle = PlanePoint(x: (sum.x + point.x) / count, y: (sum.y + point.y) / count)
            guard hypot(point.x - middle.x, point.y - middle.y) <= MatchSettings.restRadius,
                hypot(middle.x, middle.y) <= MatchSettings.restRadius
            else { break }
            sum = PlanePoint(x: sum.x + point.x, y: sum.y + point.y)
            points.append(point)
        }
        guard points.count >= MatchSettings.restPositions else { return nil }
        let middle = PlanePoint(x: sum.x / Double(points.count), y: sum.y / Double(points.count))
        let distances = points.map { hypot($0.x - middle.x, $0.y - middle.y) }
        let steps = zip(points, points.dropFirst()).map { PlanePoint(x: $1.x - $0.x, y: $1.y - $0.y) }
        let length = steps.reduce(0) { $0 + hypot($1.x, $1.y) }
        let turns = zip(steps, steps.dropFirst()).map {
            abs(atan2($0.x * $1.y - $0.y * $1.x, $0.x * $1.x + $0.y * $1.y))
        }
        let width = 2 * (distances.max() ?? 0)
        guard length >= width * MatchSettings.restLength,
            turns.reduce(0, +) >= Double(turns.count) * MatchSettings.restTurn.radians,
            let nearest = distances.indices.min(by: { distances[$0] < distances[$1] })
        else { return nil }
        return (kept[start + nearest], start + points.count)
    }
}
