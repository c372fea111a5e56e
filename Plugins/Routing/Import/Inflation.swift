import CZlib

/// Decompression of zlib streams.
enum Inflation {
    /// The bytes of a stream that unpacks to at most `limit`; `nil` if it is damaged, truncated or longer.
    static func bytes(_ packed: some Collection<UInt8>, limit: Int) -> [UInt8]? {
        var source = Array(packed)
        var stream = z_stream()
        // 15 bits of window and a zlib header: its checksum at the end detects changed bytes.
        guard zlib_is_there() != 0,
            inflateInit2_(&stream, 15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { inflateEnd(&stream) }
        var target = [UInt8](repeating: 0, count: max(1, limit))
        let count = source.count
        let status = source.withUnsafeMutableBufferPointer { from in
            target.withUnsafeMutableBufferPointer { to in
                stream.next_in = from.baseAddress
                stream.avail_in = UInt32(count)
                stream.next_out = to.baseAddress
                stream.avail_out = UInt32(to.count)
                return inflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { return nil }
        target.removeLast(target.count - Int(stream.total_out))
        return target
    }

    /// Whether a stream is intact and unpacks to the stated size; always true without the library.
    static func isWhole(_ packed: some Collection<UInt8>, rawSize: Int) -> Bool {
        guard zlib_is_there() != 0 else { return true }
        return bytes(packed, limit: rawSize)?.count == rawSize
    }
}
