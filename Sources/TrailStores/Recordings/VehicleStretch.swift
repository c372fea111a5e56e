import Formats
import Geodesy
import PluginKit

/// A part of a recording on foot that is faster than anyone walks: a lift, a car or a train in which the device went on.
struct VehicleStretch {
    /// The first and the last point, counted from 1.
    let points: ClosedRange<Int>
    let seconds: Double
    let metres: Double

    /// What is said of it.
    var words: String {
        let speed = Literal.inMessage(.metresPerSecond(metres / seconds))
        return
            "\(Literal.roundedDuration(seconds)) from point \(points.lowerBound) to \(points.upperBound) at \(speed), "
            + "faster than anyone walks: a vehicle or lift, which distance and speed count"
    }

    /// Those of a line on foot, or of unknown activity at the pace of one.
    static func all(in line: GPXLine) -> [VehicleStretch] {
        guard GPXLine.isOnFoot(line.type) else { return [] }
        var found: [VehicleStretch] = []
        var number = 0
        for segment in line.segments {
            var open: (first: Int, seconds: Double, metres: Double)?
            func end(_ last: Int) {
                if let part = open, part.seconds >= RecordingSettings.leastVehicleTime,
                    part.metres >= RecordingSettings.leastVehicleWay
                {
                    found.append(
                        VehicleStretch(
                            points: part.first...last, seconds: part.seconds, metres: part.metres))
                }
                open = nil
            }
            for index in segment.indices.dropFirst() {
                let (from, to) = (segment[index - 1], segment[index])
                guard let seconds = step(from, to), isFast(from.coordinate, to.coordinate, seconds) else {
                    end(number + index)
                    continue
                }
                let before = open ?? (number + index, 0, 0)
                let metres = from.coordinate.distance(to: to.coordinate)
                open = (before.first, before.seconds + seconds, before.metres + metres)
            }
            end(number + segment.count)
            number += segment.count
        }
        // Who is as fast all the way rides.
        guard !found.isEmpty, pace(of: line) <= RecordingSettings.fastestPace else { return [] }
        return Array(found.prefix(RecordingSettings.listedWarnings))
    }

    /// Seconds from a point to the next; `nil` where they are unknown.
    private static func step(_ from: GPXPoint, _ to: GPXPoint) -> Double? {
        guard let start = from.time, let end = to.time, start < end else { return nil }
        return end.seconds(since: start)
    }

    private static func isFast(_ from: Coordinate, _ to: Coordinate, _ seconds: Double) -> Bool {
        let least = RecordingSettings.leastVehicleSpeed * seconds
        let degrees = abs(to.latitude - from.latitude) + abs(to.longitude - from.longitude)
        // Few steps are as long.
        return degrees * RecordingSettings.mostMetresOfDegree > least && from.distance(to: to) > least
    }

    /// Metres per second of the slower steps.
    private static func pace(of line: GPXLine) -> Double {
        let speeds = line.segments.flatMap { segment in
            zip(segment, segment.dropFirst()).compactMap { from, to in
                step(from, to).map { from.coordinate.distance(to: to.coordinate) / $0 }
            }
        }.sorted()
        return speeds.isEmpty ? 0 : speeds[speeds.count / 4]
    }
}
