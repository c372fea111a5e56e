import Foundation
import Photos
import Testing

@testable import Pictures

/// Sixels by DEC STD 070; the sequences are worked out by hand.
@Suite struct SixelTests {
    private static func bitmap(_ width: Int, _ height: Int, _ color: (Int, Int) -> [UInt8]) throws -> Bitmap {
        var pixels: [UInt8] = []
        for y in 0..<height { for x in 0..<width { pixels += color(x, y) } }
        return try #require(Bitmap(width: width, height: height, pixels: pixels))
    }

    @Test func aBandOfOneColour() throws {
        let red = try Self.bitmap(5, 6) { _, _ in [255, 0, 0] }
        // 180 = 5 × 36, all six rows are 63 + 63 = `~`, five times.
        #expect(SixelEncoder.sequence(of: red) == "\u{1B}P0;1q\"1;1;5;6#180;2;100;0;0#180!5~$-\u{1B}\\")
    }

    @Test func twoColoursAndABandThatIsCut() throws {
        let half = try Self.bitmap(2, 7) { x, _ in x == 0 ? [0, 0, 0] : [255, 255, 255] }
        // The seventh row alone is the lowest bit: `@`; `?` is an empty column.
        #expect(
            SixelEncoder.sequence(of: half)
                == "\u{1B}P0;1q\"1;1;2;7#0;2;0;0;0#215;2;100;100;100#0~$#215?~$-#0@$#215?@$-\u{1B}\\")
    }
}
