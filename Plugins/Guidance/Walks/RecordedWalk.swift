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

    /// The fixes of the first track or route of a file. Points without a time are `interval` apart. Throws
    /// `E-GUIDE-SIMULATION` if there is none.
    init(
        _ file: URL, _ plan: WalkPlan, start: Timestamp, random: Xoshiro256,
        check: @escaping () throws -> Void
    ) throws {
        let lines = try TrackFile(file, check: check).lines.map { Array($0.segments.joined()) }
        guard let line = lines.first(where: { !$0.isEmpty }) else {
            throw GuidanceErrors.simulation(
                "\(file.lastPathComponent) has no track with points", at: .parameter("track"))
        }
        var fixes: [PositionFix] = []
        for point in line where point.coordinate.isValid {
            let given = point.time ?? fixes.last?.time.advanced(bySeconds: plan.interval) ?? start
            // Some recorders repeat points or write them out of order; time must not decrease.
            let time = max(given, fixes.last?.time ?? given)
            fixes.append(PositionFix(point.coordinate, time: time))
        }
        points = fixes
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
