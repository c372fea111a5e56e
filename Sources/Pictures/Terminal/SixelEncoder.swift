import Foundation
import Photos

/// A bitmap as sixels (DEC STD 070): bands of six rows, a pass for each colour. Colours are those of a cube of 6 × 6 × 6.
public enum SixelEncoder {
    private static let levels = 6
    private static let band = 6
    /// From this length on, a repetition is shorter than the characters.
    private static let shortestRun = 4

    /// The sequence of a PNG.
    public static func sequence(of png: Data) throws -> String {
        sequence(of: try PNGFile.decode([UInt8](png)))
    }

    /// The sequence, from the introducer to the terminator.
    public static func sequence(of bitmap: Bitmap) -> String {
        var out = Array("\u{1B}P0;1q\"1;1;\(bitmap.width);\(bitmap.height)".utf8)
        let indices = indices(of: bitmap)
        for color in Set(indices).sorted() { out += Array(definition(color).utf8) }
        for top in stride(from: 0, to: bitmap.height, by: band) {
            let rows = min(band, bitmap.height - top)
            var masks: [UInt8: [UInt8]] = [:]
            for row in 0..<rows {
                let start = (top + row) * bitmap.width
                for x in 0..<bitmap.width {
                    masks[indices[start + x], default: Array(repeating: 0, count: bitmap.width)][x] |=
                        1 << UInt8(row)
                }
            }
            for color in masks.keys.sorted() {
                out += Array("#\(color)".utf8)
                append(masks[color] ?? [], to: &out)
                out.append(UInt8(ascii: "$"))
            }
            out.append(UInt8(ascii: "-"))
        }
        return String(decoding: out, as: UTF8.self) + "\u{1B}\\"
    }

    /// The colour of each pixel as an index of the cube.
    private static func indices(of bitmap: Bitmap) -> [UInt8] {
        func level(_ value: UInt8) -> Int { (Int(value) * (levels - 1) + 127) / 255 }
        return (0..<bitmap.width * bitmap.height).map { pixel in
            let at = pixel * 3
            let (red, green, blue) = (bitmap.pixels[at], bitmap.pixels[at + 1], bitmap.pixels[at + 2])
            return UInt8((level(red) * levels + level(green)) * levels + level(blue))
        }
    }

    /// The definition of a colour, in percent.
    private static func definition(_ index: UInt8) -> String {
        func percent(_ level: Int) -> Int { level * 100 / (levels - 1) }
        let index = Int(index)
        return
            "#\(index);2;\(percent(index / (levels * levels)));\(percent(index / levels % levels));\(percent(index % levels))"
    }

    private static func append(_ masks: [UInt8], to out: inout [UInt8]) {
        var x = 0
        // Empty columns at the end are left out.
        let end = (masks.lastIndex { $0 != 0 } ?? -1) + 1
        while x < end {
            var next = x + 1
            while next < end, masks[next] == masks[x] { next += 1 }
            let sixel = masks[x] + 63
            if next - x >= shortestRun {
                out += Array("!\(next - x)".utf8) + [sixel]
            } else {
                out += Array(repeating: sixel, count: next - x)
            }
            x = next
        }
    }
}
