import PluginKit
import Testing

@testable import Formats

/// Decimal numbers of bytes: the same as those of the standard library, to the last bit.
struct DecimalBytesTests {
    private func number(_ text: String) -> Double? {
        Array(text.utf8).withUnsafeBufferPointer(DecimalBytes.number)
    }

    @Test(arguments: [
        "0", "-0", "7", "+7", "46.5012345", "-179.9999999", "0.1", "1200.2", "123456789012345",
        "9007199254740993", "1e5",
        "1.5E-3", "0.30000000000000004", "5.", ".5", "-.5", "00012.50", "123456789012345678901234567890",
        "",
        "-", "+", ".", "1.2.3", "1,2", " 1", "1 ", "--1", "1-",
    ])
    func asTheStandardLibrary(text: String) {
        let (mine, theirs) = (number(text), Double(text))
        #expect(mine?.bitPattern == theirs?.bitPattern, "\(text): \(String(describing: mine))")
    }

    /// What the standard library takes, and no format of tracks has.
    @Test(arguments: ["1e400", "0x10", "0x1p5", "inf", "nan", "infinity", "-nan"])
    func notDecimal(text: String) { #expect(number(text) == nil) }

    @Test func anyDigits() {
        var random = Xoshiro256(seed: 3)
        for _ in 0..<20_000 {
            let decimals = Int.random(in: 0...9, using: &random)
            var text = String(Int64.random(in: -99_999_999_999_999...99_999_999_999_999, using: &random))
            if decimals > 0, text.count > decimals + 1 {
                text.insert(".", at: text.index(text.endIndex, offsetBy: -decimals))
            }
            #expect(number(text)?.bitPattern == Double(text)?.bitPattern, "\(text)")
        }
    }
}
