import CivilTime
import Formats
import Geodesy
import PluginKit
import TrailStores

/// Edits of recordings as pure functions. Each returns the changed recording and a description; `nil` if
/// nothing would change.
enum RecordingEdits {
    /// A changed recording.
    struct Result {
        var recording: Recording
        let summary: String
    }

    /// Keeps the points that pass; empty segments are removed.
    static func filtered(_ recording: Recording, _ keep: (GPXPoint, _ along: Double) -> Bool) -> Recording {
        var result = recording
        let distances = recording.distances
        result.line.segments = zip(recording.line.segments, distances).map { segment, along in
            zip(segment, along).filter { keep($0.0, $0.1) }.map(\.0)
        }.filter { !$0.isEmpty }
        let times = result.points.lazy.compactMap(\.time)
        if let first = times.min(), let last = times.max() {
            result.line.unplaced.removeAll { $0.time < first || $0.time > last }
            result.line.laps.removeAll { lap in
                guard let start = lap.start else { return false }
                return start > last || start.advanced(bySeconds: lap.elapsed ?? lap.seconds ?? 0) < first
            }
        }
        // The device's totals are those of the whole recording.
        result.line.calories = nil
        result.line.totals = nil
        return result
    }

    /// Keeps a time range and a range of distances.
    static func crop(
        _ recording: Recording, from: Timestamp?, through: Timestamp?, skip: Double, drop: Double
    ) -> Result? {
        let total = recording.distances.last { !$0.isEmpty }?.last ?? 0
        let result = filtered(recording) { point, along in
            if from != nil || through != nil {
                guard let time = point.time else { return false }
                if let from, time < from { return false }
                if let through, time > through { return false }
            }
            return along >= skip && along <= total - drop
        }
        return changed(recording, result, "cropped")
    }

    /// Removes the points at both ends within a radius of a coordinate.
    static func trim(_ recording: Recording, around coordinate: Coordinate, radius: Double) -> Result? {
        let points = recording.points
        func isInside(_ point: GPXPoint) -> Bool { point.coordinate.distance(to: coordinate) <= radius }
        guard let first = points.firstIndex(where: { !isInside($0) }),
            let last = points.lastIndex(where: { !isInside($0) })
        else { return nil }
        var index = -1
        var result = filtered(recording) { _, _ in
            index += 1
            return index >= first && index <= last
        }
        // The waypoints there are removed too.
        result.waypoints.removeAll(where: isInside)
        result.line.laps = []
        return changed(recording, result, "trimmed within \(Literal.quantity(.metres(radius)))")
    }

    private static func changed(_ before: Recording, _ after: Recording, _ verb: String) -> Result? {
        let (was, now) = (before.line.pointCount, after.line.pointCount)
        guard now < was, now > 0 else { return nil }
        return Result(recording: after, summary: "\(verb): \(now) of \(was) points kept")
    }

    /// Reverses the direction. Removes times, laps and the device's distance, which belong to the original
    /// direction.
    static func reversed(_ recording: Recording) -> Result {
        var result = recording
        result.line.segments = recording.line.segments.reversed().map { segment in
            segment.reversed().map { point in
                var point = point
                point.time = nil
                point.sensors.distance = nil
                point.sensors.speed = nil
                point.sensors.course = point.sensors.course.map {
                    ($0 + 180).truncatingRemainder(dividingBy: 360)
                }
                return point
            }
        }
        result.line.laps = []
        result.line.unplaced = []
        let lost = recording.hasTimes ? "; times, laps and speeds removed" : ""
        return Result(recording: result, summary: "reversed\(lost)")
    }

    /// Shifts all times by a number of seconds.
    static func shifted(_ recording: Recording, by seconds: Double) -> Result {
        var result = recording
        for number in result.line.segments.indices {
            for index in result.line.segments[number].indices {
                result.line.segments[number][index].time =
                    result.line.segments[number][index].time?.advanced(bySeconds: seconds)
            }
        }
        for index in result.line.laps.indices {
            result.line.laps[index].start = result.line.laps[index].start?.advanced(bySeconds: seconds)
        }
        for index in result.line.unplaced.indices {
            result.line.unplaced[index].time = result.line.unplaced[index].time.advanced(bySeconds: seconds)
        }
        let direction = seconds < 0 ? "earlier" : "later"
        return Result(
            recording: result, summary: "times shifted: \(Literal.duration(abs(seconds))) \(direction)")
    }

    /// Removes single points that are impossibly far from their neighbours; if the recording continues
    /// elsewhere, a new segment begins, because the route between is unknown.
    static func despiked<T: TraceRecorder>(
        _ recording: Recording, fastest: Double, trace: inout T
    ) -> Result? {
        var result = recording
        var removed = 0
        var split = 0
        result.line.segments = recording.line.segments.flatMap { segment -> [[GPXPoint]] in
            var parts: [[GPXPoint]] = []
            var part: [GPXPoint] = []
            for (index, point) in segment.enumerated() {
                guard let last = part.last, isJump(last, point, fastest) else {
                    trace.record(jump(part.last, point, .kept, "reached at a possible speed"))
                    part.append(point)
                    continue
                }
                // A spike is followed by a jump back.
                let next = index + 1 < segment.count ? segment[index + 1] : nil
                if let next, !isJump(point, next, fastest) {
                    trace.record(
                        jump(
                            last, point, .best,
                            "a jump, and the recording continues there: a new segment begins")
                    )
                    parts.append(part)
                    part = [point]
                    split += 1
                } else {
                    trace.record(
                        jump(last, point, .refused, "a jump there and back: the point is removed"))
                    removed += 1
                }
            }
            parts.append(part)
            return parts.filter { !$0.isEmpty }
        }
        guard removed + split > 0 else { return nil }
        let points = "\(removed, of: "point")"
        let cuts = split > 0 ? ", cut at \(split, of: "jump")" : ""
        return Result(recording: result, summary: "despiked: \(points) removed\(cuts)")
    }

    private static func jump(
        _ from: GPXPoint?, _ to: GPXPoint, _ mark: StepBoard.Mark, _ why: String
    ) -> TraceStep {
        let metres = from.map { $0.coordinate.distance(to: to.coordinate) }
        let seconds = from?.time.flatMap { start in to.time.map { $0.seconds(since: start) } }
        return .candidate(
            [
                ("at", .coordinate(to.coordinate.withoutAltitude)),
                ("distance", Value(metres) { .quantity(.metres($0)) }),
                ("after", Value(seconds) { .quantity(.seconds($0)) }),
                (
                    "speed",
                    metres.flatMap { metres in
                        seconds.flatMap { $0 > 0 ? .quantity(.metresPerSecond(metres / $0)) : nil }
                    } ?? .nothing
                ),
            ], mark, why: why)
    }

    private static func isJump(_ from: GPXPoint, _ to: GPXPoint, _ fastest: Double) -> Bool {
        let seconds = from.time.flatMap { start in to.time.map { $0.seconds(since: start) } }
        return RecordingCheck.isJump(from.coordinate.distance(to: to.coordinate), seconds, fastest)
    }

    /// The first two recordings, by their start, that run at the same time: they are of one walk, and their sum is of none.
    static func overlapping(_ recordings: [Recording]) -> (Int, Int)? {
        let spans = recordings.enumerated().compactMap { place, recording in
            let times = recording.line.segments.joined().lazy.compactMap(\.time)
            return times.min().flatMap { first in times.max().map { (place: place, first: first, last: $0) } }
        }.sorted { $0.first < $1.first }
        for (one, other) in zip(spans, spans.dropFirst()) where other.first < one.last {
            return (one.place, other.place)
        }
        return nil
    }

    /// Joins several recordings in sequence, ordered by their first times.
    static func merged(_ recordings: [Recording]) -> Result {
        var result = recordings[0]
        let ordered = recordings.enumerated().sorted { left, right in
            let (one, two) = (left.element.points.first?.time, right.element.points.first?.time)
            guard let one, let two, one != two else { return left.offset < right.offset }
            return one < two
        }.map(\.element)
        result.line.segments = ordered.flatMap(\.line.segments)
        result.line.laps = ordered.flatMap(\.line.laps)
        result.line.unplaced = ordered.flatMap(\.line.unplaced)
        result.waypoints = ordered.flatMap(\.waypoints)
        let calories = ordered.compactMap(\.line.calories)
        result.line.calories = calories.count == ordered.count ? calories.reduce(0, +) : nil
        result.line.totals = nil
        result.origin = .joined(ordered.compactMap(\.origin))
        var devices: [String] = []
        for device in ordered.compactMap(\.line.device) where !devices.contains(device) {
            devices.append(device)
        }
        result.line.device = devices.isEmpty ? nil : devices.joined(separator: "; ")
        // What was said of the files stays true; what was found in the points is found anew.
        result.notices = RecordingCheck(result.line).warnings
        for recording in ordered {
            let found = RecordingCheck(recording.line).warnings
            for notice in recording.notices where !found.contains(notice) && !result.notices.contains(notice)
            {
                result.notices.append(notice)
            }
        }
        return Result(recording: result, summary: "merged \(recordings.count) hikes")
    }
}
