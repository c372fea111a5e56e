import Archives
import CDeflate
import CZlib
import Core
import Foundation

/// Raw DEFLATE streams through zlib.
package enum RawDeflate {
    package enum Result {
        case inflated([UInt8])
        /// A complete stream, and the number of bytes that follow its end.
        case followed([UInt8], by: Int)
        /// The stream is valid so far, but its end is missing.
        case cut([UInt8])
        /// The bytes are not a DEFLATE stream.
        case notDeflated
    }

    /// Negative: no zlib header and no checksum; 15 bits: the largest window.
    private static let windowBits: Int32 = -15

    private static func format(_ framing: TrackBlob.Framing) -> Inflation.Format {
        switch framing {
        case .raw, .records: .raw
        case .zlib: .zlib
        case .gzip: .gzip
        }
    }

    /// Inflates a whole stream; throws if the output exceeds `limit` bytes.
    package static func inflate(
        _ data: Data, framing: TrackBlob.Framing = .raw, limit: Int, source: String
    ) throws(RutterError) -> Result {
        if data.isEmpty { return .inflated([]) }
        try NativeLibrary.zlib.require()
        guard let inflation = Inflation(Array(data), format(framing), limit: limit) else {
            return .notDeflated
        }
        switch inflation.end {
        case .whole(followedBy: 0): return .inflated(inflation.bytes)
        case .whole(let rest): return .followed(inflation.bytes, by: rest)
        case .cut: return .cut(inflation.bytes)
        case .fault: return .notDeflated
        case .overLimit:
            throw StoreErrors.track(
                "\(source): \(data.count) bytes inflate to more than \(limit), the limit of a track")
        }
    }

    /// The compression effort. Measured on tracks with receiver noise.
    package enum Effort {
        /// For records with a pattern: a third of the time of zlib's default level, and up to 2 % more bytes.
        case records
        /// For records of points, whose last bits are noise: many at once by libdeflate, in two thirds of the time
        /// of zlib and to fewer bytes. Without it two thirds of the time of `records`, and 2 % more bytes over 120
        /// recordings.
        case points
        /// For columns of bytes, which repeat a byte or have no pattern: an eighth of the time, no more bytes.
        case runs
    }

    /// The level of zlib, of which 1 is the fastest; from 4 on, longer searches hardly improve records; lower
    /// levels have no lazy matching.
    private static func level(_ effort: Effort) -> Int32 {
        switch effort {
        case .records: 4
        case .points: 1
        case .runs: Z_DEFAULT_COMPRESSION
        }
    }

    /// Minimum bytes for which loading libdeflate saves time.
    private static let many = 1 << 20
    /// The level of libdeflate: level 1 takes 15 % less time but produces 11 % more bytes.
    private static let quickLevel: Int32 = 2

    /// Deflates bytes with libdeflate; `nil` if it is not installed.
    private static func deflateAtOnce(_ bytes: [UInt8]) -> Data? {
        guard cdeflate_is_there() != 0, let compressor = libdeflate_alloc_compressor(quickLevel) else {
            return nil
        }
        defer { libdeflate_free_compressor(compressor) }
        var output = Data(count: libdeflate_deflate_compress_bound(compressor, bytes.count))
        let room = output.count
        let count = output.withUnsafeMutableBytes { output in
            libdeflate_deflate_compress(compressor, bytes, bytes.count, output.baseAddress, room)
        }
        guard count > 0 else { return nil }
        output.count = count
        return output
    }

    /// Deflates bytes into a single stream.
    package static func deflate(_ bytes: [UInt8], _ effort: Effort = .records) -> Data {
        if effort == .points, bytes.count >= many, let whole = deflateAtOnce(bytes) { return whole }
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard
            deflateInit2_(
                &stream, level(effort), Z_DEFLATED, windowBits,
                MAX_MEM_LEVEL - 1, effort == .runs ? Z_RLE : Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
        else { return Data() }
        defer { deflateEnd(&stream) }
        var output = Data(count: Int(deflateBound(&stream, UInt(bytes.count))))
        let count = bytes.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBytes { output in
                // zlib only reads the input, which its older declarations call mutable.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.bindMemory(to: UInt8.self).baseAddress
                stream.avail_out = UInt32(output.count)
                _ = CZlib.deflate(&stream, Z_FINISH)
                return output.count - Int(stream.avail_out)
            }
        }
        output.count = count
        return output
    }
}
