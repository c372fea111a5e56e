import Formats
import Foundation
import Geodesy
import TrailStores

/// A walker's own pace by slope, learned from recordings: how much slower than Tobler's hiking function, in each class of
/// slopes.
///
/// Method: recordings are cut into pieces of `piece` metres; a class has the median of the ratios of its pieces, weighted by
/// length, so that rests and bad heights of single pieces do not matter. A class with little data has the ratio of all.
struct LearnedPace: Sendable {
    enum Settings {
        /// Metres of a piece: over less the error of recorded heights is as large as the slope.
        static let piece = 100.0
        /// Metres per second of a piece that is in motion; slower is a rest, faster is a ride or an error.
        static let onFoot = 0.28...7.0
        static let byBicycle = 0.8...25.0
        /// The bounds of the classes of slopes.
        static let slopes = [-0.25, -0.15, -0.07, 0.07, 0.15, 0.25]
        /// Metres that a class needs to have a pace of its own.
        static let least = 500.0
    }

    /// A point of a recording: metres from its start, metres above the sea, seconds.
    struct Sample: Sendable, Hashable {
        var distance: Double
        var elevation: Double
        var time: Double
    }

    /// Metres and seconds in motion that were learned from.
    let metres: Double
    let seconds: Double
    /// The ratio of own time and Tobler's, by class of slopes.
    private let ratios: [Double]

    /// `nil` unless the recordings have `least` metres in motion, at speeds of `motion` in metres per second.
    init?(_ recordings: [[Sample]], motion: ClosedRange<Double> = Settings.onFoot) {
        var classes = [[(ratio: Double, metres: Double)]](repeating: [], count: Settings.slopes.count + 1)
        var (metres, seconds) = (0.0, 0.0)
        for samples in recordings {
            guard var from = samples.first else { continue }
            for sample in samples.dropFirst() {
                let (length, time) = (sample.distance - from.distance, sample.time - from.time)
                guard length >= Settings.piece else { continue }
                defer { from = sample }
                guard time > 0, motion.contains(length / time) else { continue }
                let slope = (sample.elevation - from.elevation) / length
                classes[Self.index(of: slope)].append(
                    (time / WalkingTimes.tobler(length: length, slope: slope), length))
                (metres, seconds) = (metres + length, seconds + time)
            }
        }
        guard metres >= Settings.least, let all = Self.median(classes.flatMap(\.self)) else { return nil }
        (self.metres, self.seconds) = (metres, seconds)
        ratios = classes.map { pieces in
            let length = pieces.reduce(0) { $0 + $1.metres }
            return length >= Settings.least ? Self.median(pieces) ?? all : all
        }
    }

    /// Seconds along a profile, without rests.
    func time(_ profile: ElevationProfile) -> Double {
        WalkingTimes.sum(profile) { length, slope in
            ratios[Self.index(of: slope)] * WalkingTimes.tobler(length: length, slope: slope)
        }
    }

    private static func index(of slope: Double) -> Int {
        Settings.slopes.firstIndex { slope < $0 } ?? Settings.slopes.count
    }

    private static func median(_ pieces: [(ratio: Double, metres: Double)]) -> Double? {
        let sorted = pieces.sorted { $0.ratio < $1.ratio }
        let half = sorted.reduce(0) { $0 + $1.metres } / 2
        var sum = 0.0
        for piece in sorted {
            sum += piece.metres
            if sum >= half { return piece.ratio }
        }
        return nil
    }
}

extension LearnedPace {
    /// The samples of a recording, a list for each segment; empty without times or heights.
    static func samples(_ recording: Recording) -> [[Sample]] {
        recording.line.segments.map { segment in
            var samples: [Sample] = []
            var along = 0.0
            var last: Coordinate?
            for point in segment {
                guard point.coordinate.isValid else { continue }
                if let last { along += last.distance(to: point.coordinate) }
                last = point.coordinate
                guard let height = point.coordinate.altitude, let time = point.time?.seconds else { continue }
                samples.append(Sample(distance: along, elevation: height, time: time))
            }
            return samples
        }.filter { $0.count > 1 }
    }
}
