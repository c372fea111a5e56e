import CivilTime
import Formats
import Geodesy
import TrailStores

/// Splits a recording into several.
enum RecordingSplit {
    /// The parts between the points before which `cuts` is true.
    static func parts(
        _ recording: Recording, cuts: (_ last: GPXPoint, _ next: GPXPoint, _ along: Double) -> Bool
    ) -> [Recording] {
        var parts: [[[GPXPoint]]] = [[]]
        var last: GPXPoint?
        for (segment, distances) in zip(recording.line.segments, recording.distances) {
            var current: [GPXPoint] = []
            for (point, along) in zip(segment, distances) {
                if let last, cuts(last, point, along) {
                    if !current.isEmpty { parts[parts.count - 1].append(current) }
                    current = []
                    parts.append([])
                }
                current.append(point)
                last = point
            }
            if !current.isEmpty { parts[parts.count - 1].append(current) }
        }
        return parts.filter { !$0.isEmpty }.map { segments in
            var part = recording
            part.line.segments = segments
            let times = segments.joined().lazy.compactMap(\.time)
            if let first = times.min(), let last = times.max() {
                func isInside(_ time: Timestamp?) -> Bool { time.map { $0 >= first && $0 <= last } ?? false }
                part.line.laps.removeAll { !isInside($0.start) }
                part.line.unplaced.removeAll { !isInside($0.time) }
            }
            part.line.calories = nil
            part.notices = RecordingCheck(part.line).warnings
            return part
        }
    }
}
