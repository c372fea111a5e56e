import CivilTime
import Formats
import Geodesy
import TrailStores

/// Splits a recording into several.
enum RecordingSplit {
    /// The parts between the points at which `cuts` is true. With `isShared`, a point inside a segment ends one part
    /// and begins the next, so that no distance is lost; otherwise the step to it belongs to neither part.
    static func parts(
        _ recording: Recording, isShared: Bool,
        cuts: (_ last: GPXPoint, _ next: GPXPoint, _ along: Double) -> Bool
    ) -> [Recording] {
        var parts = [Part()]
        var last: GPXPoint?
        for (segment, distances) in zip(recording.line.segments, recording.distances) {
            var current: [GPXPoint] = []
            for (index, (point, along)) in zip(segment, distances).enumerated() {
                let isCut = last.map { cuts($0, point, along) } ?? false
                last = point
                guard isCut else {
                    current.append(point)
                    continue
                }
                let isInside = isShared && !current.isEmpty
                if isInside { current.append(point) }
                if !current.isEmpty { parts[parts.count - 1].segments.append(current) }
                // After the last point of a segment the next part begins with the next segment.
                let begins = !isInside || index + 1 < segment.count
                if isInside, begins { parts[parts.count - 1].shared = point }
                current = begins ? [point] : []
                parts.append(Part())
            }
            if !current.isEmpty { parts[parts.count - 1].segments.append(current) }
        }
        return parts.filter { !$0.segments.isEmpty }.map { $0.recording(of: recording) }
    }

    /// The segments of a part, and its last point if the next part begins there.
    private struct Part {
        var segments: [[GPXPoint]] = []
        var shared: GPXPoint?

        func recording(of whole: Recording) -> Recording {
            var part = whole
            part.line.segments = segments
            let times = segments.joined().lazy.compactMap(\.time)
            if let first = times.min(), let last = times.max() {
                // What begins at the time of a shared point belongs to the next part.
                let isOpen = shared?.time == last
                func isInside(_ time: Timestamp?) -> Bool {
                    time.map { $0 >= first && (isOpen ? $0 < last : $0 <= last) } ?? false
                }
                part.line.laps.removeAll { !isInside($0.start) }
                part.line.unplaced.removeAll { !isInside($0.time) }
            }
            part.line.calories = nil
            part.line.totals = nil
            part.notices = RecordingCheck(part.line).warnings
            return part
        }
    }
}
