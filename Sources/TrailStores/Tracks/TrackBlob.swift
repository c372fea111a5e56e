import CZlib
import Core
import Foundation

/// The bytes of a track, inflated as far as possible, with their compression format.
public struct TrackBlob: Sendable {
    /// The compression format of the records.
    public enum Framing: String, Sendable, CaseIterable {
        /// A raw DEFLATE stream, as the format defines.
        case raw
        /// DEFLATE with the header and checksum of zlib, as Java's `Deflater` writes it.
        case zlib
        /// DEFLATE with a gzip header.
        case gzip
        /// Uncompressed records.
        case records
    }

    /// The compression format.
    public let framing: Framing
    /// The inflated bytes.
    public let bytes: [UInt8]
    /// Whether the stream ends early, so that points are missing.
    public let isCut: Bool
    /// Number of bytes behind the end of the stream, which belong to no track.
    public let trailing: Int

    /// The number of complete points.
    public var points: Int { bytes.count / TrackCodec.recordSize }

    /// Inflates a blob; `nil` if it is neither a stream nor plausible records. Throws `E-STORE-TRACK` beyond
    /// `limit` bytes.
    public init?(_ blob: Data, source: String, limit: Int = StoreSettings.largestTrack) throws(RutterError) {
        let isZlib = blob.count >= 2 && blob[blob.startIndex] & 0x0F == 8 && Self.headerSum(blob) % 31 == 0
        let isGzip = blob.starts(with: [0x1F, 0x8B])
        let framings: [Framing] = isGzip ? [.gzip, .raw] : isZlib ? [.zlib, .raw] : [.raw]
        var cut: (Framing, [UInt8])?
        var followed: (Framing, [UInt8], Int)?
        for framing in framings {
            switch try RawDeflate.inflate(blob, framing: framing, limit: limit, source: source) {
            case .inflated(let bytes):
                self.init(framing: framing, bytes: bytes, isCut: false)
                return
            case .followed(let bytes, let trailing):
                // By chance other bytes begin like a stream, but not like one of whole points.
                if !bytes.isEmpty, bytes.count % TrackCodec.recordSize == 0, Self.isPlausible(bytes) {
                    followed = followed ?? (framing, bytes, trailing)
                }
            case .cut(let bytes):
                if bytes.count >= TrackCodec.recordSize, Self.isPlausible(bytes) {
                    cut = cut ?? (framing, bytes)
                }
            case .notDeflated: break
            }
        }
        // Plausible records are an uncompressed track, whatever their first bytes mean to zlib.
        let plain = Array(blob)
        if plain.count % TrackCodec.recordSize == 0, Self.isPlausible(plain) {
            self.init(framing: .records, bytes: plain, isCut: false)
        } else if let followed {
            self.init(framing: followed.0, bytes: followed.1, isCut: false, trailing: followed.2)
        } else if let cut {
            self.init(framing: cut.0, bytes: cut.1, isCut: true)
        } else {
            return nil
        }
    }

    private init(framing: Framing, bytes: [UInt8], isCut: Bool, trailing: Int = 0) {
        self.trailing = trailing
        self.framing = framing
        self.bytes = bytes
        self.isCut = isCut
    }

    private static func headerSum(_ blob: Data) -> Int {
        Int(blob[blob.startIndex]) << 8 | Int(blob[blob.startIndex + 1])
    }

    /// Whether most complete records are plausible points: on the Earth, and with a numeric time. A single
    /// bad point does not rule out a track.
    private static func isPlausible(_ bytes: [UInt8]) -> Bool {
        let points = TrackCodec.points(bytes)
        let good = points.count { point in
            guard point.coordinate.isValid, let time = point.time else { return false }
            return abs(time.seconds) < 1e11
        }
        return points.isEmpty ? bytes.isEmpty : good * 2 > points.count
    }
}
