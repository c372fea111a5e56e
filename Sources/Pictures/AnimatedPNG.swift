import Core
import Foundation

/// An animated PNG: frames of one size, one after another, over and over. Readers that do not animate show the first.
///
/// Format: PNG (Third Edition), section 11.3.7: `acTL`, then a `fcTL` before the data of each frame.
public enum AnimatedPNG {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Joins PNG files of one size and kind. Each is shown so many hundredths of a second.
    public static func join(_ frames: [(png: Data, hundredths: Int)]) throws -> Data {
        let read = try frames.map { (chunks: try chunks(of: $0.png), hundredths: $0.hundredths) }
        guard let first = read.first, let header = first.chunks.first(where: { $0.name == "IHDR" }) else {
            throw PictureError.drawing("there is no frame")
        }
        var writer = ChunkWriter()
        writer.data += signature
        writer.write("IHDR", header.bytes)
        writer.write("acTL", big(UInt32(read.count)) + big(0))
        for chunk in first.chunks where chunk.name == "PLTE" || chunk.name == "tRNS" {
            writer.write(chunk.name, chunk.bytes)
        }
        var sequence: UInt32 = 0
        for (index, frame) in read.enumerated() {
            guard let own = frame.chunks.first(where: { $0.name == "IHDR" }), own.bytes == header.bytes else {
                throw PictureError.drawing("frame \(index + 1) has another size or kind than the first")
            }
            let delay = UInt16(clamping: frame.hundredths)
            var control = big(sequence) + Array(header.bytes.prefix(8)) + big(0) + big(0)
            control += [UInt8(delay >> 8), UInt8(delay & 0xFF), 0, 100, 0, 0]
            writer.write("fcTL", control)
            sequence += 1
            for chunk in frame.chunks where chunk.name == "IDAT" {
                guard index > 0 else {
                    writer.write("IDAT", chunk.bytes)
                    continue
                }
                writer.write("fdAT", big(sequence) + chunk.bytes)
                sequence += 1
            }
        }
        writer.write("IEND", [])
        return writer.data
    }

    private struct Chunk {
        let name: String
        let bytes: [UInt8]
    }

    private static func chunks(of png: Data) throws -> [Chunk] {
        let bytes = Array(png)
        guard bytes.starts(with: signature) else { throw PictureError.drawing("a frame is not a PNG") }
        var (chunks, at) = ([Chunk](), signature.count)
        while at + 12 <= bytes.count {
            let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            guard at + 12 + length <= bytes.count else { break }
            let name = String(decoding: bytes[at + 4..<at + 8], as: UTF8.self)
            chunks.append(Chunk(name: name, bytes: Array(bytes[at + 8..<at + 8 + length])))
            at += 12 + length
        }
        return chunks
    }

    private static func big(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) }
    }

    private struct ChunkWriter {
        var data = Data()

        mutating func write(_ name: String, _ bytes: [UInt8]) {
            let body = Array(name.utf8) + bytes
            data += big(UInt32(bytes.count)) + body + big(CRC32.of(body))
        }
    }
}

/// The checksum of PNG (ISO 3309, polynomial 0xEDB88320).
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    static func of(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { value, byte in table[Int((value ^ UInt32(byte)) & 0xFF)] ^ value >> 8 }
    }
}
