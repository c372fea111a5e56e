import Core
import Geodesy

/// A measure by which a track can be coloured.
public enum TrackMeasure: String, Sendable, Hashable, CaseIterable {
    /// Metres up for each metre along the way; negative downhill.
    case grade
    /// Metres a second.
    case speed
    /// Beats a minute.
    case heartRate = "heartrate"

    /// The measure in words.
    public var words: String {
        switch self {
        case .grade: "grade"
        case .speed: "speed"
        case .heartRate: "heart rate"
        }
    }
}

/// A point of a track that can be coloured; unmeasured values are `nil`.
public struct MeasuredPoint: Sendable, Hashable {
    /// The coordinate, with the altitude in metres.
    public var coordinate: Coordinate
    /// Seconds since an arbitrary moment, the same for the whole track.
    public var time: Double?
    /// Metres a second, by a sensor.
    public var speed: Double?
    /// Beats a minute.
    public var heartRate: Double?

    /// Makes a point.
    public init(
        _ coordinate: Coordinate, time: Double? = nil, speed: Double? = nil, heartRate: Double? = nil
    ) {
        self.coordinate = coordinate
        self.time = time
        self.speed = speed
        self.heartRate = heartRate
    }
}

/// An object whose track can be coloured by a measure.
public protocol MeasuredTrack: MapDrawable {
    /// The points of each segment; `nil` if the object cannot have the measure, as a plan has no speed.
    func measuredSegments(_ measure: TrackMeasure) throws -> [[MeasuredPoint]]?
}

/// The values between the points of a segment.
enum TrackMeasuring {
    /// Metres over which a grade is measured: elevations are known to a few metres.
    static let gradeWindow = 50.0
    /// A grade over fewer metres is not known.
    static let leastGradeWay = 10.0
    /// Seconds over which a speed is measured: positions are known to a few metres.
    static let speedWindow = 20.0

    /// A value for each leg between two points; `nil` where it is unknown.
    static func values(_ segment: [MeasuredPoint], _ measure: TrackMeasure) -> [Double?] {
        guard segment.count > 1 else { return [] }
        switch measure {
        case .heartRate: return means(segment) { $0.heartRate }
        case .grade:
            let along = Polyline.cumulativeDistances(segment.map(\.coordinate))
            return slopes(
                axis: along, values: segment.map(\.coordinate.altitude), window: gradeWindow,
                least: leastGradeWay)
        case .speed:
            let along = Polyline.cumulativeDistances(segment.map(\.coordinate))
            let slopes = slopes(
                axis: segment.map(\.time), values: along, window: speedWindow, least: 0)
            return zip(means(segment) { $0.speed }, slopes).map { $0 ?? $1 }
        }
    }

    private static func means(
        _ segment: [MeasuredPoint], _ value: (MeasuredPoint) -> Double?
    ) -> [Double?] {
        zip(segment, segment.dropFirst()).map { a, b in
            guard let a = value(a), let b = value(b), a.isFinite, b.isFinite else { return nil }
            return (a + b) / 2
        }
    }

    /// The rate of change of a value along an axis around each leg: over the window, or the part of it that
    /// is known without a gap.
    private static func slopes(
        axis: [Double?], values: [Double?], window: Double, least: Double
    ) -> [Double?] {
        var result = [Double?](repeating: nil, count: axis.count - 1)
        var start = 0
        while start < axis.count {
            // Consecutive points that are all known and in order.
            var end = start
            while end < axis.count, let place = axis[end], let value = values[end], place.isFinite,
                value.isFinite, end == start || place >= axis[end - 1] ?? place
            {
                end += 1
            }
            if end - start > 1 {
                let places = axis[start..<end].map { $0 ?? 0 }
                let known = values[start..<end].map { $0 ?? 0 }
                for leg in 0..<(places.count - 1) {
                    let middle = (places[leg] + places[leg + 1]) / 2
                    let from = min(leg, max(places.partitionIndex { $0 > middle - window / 2 } - 1, 0))
                    let to = max(
                        leg + 1,
                        min(places.partitionIndex { $0 >= middle + window / 2 }, places.count - 1))
                    let way = places[to] - places[from]
                    if way > 0, way >= least { result[start + leg] = (known[to] - known[from]) / way }
                }
            }
            start = max(end, start + 1)
        }
        return result
    }
}
