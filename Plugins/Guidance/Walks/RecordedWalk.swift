import CivilTime
import Formats
import Foundation
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
        guard
            let path = RecordedPath(
                read, start: start, interval: plan.interval, untimed: "one fix per interval (--interval)")
        else {
            throw GuidanceErrors.simulation(
                "\(file.lastPathComponent) has no track with points", at: .parameter("track"))
        }
        let coarse = CoarsePositions(path.points.map(\.coordinate))
        notices = path.notices + [coarse?.notice].compactMap(\.self)
        // What the receiver itself states of its accuracy; 0 and below state nothing.
        points = zip(path.points, path.times).map { point, time in
            let stated = point.sensors.accuracy.flatMap { $0 > 0 ? $0 : nil }
            return PositionFix(
                point.coordinate, time: time,
                accuracy: coarse.map { max($0.accuracy, stated ?? 0) } ?? stated)
        }
        self.plan = plan
        self.random = random
        if plan.noise > 0 { noise = GaussMarkovNoise(sigma: plan.noise, timeConstant: plan.timeConstant) }
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
