import Testing

@testable import Core

@Suite("Radix sort")
struct RadixSortTests {
    private struct Stop: Error {}

    /// Numbers of many magnitudes with repetitions; a fixed linear congruential sequence.
    private static func numbers(_ count: Int) -> [UInt64] {
        var state: UInt64 = 7
        return (0..<count).map { index in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> UInt64(index % 61) & 0xFFFF_FFFF_FFFF_00FF
        }
    }

    @Test("numbers are sorted, whatever their count", arguments: [0, 1, 2, 95, 96, 97, 5000])
    func numbers(count: Int) {
        var values = Self.numbers(count)
        RadixSort.sort(&values) {}
        #expect(values == Self.numbers(count).sorted())
    }

    @Test("equal keys keep their order", arguments: [20, 3000])
    func stable(count: Int) {
        var values = Self.numbers(count).enumerated().map { (key: $1 % 7, index: UInt32($0)) }
        RadixSort.sort(&values)
        for (one, next) in zip(values, values.dropFirst()) {
            #expect((one.key, one.index) < (next.key, next.index))
        }
    }

    @Test("a sort can be cancelled")
    func cancelled() {
        var values = Self.numbers(5000)
        #expect(throws: Stop.self) { try RadixSort.sort(&values) { throw Stop() } }
    }
}
