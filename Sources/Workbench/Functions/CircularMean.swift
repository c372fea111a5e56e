import Foundation

/// The mean of directions: that of their unit vectors (Mardia and Jupp, Directional Statistics, 2000), as in SciPy's `circmean` and R's
/// `circular`.
///
/// Directions within a half circle are averaged as numbers, so that angles that are not bearings, such as latitudes, have their usual
/// mean.
enum CircularMean {
    /// The mean in degrees; `nil` where the vectors cancel each other, as those of two opposite directions do.
    static func of(_ degrees: [Double]) -> Double? {
        guard !degrees.isEmpty else { return nil }
        let count = Double(degrees.count)
        if let low = degrees.min(), let high = degrees.max(), high - low < 180 {
            return degrees.reduce(0, +) / count
        }
        // Those around a common direction have their numeric mean, too: 350° and 20° are 370 − 5.
        let around = degrees.map(turned).sorted()
        let east = around.reduce(0) { $0 + sin($1 * .pi / 180) }
        let north = around.reduce(0) { $0 + cos($1 * .pi / 180) }
        guard hypot(east, north) > tolerance * count else { return nil }
        // Sines of half a turn are not quite zero.
        let vector = turned((atan2(east, north) * 180 / .pi / tolerance).rounded() * tolerance)
        let near = around.map { $0 - vector > 180 ? $0 - 360 : ($0 - vector < -180 ? $0 + 360 : $0) }
        if let low = near.min(), let high = near.max(), high - low < 180 {
            return turned(near.reduce(0, +) / count)
        }
        return vector
    }

    /// Directions as numbers that follow each other, with those behind north counted on: 350 and 370 for 350° and 10°. `nil` for
    /// directions that no half circle holds.
    static func line(of degrees: [Double]) -> [Double]? {
        if let low = degrees.min(), let high = degrees.max(), high - low < 180 { return degrees }
        let around = degrees.map(turned)
        let order = around.sorted()
        // The widest gap is where the line begins.
        let gaps = zip(order, order.dropFirst() + [(order.first ?? 0) + 360]).map { $1 - $0 }
        guard let widest = gaps.indices.max(by: { gaps[$0] < gaps[$1] }), gaps[widest] > 180 else {
            return nil
        }
        let start = order[(widest + 1) % order.count]
        return around.map { $0 < start ? $0 + 360 : $0 }
    }

    /// Length of the sum of unit vectors, for each, below which it is taken for the rounding error of zero; of a mean, in degrees.
    private static let tolerance = 1e-9

    private static func turned(_ degrees: Double) -> Double {
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        return rest < 0 ? rest + 360 : rest
    }
}
