/// The mean of directions.
///
/// The intrinsic mean: the direction with the least sum of squared arcs to all others (Hotz and Huckemann, Ann.
/// Inst. Stat. Math. 67, 2015). For directions within a half circle it equals the arithmetic mean, so that angles
/// that are not bearings, such as latitudes, are averaged normally.
enum CircularMean {
    /// The mean in degrees; `nil` where it is not unique, as for two opposite directions.
    static func of(_ degrees: [Double]) -> Double? {
        guard !degrees.isEmpty else { return nil }
        let count = Double(degrees.count)
        let plain = degrees.reduce(0, +) / count
        if let low = degrees.min(), let high = degrees.max(), high - low < 180 { return plain }
        let around = degrees.map(turned).sorted()
        // Each candidate cuts the circle between two neighbours and adds a turn to those before the cut.
        let sum = around.reduce(0, +)
        let squares = around.reduce(0) { $0 + $1 * $1 }
        var best = (mean: 0.0, spread: Double.infinity)
        var second = Double.infinity
        var (movedSum, movedSquares) = (sum, squares)
        for angle in around {
            let mean = movedSum / count
            let spread = movedSquares - movedSum * mean
            if spread < best.spread - tolerance * count {
                second = best.spread
                best = (mean, spread)
            } else {
                second = min(second, spread)
            }
            movedSum += 360
            movedSquares += (angle + 360) * (angle + 360) - angle * angle
        }
        guard second > best.spread + tolerance * count else { return nil }
        return turned(best.mean)
    }

    /// Rounding tolerance of sums of squares, in square degrees.
    private static let tolerance = 1e-6

    private static func turned(_ degrees: Double) -> Double {
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        return rest < 0 ? rest + 360 : rest
    }
}
