import CivilTime
import Formats
import Geodesy
import PluginKit

/// Finds the hike of a store that a recording duplicates: the same file, or the same walk recorded by another
/// device.
struct DuplicateSearch {
    let store: HikeStore

    /// The hike imported from a file.
    func hike(fromFile sha256: String?) throws -> Hike? {
        try sha256.flatMap { try store.hikes(from: $0).first }
    }

    /// The hike of the same walk among those of the store, with its recording.
    func hike<T: TraceRecorder>(
        like recording: Recording, _ statistics: HikeStatistics, among hikes: [Hike], trace: inout T
    ) -> (hike: Hike, recording: Recording)? {
        for hike in hikes {
            guard isNear(hike, statistics) else {
                trace.record(ImportSteps.apart(hike, statistics))
                continue
            }
            guard let other = try? store.recording(of: hike) else { continue }
            let isSame = Self.isSame(recording, other)
            trace.record(ImportSteps.compared(hike, isSame: isSame, hasTimes: recording.hasTimes))
            if isSame { return (hike, other) }
        }
        return nil
    }

    /// Whether a hike's row is compatible with the recording.
    private func isNear(_ hike: Hike, _ statistics: HikeStatistics) -> Bool {
        guard let start = statistics.startTime, let end = statistics.endTime else {
            return !hike.areTimesKnown && abs(hike.distance - statistics.distance) <= 1
        }
        return hike.areTimesKnown && hike.startTime <= end && start <= hike.endTime
    }

    /// Whether two recordings are of the same walk: near each other at nearly all of the compared times.
    static func isSame(_ one: Recording, _ other: Recording) -> Bool {
        let (left, right) = (TimedWay(one), TimedWay(other))
        guard let left, let right else {
            return one.hasTimes == other.hasTimes
                && one.points.map(\.coordinate.withoutAltitude)
                    == other.points.map(\.coordinate.withoutAltitude)
        }
        let start = max(left.start, right.start)
        let end = min(left.end, right.end)
        // Of the longer one: a clip is a part of a walk, not the walk.
        let longer = max(left.end.seconds(since: left.start), right.end.seconds(since: right.start))
        guard end >= start, end.seconds(since: start) >= longer * DuplicateSettings.sameShare else {
            return false
        }
        let count = DuplicateSettings.comparedMoments
        let near = (0...count).count { index in
            let moment = start.advanced(bySeconds: end.seconds(since: start) * Double(index) / Double(count))
            guard let here = left.place(at: moment), let there = right.place(at: moment) else { return false }
            return here.distance(to: there) <= DuplicateSettings.sameWalk
        }
        return Double(near) >= Double(count + 1) * DuplicateSettings.sameShare
    }
}

/// Constants of the search for duplicates.
enum DuplicateSettings {
    /// Number of intervals between the times at which two recordings are compared.
    static let comparedMoments = 24
    /// Maximum metres between two recordings of the same walk by different devices.
    static let sameWalk = 100.0
    /// Metres between two waypoints of the same identifier that are the same waypoint.
    static let sameWaypoint = 10.0
    /// Share of the longer recording's time, and of the compared times, that must agree.
    static let sameShare = 0.9
}

/// The position of a recording at a time.
struct TimedWay {
    private let points: [(time: Timestamp, coordinate: Coordinate)]

    /// The timed points in order of time; `nil` without any.
    init?(_ recording: Recording) {
        let timed = recording.points.compactMap { point in
            point.time.map { (time: $0, coordinate: point.coordinate) }
        }
        guard !timed.isEmpty else { return nil }
        let isOrdered = zip(timed, timed.dropFirst()).allSatisfy { $0.time <= $1.time }
        points = isOrdered ? timed : timed.sorted { $0.time < $1.time }
    }

    var start: Timestamp { points[0].time }
    var end: Timestamp { points[points.count - 1].time }

    /// The position at a time, interpolated between points; `nil` before the start and after the end.
    func place(at moment: Timestamp) -> Coordinate? {
        guard moment >= start, moment <= end else { return nil }
        let next = points.partitionIndex { $0.time > moment }
        guard next < points.count else { return points[next - 1].coordinate }
        let (before, after) = (points[next - 1], points[next])
        let span = after.time.seconds(since: before.time)
        let share = span > 0 ? moment.seconds(since: before.time) / span : 0
        return before.coordinate.between(after.coordinate, share: share)
    }
}

extension Coordinate {
    /// The coordinate at a share of the way to another one, linear in degrees, across the antimeridian if
    /// shorter; with an altitude if both have one.
    package func between(_ other: Coordinate, share: Double) -> Coordinate {
        var east = other.longitude - longitude
        if east > 180 { east -= 360 } else if east < -180 { east += 360 }
        var longitude = longitude + east * share
        if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
        var height: Double?
        if let altitude, let end = other.altitude { height = altitude + (end - altitude) * share }
        return Coordinate(
            latitude: latitude + (other.latitude - latitude) * share, longitude: longitude, altitude: height)
    }
}
