import Core
import Foundation
import Photos

/// An animated PNG: frames of one size in an endless loop. Readers without animation show the first frame.
///
/// Format: PNG (Third Edition), section 11.3.7: `acTL`, then a `fcTL` before the data of each frame.
public enum AnimatedPNG {
    /// Joins PNG files of one size and kind. Each is shown for a number of hundredths of a second.
    public static func join(_ frames: [(png: Data, hundredths: Int)]) throws -> Data {
        let read = try frames.map { (chunks: try chunks(of: $0.png), hundredths: $0.hundredths) }
        guard let first = read.first, let header = first.chunks.first(where: { $0.name == "IHDR" }) else {
            throw PictureError.drawing("no frames")
        }
        var writer = PNGChunks()
        writer.write("IHDR", header.bytes)
        writer.write("acTL", PNGChunks.big(UInt32(read.count)) + PNGChunks.big(0))
        for chunk in first.chunks where chunk.name == "PLTE" || chunk.name == "tRNS" {
            writer.write(chunk.name, chunk.bytes)
        }
        var sequence: UInt32 = 0
        for (index, frame) in read.enumerated() {
            guard let own = frame.chunks.first(where: { $0.name == "IHDR" }), own.bytes == header.bytes else {
                throw PictureError.drawing("frame \(index + 1) has another size or kind than the first")
            }
            let delay = UInt16(clamping: frame.hundredths)
            var control =
                PNGChunks.big(sequence) + Array(header.bytes.prefix(8)) + PNGChunks.big(0) + PNGChunks.big(0)
            control += [UInt8(delay >> 8), UInt8(delay & 0xFF), 0, 100, 0, 0]
            writer.write("fcTL", control)
            sequence += 1
            for chunk in frame.chunks where chunk.name == "IDAT" {
                guard index > 0 else {
                    writer.write("IDAT", chunk.bytes)
                    continue
                }
                writer.write("fdAT", PNGChunks.big(sequence) + chunk.bytes)
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
        guard bytes.starts(with: PNGFile.signature) else {
            throw PictureError.drawing("a frame is not a PNG")
        }
        var (chunks, at) = ([Chunk](), PNGFile.signature.count)
        while at + 12 <= bytes.count {
            let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            guard at + 12 + length <= bytes.count else { break }
            let name = String(decoding: bytes[at + 4..<at + 8], as: UTF8.self)
            chunks.append(Chunk(name: name, bytes: Array(bytes[at + 8..<at + 8 + length])))
            at += 12 + length
        }
        return chunks
    }
}
