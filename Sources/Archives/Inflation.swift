import CZlib
import Core

/// What zlib reads of a DEFLATE stream, bare or within the frame of zlib or gzip (RFC 1950 to 1952).
package struct Inflation: Sendable {
    package enum Format: Sendable {
        case raw, zlib, gzip

        /// As zlib asks: negative without a header and a checksum, 16 more for gzip; 15 bits are the largest window.
        fileprivate var windowBits: Int32 {
            switch self {
            case .raw: -15
            case .zlib: 15
            case .gzip: 31
            }
        }
    }

    package enum End: Sendable, Equatable {
        /// The stream is complete, and this many bytes follow it.
        case whole(followedBy: Int)
        /// The stream is valid as far as it goes, but its end is missing.
        case cut
        /// The stream is not valid behind its bytes.
        case fault
        /// There are more bytes than the limit.
        case overLimit
    }

    /// Bytes before the end, however it came.
    package let bytes: [UInt8]
    package let end: End

    /// Whether the stream is complete, whatever follows it. The checksum of zlib and gzip notices changed bytes.
    package var isWhole: Bool { if case .whole = end { true } else { false } }

    private static let chunk = 1 << 16

    /// Inflates one stream, up to a chunk more than `limit` bytes. `nil` if zlib does not start.
    package init?(_ source: [UInt8], _ format: Format, limit: Int) {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard NativeLibrary.zlib.isAvailable,
            inflateInit2_(&stream, format.windowBits, ZLIB_VERSION, size) == Z_OK
        else { return nil }
        defer { inflateEnd(&stream) }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: Self.chunk)
        var status = Z_OK
        // zlib only reads the input, which its older declarations call mutable; it takes at most 4 GB at a time.
        let rest = source.withUnsafeBufferPointer { source -> Int in
            stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
            var unread = source.count
            repeat {
                if stream.avail_in == 0 {
                    stream.avail_in = UInt32(clamping: unread)
                    unread -= Int(stream.avail_in)
                }
                buffer.withUnsafeMutableBufferPointer { buffer in
                    stream.next_out = buffer.baseAddress
                    stream.avail_out = UInt32(Self.chunk)
                    status = inflate(&stream, Z_NO_FLUSH)
                }
                output.append(contentsOf: buffer[..<(Self.chunk - Int(stream.avail_out))])
            } while status == Z_OK && output.count <= limit
                && (stream.avail_in > 0 || unread > 0 || stream.avail_out == 0)
            return Int(stream.avail_in) + unread
        }
        bytes = output
        if output.count > limit {
            end = .overLimit
        } else if status == Z_STREAM_END {
            end = .whole(followedBy: rest)
        } else {
            // Without an error, or without room and input, zlib waits for more of a valid stream.
            end = rest == 0 && (status == Z_OK || status == Z_BUF_ERROR) ? .cut : .fault
        }
    }
}
