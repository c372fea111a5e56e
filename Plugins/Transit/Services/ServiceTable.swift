import CivilTime
import GRDB
import Geodesy
import PluginKit
import TrailStores

/// The service of a day, of the whole timetable or of a line.
struct ServiceSummary: Sendable {
    var day: CivilDate
    var trips = 0
    /// The first and the last departure from a first stop, seconds of the service day.
    var first: Int?
    var last: Int?
    /// Metres that vehicles travel.
    var metres = 0.0
    /// Total seconds of all trips from first to last stop.
    var seconds = 0.0

    /// Metres per second between first and last stop; `nil` without trips that take time.
    var speed: Double? { seconds > 0 ? metres / seconds : nil }
}

/// Computes the service of the days of a timetable.
struct ServiceTable {
    /// The totals of a pattern and service, which are the same on each day.
    private struct Group {
        var service: Int
        var direction: Int
        var runs = 0
        var first = Int.max
        var last = Int.min
        var metres: Double
        var seconds: Double
    }

    private struct Direction: Hashable {
        var route: Int64
        var direction: Int
    }

    private let feed: Feed
    private var groups: [Group] = []
    private var directions: [[(start: Int, service: Int)]] = []
    /// Whether a length was measured along straight lines because the trip has no shape, or one of less than two points.
    private(set) var hasStraightLines = false

    /// Reads the trips of a line, or of all.
    init(_ feed: Feed, route: Int64?) throws {
        self.feed = feed
        var departures: [Direction: [(start: Int, service: Int)]] = [:]
        var lengths: [Int64: (metres: Double, seconds: Double)] = [:]
        var shapes: [Int64: Double?] = [:]
        for (number, _) in feed.routes.sorted(by: { $0.key < $1.key }) where route == nil || route == number {
            for trip in try feed.trips.of(route: number) {
                guard let service = feed.calendar.services.find(trip.service) else { continue }
                let pattern = try lengths[trip.pattern] ?? Self.measure(trip.pattern, feed)
                lengths[trip.pattern] = pattern
                if let shape = trip.shape, shapes[shape] == nil {
                    shapes.updateValue(try Self.length(ofShape: shape, feed), forKey: shape)
                }
                let drawn = trip.shape.flatMap { shapes[$0] ?? nil }
                hasStraightLines = hasStraightLines || drawn == nil
                let metres = drawn ?? pattern.metres
                let starts = try feed.trips.starts(of: trip).map(\.start)
                guard let first = starts.min(), let last = starts.max() else { continue }
                groups.append(
                    Group(
                        service: service, direction: trip.direction ?? 0, runs: starts.count, first: first,
                        last: last,
                        metres: metres * Double(starts.count),
                        seconds: pattern.seconds * Double(starts.count)))
                departures[Direction(route: number, direction: trip.direction ?? 0), default: []] +=
                    starts.map { ($0, service) }
            }
        }
        directions = departures.values.map { $0.sorted { ($0.start, $0.service) < ($1.start, $1.service) } }
    }

    /// Metres along a shape; `nil` for one that is no line.
    private static func length(ofShape shape: Int64, _ feed: Feed) throws -> Double? {
        guard let line = try feed.shapes.line(shape), line.count > 1 else { return nil }
        return Polyline.length(line)
    }

    private static func measure(_ pattern: Int64, _ feed: Feed) throws -> (metres: Double, seconds: Double) {
        let calls = try feed.trips.calls(ofPattern: pattern)
        let coordinates = try feed.stops.rows(calls.map(\.stop)).compactMap(\.coordinate)
        let seconds = (calls.last?.arrival ?? 0) - (calls.first?.departure ?? 0)
        return (Polyline.length(coordinates), Double(max(0, seconds)))
    }

    /// The service of a day.
    func summary(on day: CivilDate) -> ServiceSummary {
        let active = feed.services(on: day)
        var summary = ServiceSummary(day: day)
        for group in groups where active.runs[group.service] {
            summary.trips += group.runs
            summary.first = min(summary.first ?? .max, group.first)
            summary.last = max(summary.last ?? .min, group.last)
            summary.metres += group.metres
            summary.seconds += group.seconds
        }
        return summary
    }

    /// The median time between departures of a line in a direction from first stops, in seconds; `nil` if
    /// no line has two.
    func headway(on day: CivilDate) -> Double? {
        let active = feed.services(on: day)
        var gaps: [Int] = []
        for departures in directions {
            var last: Int?
            for departure in departures where active.runs[departure.service] {
                if let last { gaps.append(departure.start - last) }
                last = departure.start
            }
        }
        guard !gaps.isEmpty else { return nil }
        gaps.sort()
        let middle = gaps.count / 2
        return gaps.count % 2 == 1 ? Double(gaps[middle]) : Double(gaps[middle - 1] + gaps[middle]) / 2
    }
}
