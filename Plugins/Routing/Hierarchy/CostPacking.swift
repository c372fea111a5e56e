import Foundation

/// Packs a cost and a depth into one integer for the searches of a hierarchy.
///
/// The cost is in integer units in the high bits, the depth in the low bits. So the lower of two costs and
/// its origin are selected by one branch-free minimum: the comparison is unpredictable for the processor.
/// The units are as small as the greatest cost allows; even on a graph of a million nodes they are below a
/// millionth of a metre of easy way.
struct CostPacking: Sendable {
    /// Greater than any cost.
    static let infinity = Int64.max >> 2
    /// The number of low bits, and their mask.
    let depthBits: Int64
    let depthMask: Int64
    /// Units per unit of the costs.
    let scale: Double

    /// Whether the units are small enough for costs of equivalent metres. Profiles with extreme factors exceed
    /// the range of the integers; other algorithms plan by them.
    var isExact: Bool { scale >= Self.leastScale }
    private static let leastScale = 65_536.0

    /// `greatest` is the greatest cost of a search from one end, `depths` the number of depths.
    init(greatest: Double, depths: Int) {
        let bits = Self.bits(depths)
        let room = Double(Self.infinity >> (bits + 1))
        // Sums of extreme costs overflow.
        let greatest = min(greatest, .greatestFiniteMagnitude)
        // A power of two, so that short costs keep all their digits.
        self.init(
            scale: Double(sign: .plus, exponent: (room / max(greatest, 1)).exponent - 1, significand: 1),
            depths: depths)
    }

    /// The encoding of stored costs.
    init(scale: Double, depths: Int) {
        depthBits = Self.bits(depths)
        depthMask = 1 << depthBits - 1
        self.scale = scale
    }

    private static func bits(_ depths: Int) -> Int64 {
        Int64(max(1, Int.bitWidth - max(1, depths - 1).leadingZeroBitCount))
    }

    /// A finite cost, packed with a depth.
    func word(_ cost: Double, depth: Int) -> Int64 { units(cost) << depthBits | Int64(depth) }

    /// A cost in units, clamped to infinity.
    func units(_ cost: Double) -> Int64 {
        let units = max(0, cost * scale)
        return units < Double(infinite) ? Int64(units.rounded()) : infinite
    }

    /// Infinity in units.
    var infinite: Int64 { Self.infinity >> depthBits }

    /// The cost of a number of units.
    func cost(units: Int64) -> Double { Double(units) / scale }
}
