import CivilTime
import Formats
import TrailStores

/// What a sensor measured along a recording.
enum SensorSeries {
    /// The values of each segment; of a recording without positions those of its measurements.
    static func of(_ kind: PointSensors.Kind, _ line: GPXLine) -> [[RateMean.Sample]] {
        guard line.pointCount > 0 else { return [line.unplaced.map { ($0.time, $0.sensors[kind]) }] }
        return line.segments.map { $0.map { ($0.time, $0.sensors[kind]) } }
    }

    /// The values from a time until before another one.
    static func of(_ series: [[RateMean.Sample]], from start: Timestamp, until end: Timestamp?) -> [[RateMean
        .Sample]]
    {
        func isWithin(_ time: Timestamp?) -> Bool {
            guard let time, time >= start else { return false }
            return end.map { time < $0 } ?? true
        }
        return series.map { $0.filter { isWithin($0.time) } }
    }
}
