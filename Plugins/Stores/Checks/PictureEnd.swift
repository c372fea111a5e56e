import Core
import Foundation
import TrailStores

/// Whether a picture of a tile is complete, from its structure alone: decoding every tile of a map would take too long.
enum PictureEnd {
    /// What is wrong with a picture; `nil` if it is complete.
    static func fault(_ data: Data, format: String) -> String? {
        let bytes = [UInt8](data)
        return switch format {
        case "png": png(bytes)
        case "jpg": jpeg(bytes)
        case "webp": webp(bytes)
        default: bytes.starts(with: [0x1F, 0x8B]) ? gzip(data) : nil
        }
    }

    /// Chunks with their checksums up to IEND (W3C PNG, 5.3).
    private static func png(_ bytes: [UInt8]) -> String? {
        var offset = 8
        var isFirst = true
        while offset + 12 <= bytes.count {
            let length = bytes.number(at: offset, bytes: 4)
            guard length <= bytes.count - offset - 12 else {
                return "the PNG ends early: \(bytes.count) bytes, a chunk ends at \(offset + 12 + length)"
            }
            let body = bytes[offset + 4..<offset + 8 + length]
            let type = String(decoding: body.prefix(4), as: UTF8.self)
            if isFirst, type != "IHDR" { return "the PNG does not begin with its header" }
            isFirst = false
            if CRC32.of(Array(body)) != UInt32(bytes.number(at: offset + 8 + length, bytes: 4)) {
                return "the PNG is damaged: the checksum of its chunk at byte \(offset + 1) is wrong"
            }
            if type == "IEND" { return nil }
            offset += 12 + length
        }
        return "the PNG ends early, after \(bytes.count) bytes"
    }

    /// Segments up to the scans, and the mark of the end behind them (ITU T.81, B.1).
    private static func jpeg(_ bytes: [UInt8]) -> String? {
        var offset = 2
        while offset + 4 <= bytes.count {
            guard bytes[offset] == 0xFF else { return "the JPEG is damaged at byte \(offset + 1)" }
            let marker = bytes[offset + 1]
            if marker == 0xFF {
                offset += 1
                continue
            }
            if marker == 0xDA { break }
            let length = bytes.number(at: offset + 2, bytes: 2)
            guard length >= 2 else { return "the JPEG is damaged at byte \(offset + 1)" }
            offset += 2 + length
        }
        // Some writers pad the end with zeros.
        let end = bytes.lastIndex { $0 != 0 } ?? 0
        let isEnded =
            offset + 4 <= bytes.count && end > offset && bytes[end] == 0xD9 && bytes[end - 1] == 0xFF
        return isEnded ? nil : "the JPEG ends early, after \(bytes.count) bytes"
    }

    /// The size of the RIFF container.
    private static func webp(_ bytes: [UInt8]) -> String? {
        let size = bytes.littleNumber(at: 4, bytes: 4) + 8
        return size <= bytes.count ? nil : "the WebP ends early: \(bytes.count) of \(size) bytes"
    }

    /// Only vector tiles are compressed once more.
    private static func packed(_ bytes: [UInt8]) -> String? {
        switch TileChecks.format(Data(bytes.prefix(TileChecks.signature))) {
        case "png", "jpg", "webp": "a picture in a gzip stream, which readers do not unpack"
        default: nil
        }
    }

    /// Maximum bytes of an inflated vector tile.
    private static let largest = 64 << 20

    private static func gzip(_ data: Data) -> String? {
        // Throws beyond the limit.
        switch try? RawDeflate.inflate(data, framing: .gzip, limit: largest, source: "tile") {
        case .inflated(let bytes), .followed(let bytes, _): packed(bytes)
        case .cut: "the gzip stream ends early, after \(data.count) bytes"
        case .notDeflated: "the gzip stream is damaged"
        case nil: "the gzip stream inflates to more than \(largest >> 20) MB"
        }
    }
}
