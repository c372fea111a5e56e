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

    /// A time during which it was near a coordinate.
    struct Passage {
        let first: Timestamp
        var last: Timestamp
        /// When it was nearest.
        var nearest: Timestamp
        fileprivate var distance: Double
    }

    /// The times during which it was near a coordinate.
    func passages(of coordinate: Coordinate) -> [Passage] {
        var found: [Passage] = []
        var open: Passage?
        for point in points {
            let distance = point.coordinate.distance(to: coordinate)
            guard distance <= PhotoMatchSettings.reach else {
                if let passage = open { found.append(passage) }
                open = nil
                continue
            }
            if var passage = open {
                passage.last = point.time
                if distance < passage.distance {
                    (passage.distance, passage.nearest) = (distance, point.time)
                }
                open = passage
            } else {
                open = Passage(first: point.time, last: point.time, nearest: point.time, distance: distance)
            }
        }
        if let open { found.append(open) }
        return found
    }

    /// The first and last positions.
    var ends: (first: Coordinate, last: Coordinate) {
        (points[0].coordinate, points[points.count - 1].coordinate)
    }
}

/// Settings of matching photos with hikes.
enum PhotoMatchSettings {
    /// Maximum seconds between two points for interpolation between them.
    static let longestSpan = 60.0
    /// Metres within which two positions are the same: the error of a phone's position in a photo.
    static let reach = 100.0
    /// Seconds between photos that are of one moment, and between the camera's time and the receiver's where they agree: the age of a fix.
    static let moment = 60.0
    /// Metres from the recording at its moment beyond which a photo's own position is doubted.
    static let farFromRecording = 1000.0
    /// Seconds before the start and after the end of a recording within which a photo was taken at its end: the walker stands there,
    /// and starts the device.
    static let edge = 120.0
    /// Seconds since 1970 at which photos were taken: the years 1900 to 2099.
    static let moments = -2_208_988_800.0..<4_102_444_800.0
    /// Characters of a time that is none, as they are shown.
    static let longestTime = 24
    /// Photos of one kind that an account names.
    static let examples = 3
    /// Maximum photos of a folder.
    static let most = 10_000
    /// Maximum bytes of a photo: apps store nothing larger.
    static let largest = 256 << 20
    /// Extensions of pictures; those of kinds that are not read get a row that says so.
    static let extensions: Set = [
        "jpg", "jpeg", "jpe", "png", "heic", "heif", "mpo", "insp", "webp", "avif", "gif", "tif", "tiff",
        "bmp", "dng", "cr2",
        "cr3", "nef", "arw", "orf", "rw2", "raf",
    ]
    /// Extensions of videos, which are not read and get a row too.
    static let films: Set = [
        "mp4", "mov", "m4v", "avi", "3gp", "3g2", "mts", "m2ts", "mkv", "webm", "mpg", "mpeg", "wmv", "insv",
        "360",
    ]
}
