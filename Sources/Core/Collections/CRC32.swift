/// The checksum of PNG (ISO 3309, polynomial 0xEDB88320), four bytes at a time.
package enum CRC32 {
    private static let tables: [UInt32] = {
        var tables: [UInt32] = []
        for index in 0..<UInt32(256) {
            var value = index
            for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
            tables.append(value)
        }
        for index in 256..<1024 {
            let before = tables[index - 256]
            tables.append(before >> 8 ^ tables[Int(before & 0xFF)])
        }
        return tables
    }()

    /// The checksum of bytes.
    package static func of(_ bytes: [UInt8]) -> UInt32 {
        var value = ~UInt32(0)
        tables.withUnsafeBufferPointer { table in
            bytes.withUnsafeBytes { bytes in
                var at = 0
                while at + 4 <= bytes.count {
                    value ^= UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
                    value =
                        table[768 + Int(value & 0xFF)] ^ table[512 + Int(value >> 8 & 0xFF)]
                        ^ table[256 + Int(value >> 16 & 0xFF)] ^ table[Int(value >> 24)]
                    at += 4
                }
                while at < bytes.count {
                    value = table[Int((value ^ UInt32(bytes[at])) & 0xFF)] ^ value >> 8
                    at += 1
                }
            }
        }
        return ~value
    }
}
