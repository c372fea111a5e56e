import CZlib
import Core

/// What stands before the end or the damage of a file that is compressed by gzip (RFC 1952).
///
/// libarchive keeps nothing of a piece in which a fault is, and small files are one piece.
enum CutGzip {
    private static let magic: [UInt8] = [0x1F, 0x8B]
    /// The largest window, with the header of gzip.
    private static let windowBits: Int32 = 31
    private static let chunk = 1 << 16

    /// The bytes before the fault, no more than `limit`; `nil` if there are none, or the file is no gzip.
    static func bytes(of source: SourceBytes, limit: Int) -> [UInt8]? {
        guard NativeLibrary.zlib.isAvailable, var input = try? source.all(), input.starts(with: magic) else {
            return nil
        }
        var stream = z_stream()
        guard
            inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { inflateEnd(&stream) }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: chunk)
        input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(truncatingIfNeeded: input.count)
            var status = Z_OK
            var filled = 0
            repeat {
                buffer.withUnsafeMutableBufferPointer { buffer in
                    stream.next_out = buffer.baseAddress
                    stream.avail_out = UInt32(chunk)
                    status = inflate(&stream, Z_NO_FLUSH)
                }
                filled = chunk - Int(stream.avail_out)
                output += buffer[..<filled]
            } while status == Z_OK && output.count < limit && (stream.avail_in > 0 || filled == chunk)
        }
        return output.isEmpty ? nil : Array(output.prefix(limit))
    }
}
