import CivilTime
import Core
import Formats
import Geodesy

/// A recorded walk of a file as it happened: its tracks one after the other, a time for each point, and what is doubtful about
/// it.
package struct RecordedPath: Sendable {
    /// The points with valid positions.
    package let points: [GPXPoint]
    /// Their times, in order.
    package let times: [Timestamp]
    /// Whether some of the times were recorded.
    package let isTimed: Bool
    /// What is doubtful or left out, in words.
    package let notices: [String]

    /// The maximum distance between the positions of two devices on one walk, metres.
    private static let oneWalk = 100.0

    /// The tracks of a file in order of time, or else its first route; `nil` without points. A point without a time has one
    /// between those of its neighbours; without any they are `interval` seconds apart. `untimed` says what happens then.
    package init?(_ file: TrackFile, start: Timestamp, interval: Double, untimed: String) {
        let tracks = file.document.tracks.map { Array($0.segments.joined()) }.filter { !$0.isEmpty }
        let routes = file.document.routes.map { Array($0.segments.joined()) }.filter { !$0.isEmpty }
        guard !tracks.isEmpty || !routes.isEmpty else { return nil }
        // Those of the file are among those of its only line.
        var notices = (file.lines.count > 1 ? file.document.doubts : []) + file.lines.flatMap(\.doubts)
        let walked = Self.oneAtATime(Self.inOrder(tracks))
        var line = tracks.isEmpty ? routes[0] : walked.flatMap(\.self)
        if walked.count < tracks.count {
            notices.append(
                "\(tracks.count - walked.count) of \(tracks.count) tracks left out: recorded on the same walk as another"
            )
        }
        if walked.count > 1 { notices.append("\(walked.count) tracks, walked one after the other") }
        if tracks.isEmpty, routes.count > 1 {
            notices.append("\(routes.count) routes: only the first is walked")
        }
        line.removeAll { !$0.coordinate.isValid }
        if let time = Self.onlyTime(line) {
            // Planners write the time of export to each point.
            for index in line.indices { line[index].time = nil }
            notices.append(
                "all points have the same time, \(ISO8601.text(time, fraction: .never)): ignored, \(untimed)")
        } else if line.allSatisfy({ $0.time == nil }) {
            notices.append("no point has a time: \(untimed)")
        } else if line.count(where: { $0.time != nil }) == 1, line.count > 1 {
            for index in line.indices { line[index].time = nil }
            notices.append("only one point has a time: \(untimed)")
        } else if case let missing = line.count(where: { $0.time == nil }), missing > 0 {
            notices.append("\(missing, of: "point") without a time: placed between their neighbours")
        }
        isTimed = line.contains { $0.time != nil }
        let clock = RecordedClock(Self.times(line.map(\.time), start, interval))
        if let notice = clock.notice { notices.append(notice) }
        self.notices = notices
        points = line
        times = clock.times
    }

    /// Tracks by their first times; those without one stay where they are.
    private static func inOrder(_ tracks: [[GPXPoint]]) -> [[GPXPoint]] {
        guard tracks.allSatisfy({ $0.contains { $0.time != nil } }) else { return tracks }
        return tracks.enumerated().sorted { left, right in
            let (one, two) = (
                left.element.lazy.compactMap(\.time).first, right.element.lazy.compactMap(\.time).first
            )
            guard let one, let two, one != two else { return left.offset < right.offset }
            return one < two
        }.map(\.element)
    }

    /// The tracks, of those that two devices recorded on the same walk only the longer one: they share more than half of the
    /// shorter one's time, and are beside each other in the middle of it.
    private static func oneAtATime(_ tracks: [[GPXPoint]]) -> [[GPXPoint]] {
        func span(_ track: [GPXPoint]) -> ClosedRange<Timestamp>? {
            let times = track.lazy.compactMap(\.time)
            guard let first = times.min(), let last = times.max(), first < last else { return nil }
            return first...last
        }
        var kept: [(track: [GPXPoint], span: ClosedRange<Timestamp>?)] = []
        for track in tracks {
            let own = span(track)
            guard let own, let (before, other) = kept.last, let other else {
                kept.append((track, own))
                continue
            }
            let common = min(own.upperBound, other.upperBound).seconds(
                since: max(own.lowerBound, other.lowerBound))
            let (length, otherLength) = (
                own.upperBound.seconds(since: own.lowerBound),
                other.upperBound.seconds(since: other.lowerBound)
            )
            if common <= min(length, otherLength) / 2 || !isBeside(track, before) {
                kept.append((track, own))
            } else if (length, track.count) > (otherLength, before.count) {
                kept[kept.count - 1] = (track, own)
            }
        }
        return kept.map(\.track)
    }

    /// Whether the middle of a track is where another one is at that time: else its clock was set, and it is another walk.
    private static func isBeside(_ track: [GPXPoint], _ other: [GPXPoint]) -> Bool {
        let middle = track[track.count / 2]
        guard let time = middle.time else { return false }
        let near = other.filter { $0.time != nil }.min {
            abs(($0.time ?? time).seconds(since: time)) < abs(($1.time ?? time).seconds(since: time))
        }
        return near.map { $0.coordinate.distance(to: middle.coordinate) <= oneWalk } ?? false
    }

    /// The time that all points have, if they are at different places; `nil` if there are others or none.
    private static func onlyTime(_ points: [GPXPoint]) -> Timestamp? {
        guard let time = points.first?.time, points.allSatisfy({ $0.time == time }) else { return nil }
        return points.contains { $0.coordinate != points[0].coordinate } ? time : nil
    }

    /// Times for all points: unknown ones between their neighbours evenly, at the ends `interval` seconds apart.
    package static func times(_ given: [Timestamp?], _ start: Timestamp, _ interval: Double) -> [Timestamp] {
        let known = given.indices.filter { given[$0] != nil }
        guard let first = known.first, let origin = given[first] else {
            return given.indices.map { start.advanced(bySeconds: Double($0) * interval) }
        }
        let seconds = given.map { $0.map { $0.seconds(since: origin) } }
        var filled = Interpolation.filled(seconds).map { $0 ?? 0 }
        for index in 0..<first { filled[index] = -Double(first - index) * interval }
        if let last = known.last {
            for index in filled.indices.dropFirst(last + 1) {
                filled[index] += Double(index - last) * interval
            }
        }
        return filled.map { origin.advanced(bySeconds: $0) }
    }
}
