/// The order of positions along a Hilbert curve, in which neighbours on the curve are near each other on the map.
public enum Hilbert {
    @usableFromInline static let bits = 16

    /// The cell of a value in a range, 0…65535.
    @inlinable
    public static func cell(_ value: Double, from low: Double, to high: Double) -> UInt32 {
        guard high > low, value.isFinite else { return 0 }
        let last = Double((1 << bits) - 1)
        return UInt32(max(0, min(last, (value - low) / (high - low) * last)))
    }

    /// The position of a cell on the curve.
    @inlinable
    public static func key(x: UInt32, y: UInt32) -> UInt64 {
        var (x, y) = (x, y)
        var key: UInt64 = 0
        var side: UInt32 = 1 << UInt32(bits - 1)
        while side > 0 {
            let right: UInt32 = x & side != 0 ? 1 : 0
            let upper: UInt32 = y & side != 0 ? 1 : 0
            key += UInt64(side) * UInt64(side) * UInt64((3 * right) ^ upper)
            if upper == 0 {
                if right == 1 {
                    let last = UInt32(1 << bits) - 1
                    (x, y) = (last &- x, last &- y)
                }
                swap(&x, &y)
            }
            side >>= 1
        }
        return key
    }
}
