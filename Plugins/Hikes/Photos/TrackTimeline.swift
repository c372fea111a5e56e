import CivilTime
import Core
import Formats
import Geodesy
import TrailStores

/// The position of a recording at a time.
struct TrackTimeline {
    /// The position at a time.
    enum Answer: Equatable {
        /// Measured, or between two points that are close in space or time.
        case place(Coordinate)
        /// A number of seconds before the first point.
        case before(Double)
        /// A number of seconds after the last point.
        case after(Double)
        /// In a gap of this many seconds between distant points.
        case gap(Double)
    }

    /// Points with times, in their order.
    private let points: [(time: Timestamp, coordinate: Coordinate)]

    /// `nil` for a recording without times.
    init?(_ recording: Recording) {
        let timed = recording.points.compactMap { point in
            point.time.map { (time: $0, coordinate: point.coordinate) }
        }
        guard !timed.isEmpty else { return nil }
        // A stable order: points with the same time keep the recorded order.
        points = timed.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
    }

    /// The position at a time.
    func answer(at time: Timestamp) -> Answer {
        let index = points.partitionIndex { $0.time >= time }
        guard index < points.count else {
            return .after(points.last.map { time.seconds(since: $0.time) } ?? 0)
        }
        let next = points[index]
        if next.time == time { return .place(next.coordinate) }
        guard index > 0 else { return .before(next.time.seconds(since: time)) }
        let last = points[index - 1]
        let span = next.time.seconds(since: last.time)
        guard
            span <= PhotoMatchSettings.longestSpan
                || last.coordinate.distance(to: next.coordinate) <= PhotoMatchSettings.reach
        else { return .gap(span) }
        return .place(
            Self.between(last.coordinate, next.coordinate, at: time.seconds(since: last.time) / span))
    }

    /// Interpolates on the great circle between two coordinates; altitudes as well if both are known.
    private static func between(_ from: Coordinate, _ to: Coordinate, at share: Double) -> Coordinate {
        let way = from.distance(to: to)
        var place =
            way > 0
            ? from.withoutAltitude.destination(
                bearing: from.bearing(to: to), distance: way * share) : from
        place.altitude = from.altitude.flatMap { low in to.altitude.map { low + ($0 - low) * share } }
        return place
    }

    /// The times at which it passed near a coordinate: that of the nearest point of each passage.
    func passages(of coordinate: Coordinate) -> [Timestamp] {
        var found: [Timestamp] = []
        var nearest: (distance: Double, time: Timestamp)?
        for point in points {
            let distance = point.coordinate.distance(to: coordinate)
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

/// Settings of matching photos with hikes.
enum PhotoMatchSettings {
    /// Maximum seconds between two points for interpolation between them.
    static let longestSpan = 60.0
    /// Metres within which two positions are the same: the error of a phone's position in a photo.
    static let reach = 100.0
    /// Seconds within which clock offsets agree.
    static let agreement = 60.0
    /// Maximum photos of a folder.
    static let most = 10_000
    /// Maximum bytes of a photo: apps store nothing larger.
    static let largest = 256 << 20
    /// Extensions of photos.
    static let extensions: Set = ["jpg", "jpeg", "png", "heic", "heif"]
}
