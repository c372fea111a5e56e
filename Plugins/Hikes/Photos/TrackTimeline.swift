import CivilTime
import Core
import Formats
import Geodesy
import TrailStores

/// Where a recording was at a moment.
struct TrackTimeline {
    /// The answer for a moment.
    enum Answer: Equatable {
        /// There: measured, or between two points that are near each other in place or in time.
        case place(Coordinate)
        /// So many seconds before the first point.
        case before(Double)
        /// So many seconds after the last one.
        case after(Double)
        /// In a gap of so many seconds between points that are far from each other.
        case gap(Double)
    }

    /// Points with times, in their order.
    private let points: [(time: Timestamp, place: Coordinate)]

    /// `nil` for a recording without times.
    init?(_ recording: Recording) {
        let timed = recording.points.compactMap { point in
            point.time.map { (time: $0, place: point.coordinate) }
        }
        guard !timed.isEmpty else { return nil }
        // A stable order: points of one moment stay as they were recorded.
        points = timed.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
    }

    /// Where it was.
    func answer(at time: Timestamp) -> Answer {
        let index = points.partitionIndex { $0.time >= time }
        guard index < points.count else {
            return .after(points.last.map { time.seconds(since: $0.time) } ?? 0)
        }
        let next = points[index]
        if next.time == time { return .place(next.place) }
        guard index > 0 else { return .before(next.time.seconds(since: time)) }
        let last = points[index - 1]
        let span = next.time.seconds(since: last.time)
        guard
            span <= PhotoMatchSettings.longestSpan
                || last.place.distance(to: next.place) <= PhotoMatchSettings.reach
        else { return .gap(span) }
        return .place(Self.between(last.place, next.place, at: time.seconds(since: last.time) / span))
    }

    /// On the great circle between two places; their altitudes are interpolated where both are known.
    private static func between(_ from: Coordinate, _ to: Coordinate, at share: Double) -> Coordinate {
        let way = from.distance(to: to)
        var place =
            way > 0
            ? from.withoutAltitude.destination(
                bearing: from.bearing(to: to), distance: way * share) : from
        place.altitude = from.altitude.flatMap { low in to.altitude.map { low + ($0 - low) * share } }
        return place
    }

    /// The moments at which it passed near a place: those of the nearest point of each passage.
    func passages(of place: Coordinate) -> [Timestamp] {
        var found: [Timestamp] = []
        var nearest: (distance: Double, time: Timestamp)?
        for point in points {
            let distance = point.place.distance(to: place)
            if distance <= PhotoMatchSettings.reach {
                if distance < nearest?.distance ?? .infinity { nearest = (distance, point.time) }
            } else if let passage = nearest {
                found.append(passage.time)
                nearest = nil
            }
        }
        if let nearest { found.append(nearest.time) }
        return found
    }
}

/// Numbers of matching photos with hikes.
enum PhotoMatchSettings {
    /// Seconds between two points within which a place between them is known well enough.
    static let longestSpan = 60.0
    /// Metres within which two places are the same: the error of a position that a phone writes into a photo.
    static let reach = 100.0
    /// Seconds within which offsets of a clock agree.
    static let agreement = 60.0
    /// Most photos of a folder.
    static let most = 10_000
    /// Largest photo, in bytes: apps store nothing larger.
    static let largest = 256 << 20
    /// The names that photos end in.
    static let extensions: Set = ["jpg", "jpeg", "png", "heic", "heif"]
}
