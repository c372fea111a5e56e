import CivilTime
import Geodesy
import PluginKit

/// A journey split into parts of a round length.
struct JourneySplits {
    /// A part.
    struct Part {
        /// Metres from the start to its end.
        var end: Double
        /// Metres above sea level at its end.
        var elevation: Double?
        /// Metres by which the way rises from its start to its end; what lies between two segments is not walked.
        var change: Double?
        /// The time of its end.
        var time: Timestamp?
        /// Its duration in seconds, including rests.
        var seconds: Double?
    }

    let parts: [Part]

    /// The parts of the whole journey; none if it is shorter than two parts. Lengths are kilometres or miles.
    init(_ journey: ExportJourney, units: UnitSystem, most: Int) {
        let unit = units == .metric ? 1000.0 : 1609.344
        let segments = journey.lines.flatMap(\.segments)
        let total = segments.reduce(0) { $0 + Polyline.length($1.map(\.coordinate)) }
        guard total.isFinite, total >= unit, total / unit < 1e7 else {
            parts = []
            return
        }
        var length = unit
        for factor in [2.0, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000, 100_000, 1_000_000]
        where total / length > Double(most) {
            length = factor * unit
        }
        var parts: [Part] = []
        var way = 0.0
        var begin: Mark?
        var last: Mark?
        var gaps = Gaps()
        for segment in segments {
            var previous: Mark?
            if let first = segment.first { gaps.add(from: last, to: first.coordinate) }
            for point in segment {
                let mark = Mark(coordinate: point.coordinate, time: point.time, gaps: gaps)
                if begin == nil { begin = mark }
                if let previous {
                    let step = previous.coordinate.distance(to: mark.coordinate)
                    while step > 0, Double(parts.count + 1) * length <= way + step {
                        let end = Double(parts.count + 1) * length
                        let there = previous.moved(to: mark, share: (end - way) / step)
                        parts.append(Self.part(from: begin ?? there, to: there, end: end))
                        begin = there
                    }
                    way += step
                }
                previous = mark
                last = mark
            }
        }
        if let begin, let last, way - Double(parts.count) * length > unit / 100 {
            parts.append(
                Self.part(from: begin, to: last, end: Self.length(way, recorded: journey.facts.distance)))
        }
        self.parts = parts
    }

    /// The length of the journey: the recorded one, unless the points differ from it by more than rounding.
    /// Stored points have fewer digits than those from which the recorded distance was computed.
    private static func length(_ way: Double, recorded: Double?) -> Double {
        guard let recorded, abs(recorded - way) <= way * ReportSettings.sameLength else { return way }
        return recorded
    }

    /// The steps between segments.
    private struct Gaps {
        /// Metres that the height changed in them.
        var rise = 0.0
        /// Those in which a height is unknown.
        var unknown = 0

        mutating func add(from last: Mark?, to next: Coordinate) {
            guard let last else { return }
            if let low = last.coordinate.altitude, let high = next.altitude {
                rise += high - low
            } else {
                unknown += 1
            }
        }
    }

    private struct Mark {
        var coordinate: Coordinate
        var time: Timestamp?
        /// Those before it.
        var gaps: Gaps

        func moved(to other: Mark, share: Double) -> Mark {
            var altitude: Double?
            if let low = coordinate.altitude, let high = other.coordinate.altitude {
                altitude = low + (high - low) * share
            }
            var moment: Timestamp?
            if let time, let end = other.time {
                moment = time.advanced(bySeconds: end.seconds(since: time) * share)
            }
            // The exact coordinate does not matter: only its elevation and time are shown.
            var between = coordinate
            between.altitude = altitude
            return Mark(coordinate: between, time: moment, gaps: gaps)
        }
    }

    private static func part(from begin: Mark, to end: Mark, end way: Double) -> Part {
        var part = Part(end: way, elevation: end.coordinate.altitude, time: end.time)
        if let low = begin.coordinate.altitude, let high = end.coordinate.altitude,
            begin.gaps.unknown == end.gaps.unknown
        {
            part.change = high - low - (end.gaps.rise - begin.gaps.rise)
        }
        if let start = begin.time, let stop = end.time { part.seconds = stop.seconds(since: start) }
        return part
    }
}
