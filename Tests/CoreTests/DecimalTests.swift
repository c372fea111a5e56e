import Core
import Foundation
import Testing

/// Numbers with a few decimals are those of the C library, also where the last digit is nearly undecided.
struct DecimalTests {
    @Test(arguments: 0...9) func theDigitsAreThoseOfTheFormat(_ decimals: Int) {
        var state: UInt64 = 7
        func next() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(Int64(bitPattern: state) >> 11) / Double(1 << 44)
        }
        let ties = (0..<50).map { (Double($0) + 0.5) / pow(10, Double(decimals)) }
        let values =
            ties + ties.map { -$0 } + ties.map(\.nextUp) + ties.map(\.nextDown)
            + (0..<2000).map { _ in next() }
            + [0, -0.0, -0.00000001, 1e12, -1e15, 1e300, 0.1, 47.165342, 999_999.999_999_99]
        for value in values {
            var wanted = String(format: "%.\(decimals)f", value)
            if wanted.contains(".") {
                while wanted.hasSuffix("0") { wanted.removeLast() }
                if wanted.hasSuffix(".") { wanted.removeLast() }
            }
            if wanted == "-0" { wanted = "0" }
            #expect(DecimalText.trimmed(value, decimals: decimals) == wanted)
            var bytes = Array("x".utf8)
            DecimalText.append(value, decimals: decimals, to: &bytes)
            #expect(String(decoding: bytes, as: UTF8.self) == "x" + wanted)
            var fixed = String(format: "%.\(decimals)f", value)
            if fixed.hasPrefix("-"), Double(fixed) == 0 { fixed.removeFirst() }
            #expect(DecimalText.fixed(value, decimals: decimals) == fixed)
        }
    }

    @Test(arguments: [
        (0.125, 2, "0.12", "0.13"), (0.375, 2, "0.38", "0.38"), (-2.5, 0, "-2", "-3"),
        (1.005, 2, "1.00", "1.00"),
        (8.9, 2, "8.90", "8.90"), (-0.04, 1, "0.0", "0.0"),
    ])
    func halvesAreRoundedToTheEvenDigitOrAway(value: Double, decimals: Int, even: String, away: String) {
        #expect(DecimalText.fixed(value, decimals: decimals) == even)
        #expect(DecimalText.fixed(value, decimals: decimals, halves: .away) == away)
    }

    @Test func whatIsNoNumberSaysSo() {
        #expect(DecimalText.trimmed(.nan, decimals: 2) == "nan")
        #expect(DecimalText.fixed(-.infinity, decimals: 2) == "-inf")
        #expect(DecimalText.fixed(1e18, decimals: 2) == "1000000000000000000.00")
        #expect(DecimalText.fixed(0.1, decimals: 12) == "0.100000000000")
    }
}
