import Foundation
import TrailStores

/// Walking times by well-known formulas, in addition to that of the cost profile.
enum WalkingTimes {
    /// Seconds by Tobler's hiking function, summed between the heights.
    ///
    /// Source: W. Tobler, "Three presentations on geographical analysis and modeling", 1993:
    /// 6 km/h · exp(−3.5 · |slope + 0.05|).
    static func tobler(_ profile: ElevationProfile) -> Double {
        sum(profile) { tobler(length: $0, slope: $1) }
    }

    /// Seconds by Tobler's hiking function for metres of one slope.
    static func tobler(length: Double, slope: Double) -> Double {
        length / (6 / 3.6 * exp(-3.5 * abs(slope + 0.05)))
    }

    /// Seconds by the formula of the Swiss signposts, a polynomial of the slope that is valid up to 40 %.
    /// Steeper ways take as long per metre of height as those of 40 %.
    ///
    /// Source: Schweizer Wanderwege, minutes per kilometre by the slope in per cent (G. and S. Weber, in
    /// use since 2006).
    static func swiss(_ profile: ElevationProfile) -> Double {
        sum(profile) { length, slope in
            let percent = max(-40, min(40, slope * 100))
            let minutes = swissCoefficients.reversed().reduce(0) { $0 * percent + $1 } * length / 1000
            return minutes * 60 * max(1, abs(slope) / 0.4)
        }
    }

    /// Seconds by DIN 33466, the formula of German signposts: 4 km/h on the flat, 300 m/h uphill, 500 m/h downhill; the longer of
    /// both times and half of the shorter.
    ///
    /// Source: DIN 33466, "Wegweiser für Wanderwege", 1986.
    static func din33466(length: Double, gain: Double, loss: Double) -> Double {
        let flat = length / 4000 * 3600
        let heights = (gain / 300 + loss / 500) * 3600
        return max(flat, heights) + min(flat, heights) / 2
    }

    private static let swissCoefficients: [Double] = [
        14.271, 0.36992, 0.025922, -0.0014384, 0.000032105, 8.1542e-6, -9.0261e-8, -2.0757e-8, 1.0192e-10,
        2.8588e-11, -5.7466e-14, -2.1842e-14, 1.5176e-17, 8.6894e-18, -1.3584e-21, -1.4026e-21,
    ]

    /// Pieces shorter than this, in metres, are joined before their slope is computed: samples are farther
    /// apart.
    private static let shortest = 50.0

    /// The sum over the pieces of a profile of the seconds for a length and a slope.
    static func sum(_ profile: ElevationProfile, _ seconds: (Double, Double) -> Double) -> Double {
        var total = 0.0
        var from = profile.points[0]
        for (index, point) in profile.points.enumerated().dropFirst() {
            let length = point.distance - from.distance
            guard length >= shortest || index == profile.points.count - 1, length > 0 else { continue }
            total += seconds(length, (point.elevation - from.elevation) / length)
            from = point
        }
        return total
    }
}

extension ElevationProfile {
    /// The same in the opposite direction.
    var reversed: ElevationProfile {
        let end = points[points.count - 1].distance
        let back = points.reversed().map {
            ElevationPoint(distance: end - $0.distance, elevation: $0.elevation)
        }
        return ElevationProfile(points: back) ?? self
    }
}
