import Geodesy
import PluginKit

/// The time at each point of a route.
struct RouteClock {
    /// Shares of the length, and the seconds at each.
    private let shares: [Double]
    private let seconds: [Double]

    /// By the pieces of way of the search; for a route from a file the duration is distributed evenly.
    init(_ route: Route, _ line: [Coordinate]) {
        let edges = route.found?.edges ?? []
        let length = edges.reduce(0) { $0 + $1.distance }
        guard length > 0 else {
            (shares, seconds) = ([0, 1], [0, route.duration])
            return
        }
        var (shares, seconds) = ([0.0], [0.0])
        for edge in edges {
            shares.append(shares[shares.count - 1] + edge.distance / length)
            seconds.append(seconds[seconds.count - 1] + edge.duration)
        }
        // The time of pieces too short for the list is distributed over the whole.
        let scale = seconds[seconds.count - 1] > 0 ? route.duration / seconds[seconds.count - 1] : 1
        (self.shares, self.seconds) = (shares, seconds.map { $0 * scale })
    }

    /// Seconds from the start at a share of the length.
    func time(at share: Double) -> Double { Self.value(share, shares, seconds) }

    /// The share of the length that is reached after some seconds.
    func share(after time: Double) -> Double { min(1, Self.value(time, seconds, shares)) }

    private static func value(_ x: Double, _ xs: [Double], _ ys: [Double]) -> Double {
        let next = xs.firstIndex { $0 >= x } ?? xs.count - 1
        guard next > 0 else { return ys[0] }
        let span = xs[next] - xs[next - 1]
        let part = span > 0 ? min(1, (x - xs[next - 1]) / span) : 1
        return ys[next - 1] + part * (ys[next] - ys[next - 1])
    }
}

/// Splits a long route into days.
enum StageSplit {
    /// Kinds of accommodation.
    static let kinds = [
        "alpine_hut", "wilderness_hut", "hotel", "guest_house", "hostel", "chalet", "camp_site",
        "basic_hut", "lean_to",
    ]
    /// Kinds of water, which may not be tested; that known to be undrinkable has other kinds.
    static let waterKinds = [
        "drinking_water", "drinking_fountain", "water_point", "water_tap", "spring",
    ]
    /// Maximum distance of a place from the line, in metres.
    static let reach = 500.0
    /// Maximum distance of water from the line, in metres.
    static let waterReach = 150.0
    /// Numbers of days that a route is split into.
    static let days = 2...60

    /// An accommodation.
    struct Lodging: Sendable, Hashable {
        var name: String
        var kind: String
        var at: Coordinate
        /// `nil` where it is always there.
        var hours: PlaceHours?
    }

    /// A day: shares of the route's length, and its end.
    struct Stage: Sendable, Hashable {
        var from: Double
        var to: Double
        var seconds: Double
        var lodging: Lodging?
    }

    /// The places within reach of a line, in metres, each with its share of the length.
    static func along(
        _ line: [Coordinate], _ lodgings: [Lodging], reach: Double = reach
    ) throws -> [(share: Double, lodging: Lodging)] {
        let along = Polyline.cumulativeDistances(line)
        guard let length = along.last, length > 0 else { return [] }
        let near = surroundings(of: line, within: reach)
        let candidates = lodgings.filter { near?.contains($0.at) ?? true }
        return try candidates.compactMap { lodging in
            try Interruption.check()
            let plane = LocalPlane(at: lodging.at)
            let points = line.map(plane.point)
            var best: (square: Double, at: Double)?
            for index in 1..<points.count {
                let (square, share) = PlanePoint.nearest(from: points[index - 1], to: points[index])
                guard square < best?.square ?? (reach * reach) else { continue }
                best = (square, along[index - 1] + share * (along[index] - along[index - 1]))
            }
            return best.map { ($0.at / length, lodging) }
        }.sorted { ($0.0, $0.1.name) < ($1.0, $1.1.name) }
    }

    /// A box around all that is within reach of a line; `nil` if it would reach around the earth.
    private static func surroundings(of line: [Coordinate], within reach: Double) -> BoundingBox? {
        guard let box = BoundingBox(around: line) else { return nil }
        // Meridians are nearest to each other at the parallel farthest from the equator.
        let corner = Coordinate(latitude: max(abs(box.south), abs(box.north)), longitude: 0)
        let circle = BoundingBox(center: corner, radius: reach * 1.01)
        let (height, width) = (circle.north - corner.latitude, circle.longitudeSpan / 2)
        guard box.longitudeSpan + 2 * width < 360 else { return nil }
        return BoundingBox(
            south: box.south - height, west: Angle.longitude(box.west - width), north: box.north + height,
            east: Angle.longitude(box.east + width))
    }

    /// The days of at most this many seconds each. None ends where `isClosed` says that a place is closed on its day, from 1 on.
    static func split<T: TraceRecorder>(
        _ clock: RouteClock, huts all: [(share: Double, lodging: Lodging)], seconds: Double,
        isClosed: (Lodging, Int) -> Bool = { _, _ in false }, trace: inout T
    ) -> [Stage] {
        var stages: [Stage] = []
        var from = 0.0
        let end = clock.time(at: 1)
        while from < 1 {
            let begin = clock.time(at: from)
            let huts = all.filter { !isClosed($0.lodging, stages.count + 1) }
            func step(
                _ hut: (share: Double, lodging: Lodging)?, at share: Double, _ mark: StepBoard.Mark,
                _ why: String
            ) -> TraceStep {
                .candidate(
                    [
                        ("day", .integer(stages.count + 1)), ("name", Value(hut) { .text($0.lodging.name) }),
                        ("after", .quantity(.seconds((clock.time(at: share) - begin).rounded()))),
                        ("share", .quantity(.share(share))),
                    ], mark, why: why)
            }
            if end - begin <= seconds {
                trace.record(step(nil, at: 1, .best, "the end is reached within --hours"))
                let last = huts.last { 1 - $0.share < 1e-3 }
                stages.append(Stage(from: from, to: 1, seconds: end - begin, lodging: last?.lodging))
                break
            }
            let reached = clock.share(after: begin + seconds)
            let hut = huts.last { $0.share > from + 1e-6 && $0.share <= reached }
            let to = hut?.share ?? reached
            guard to > from else { break }
            for other in all where other.share > from + 1e-6 {
                let isTaken = other.share == hut?.share && other.lodging == hut?.lodging
                guard !isClosed(other.lodging, stages.count + 1) else {
                    trace.record(
                        step(
                            other, at: other.share, .refused,
                            "closed on the day: \(other.lodging.hours?.text ?? "")"))
                    continue
                }
                trace.record(
                    step(
                        other, at: other.share, isTaken ? .best : .refused,
                        isTaken
                            ? "the last place reached within --hours"
                            : other.share <= reached
                                ? "a later place is also reached" : "too far for this day"))
            }
            if hut == nil {
                trace.record(
                    step(nil, at: reached, .best, "no accommodation is reached: the day ends on the route"))
            }
            stages.append(
                Stage(from: from, to: to, seconds: clock.time(at: to) - begin, lodging: hut?.lodging))
            from = to
        }
        return stages
    }
}
