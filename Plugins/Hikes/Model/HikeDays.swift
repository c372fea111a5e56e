import CivilTime
import PluginKit
import TrailStores

extension Hike {
    /// What to do about times that lie outside of the hike: one without a day is of today. `nil` if all are within it.
    func daysFix(_ times: [Timestamp]) -> String? {
        guard areTimesKnown, times.contains(where: { $0 < startTime || $0 > endTime }) else { return nil }
        func text(_ time: Timestamp) -> String { ISO8601.text(time, fraction: .never) }
        return "name the day as well: the hike is of \(text(startTime)) to \(text(endTime))"
    }
}
