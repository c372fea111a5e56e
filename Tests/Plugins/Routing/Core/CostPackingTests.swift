import Testing

@testable import RoutingPlugin

/// Costs and depths in one number.
@Suite struct CostPackingTests {
    @Test(arguments: [(1.0, 1), (86_400, 300), (5e9, 4000), (1e300, 2), (1e-9, 70_000)])
    func keepsCostAndDepth(greatest: Double, depths: Int) {
        let words = CostPacking(greatest: greatest, depths: depths)
        for share in [0, 0.1, 1.0 / 3, 1] {
            let word = words.word(greatest * share, depth: depths - 1)
            #expect(word & words.depthMask == Int64(depths - 1))
            let back = words.cost(units: word >> words.depthBits)
            #expect(abs(back - greatest * share) <= max(greatest, 1) * 1e-9)
        }
    }

    @Test func isOrderedByCost() {
        let words = CostPacking(greatest: 1000, depths: 500)
        #expect(words.word(10, depth: 499) < words.word(10.000_001, depth: 0))
    }

    /// Extreme costs exceed the integers; other algorithms plan by them.
    @Test func extremeCostsAreNotExact() {
        #expect(CostPacking(greatest: 1e9, depths: 500).isExact)
        #expect(!CostPacking(greatest: 1e13, depths: 500).isExact)
        #expect(!CostPacking(greatest: .infinity, depths: 500).isExact)
        #expect(CostPacking(greatest: .infinity, depths: 500).units(1e300) >= 0)
    }

    @Test func bothSidesTogetherStayBelowInfinity() {
        let words = CostPacking(greatest: 1000, depths: 500)
        #expect(2 * words.units(1000) < words.infinite)
        #expect(words.units(.infinity) == words.infinite)
        #expect(words.units(-1e300) == 0)
    }
}
