import CivilTime
import Formats
import Geodesy

/// A way of which only the device's count of metres is known.
struct CountedWay {
    /// A time with the metres counted up to it, if known.
    typealias Sample = (time: Timestamp, distance: Double?)

    private let samples: [Sample]

    init(_ samples: [Sample]) { self.samples = samples }

    static func sample(_ sample: UnplacedSample) -> Sample { (sample.time, sample.sensors.distance) }

    /// Metres that a device counted. It counts from 0 at the start, unless its first count cannot have been reached since then: a leg of
    /// several goes on from the end of the one before.
    static func metres(_ samples: [UnplacedSample], since start: Timestamp) -> Double {
        let counted = samples.filter { $0.sensors.distance != nil }
        guard let first = counted.first, let count = first.sensors.distance,
            let most = counted.compactMap(\.sensors.distance).max()
        else { return 0 }
        let seconds = max(0, first.time.seconds(since: start))
        let reach = RecordingSettings.leastContradiction + seconds * RecordingSettings.fastest
        return most - (count > reach ? count : 0)
    }

    /// Seconds from start to end.
    var seconds: Double {
        guard let first = samples.first, let last = samples.last else { return 0 }
        return max(0, last.time.seconds(since: first.time))
    }

    /// Metres counted; `nil` if no count changes.
    var length: Double? {
        let counts = samples.compactMap(\.distance)
        guard let least = counts.min(), let most = counts.max(), most > least else { return nil }
        return most - least
    }

    /// Seconds in motion: all, except rests that the count of metres shows.
    func walkingTime(_ method: HikeStatistics.Method = .standard) -> Double {
        let counted = samples.filter { $0.distance != nil }
        guard length != nil, let first = samples.first, let last = samples.last,
            let firstCount = counted.first, let lastCount = counted.last
        else { return seconds }
        let none = Coordinate(latitude: 0, longitude: 0)
        let points = counted.map { TrackPoint(coordinate: none, time: $0.time) }
        let steps =
            [0]
            + zip(counted, counted.dropFirst()).map { max(0, ($1.distance ?? 0) - ($0.distance ?? 0)) }
        return Motion.walkingTime(points, steps, method)
            + max(0, firstCount.time.seconds(since: first.time))
            + max(0, last.time.seconds(since: lastCount.time))
    }
}
