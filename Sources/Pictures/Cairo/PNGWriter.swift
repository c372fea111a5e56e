import CZlib
import Core
import Foundation
import Photos

/// Writes opaque pictures as PNG (Third Edition): three bytes a pixel, unfiltered.
///
/// Maps are lines and flat colours: with filters, which libpng tries on every row, and at zlib's usual level they take
/// three times as long and are no smaller.
enum PNGWriter {
    private static let level: Int32 = 3
    private static let windowBits: Int32 = 15

    /// The file of an opaque picture; `nil` for others.
    static func file(_ surface: CairoSurface) -> Data? {
        let (width, height, stride) = (surface.width, surface.height, surface.stride)
        guard zlib_is_there() != 0, let pixels = surface.pixels, isOpaque(pixels, width, height, stride)
        else { return nil }
        let row = 1 + width * 3
        var raw = [UInt8](unsafeUninitializedCapacity: row * height) { target, count in
            guard var place = target.baseAddress else { return }
            for y in 0..<height {
                let source = UnsafeRawPointer(pixels + y * stride).assumingMemoryBound(to: UInt32.self)
                place[0] = 0
                place += 1
                for x in 0..<width {
                    let pixel = source[x]
                    place[0] = UInt8(truncatingIfNeeded: pixel >> 16)
                    place[1] = UInt8(truncatingIfNeeded: pixel >> 8)
                    place[2] = UInt8(truncatingIfNeeded: pixel)
                    place += 3
                }
            }
            count = row * height
        }
        guard let packed = deflated(&raw) else { return nil }
        var chunks = PNGChunks()
        chunks.write(
            "IHDR", PNGChunks.big(UInt32(width)) + PNGChunks.big(UInt32(height)) + [8, 2, 0, 0, 0])
        chunks.write("IDAT", packed)
        chunks.write("IEND", [])
        return chunks.data
    }

    private static func isOpaque(
        _ pixels: UnsafeMutablePointer<UInt8>, _ width: Int, _ height: Int, _ stride: Int
    ) -> Bool {
        for y in 0..<height {
            let row = UnsafeRawPointer(pixels + y * stride).assumingMemoryBound(to: UInt32.self)
            var all = UInt32.max
            for x in 0..<width { all &= row[x] }
            guard all >> 24 == 0xFF else { return false }
        }
        return true
    }

    private static func deflated(_ raw: inout [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard
            deflateInit2_(
                &stream, level, Z_DEFLATED, windowBits, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
                == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        let most = Int(deflateBound(&stream, UInt(raw.count)))
        var isWhole = false
        let packed = raw.withUnsafeMutableBufferPointer { raw in
            [UInt8](unsafeUninitializedCapacity: most) { target, count in
                stream.next_in = raw.baseAddress
                stream.avail_in = UInt32(raw.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(most)
                isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
                count = most - Int(stream.avail_out)
            }
        }
        return isWhole ? packed : nil
    }
}

/// The chunks of a PNG file.
struct PNGChunks {
    /// The file so far.
    private(set) var data = Data(PNGFile.signature)

    /// Adds a chunk.
    mutating func write(_ name: String, _ bytes: [UInt8]) { data += Self.chunk(name, bytes) }

    /// The bytes of a chunk: its length, name, content and checksum.
    static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + bytes
        return big(UInt32(bytes.count)) + body + big(CRC32.of(body))
    }

    /// Four bytes, the highest first.
    static func big(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) }
    }
}
