import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// The fixes of a recorded track, with the noise and losses of a plan added.
struct RecordedWalk: WalkSource {
    private let points: [PositionFix]
    private let plan: WalkPlan
    private var noise: GaussMarkovNoise?
    private var random: Xoshiro256
    private var index = 0

    /// What is doubtful about the recording, in words.
    let notices: [String]

    /// The fixes of the tracks of a file, in order of time, or of its first route. A point without a time has one between those of
    /// its neighbours; without any they are `interval` apart. Throws `E-GUIDE-SIMULATION` if there is no point.
    init(
        _ file: URL, _ plan: WalkPlan, start: Timestamp, random: Xoshiro256,
        check: @escaping () throws -> Void
    ) throws {
        let read = try TrackFile(file, check: check)
        let tracks = read.document.tracks.map { Array($0.segments.joined()) }.filter { !$0.isEmpty }
        let routes = read.document.routes.map { Array($0.segments.joined()) }.filter { !$0.isEmpty }
        var notices = read.lines.flatMap(\.doubts)
        guard !tracks.isEmpty || !routes.isEmpty else {
            throw GuidanceErrors.simulation(
                "\(file.lastPathComponent) has no track with points", at: .parameter("track"))
        }
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
                "all points have the same time, \(ISO8601.text(time, fraction: .never)): ignored, one fix per interval (--interval)"
            )
        } else if line.allSatisfy({ $0.time == nil }) {
            notices.append("no point has a time: one fix per interval (--interval)")
        } else if case let untimed = line.count(where: { $0.time == nil }), untimed > 0 {
            notices.append("\(untimed, of: "point") without a time: placed between their neighbours")
        }
        let clock = RecordedClock(Self.times(line.map(\.time), start, plan.interval))
        if let notice = clock.notice { notices.append(notice) }
        let coarse = CoarsePositions(line.map(\.coordinate))
        if let notice = coarse?.notice { notices.append(notice) }
        self.notices = notices
        points = zip(line, clock.times).map {
            PositionFix($0.coordinate, time: $1, accuracy: coarse?.accuracy)
        }
        self.plan = plan
        self.random = random
        if plan.noise > 0 { noise = GaussMarkovNoise(sigma: plan.noise, timeConstant: plan.timeConstant) }
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

    /// The maximum distance between the positions of two devices on one walk, metres.
    private static let oneWalk = 100.0

    /// The time that all points have, if they are at different places; `nil` if there are others or none.
    private static func onlyTime(_ points: [GPXPoint]) -> Timestamp? {
        guard let time = points.first?.time, points.allSatisfy({ $0.time == time }) else { return nil }
        return points.contains { $0.coordinate != points[0].coordinate } ? time : nil
    }

    /// Times for all points: unknown ones between their neighbours evenly, at the ends `interval` seconds apart.
    static func times(_ given: [Timestamp?], _ start: Timestamp, _ interval: Double) -> [Timestamp] {
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

    mutating func next() -> WalkFix? {
        while index < points.count {
            var fix = points[index]
            let gap = index > 0 ? fix.time.seconds(since: points[index - 1].time) : 0
            index += 1
            if var noise {
                fix.coordinate = noise.shifted(fix.coordinate, after: gap, &random)
                fix.accuracy = plan.noise
                self.noise = noise
            }
            if plan.dropout > 0, random.unit() < plan.dropout { continue }
            return WalkFix(fix: fix)
        }
        return nil
    }

    mutating func follow(_ route: GuideRoute) -> Bool { false }
}
