import Foundation

/// A ZIP archive without compression, built by the format's description (APPNOTE 6.3), so that tests can state what no
/// program writes.
public struct StoredZip {
    /// An entry.
    public struct Entry {
        var name: [UInt8]
        var content: [UInt8]
        var mode: UInt32
        var flags: UInt32

        /// A file, whose name is flagged as UTF-8; `mode` is that of Unix. Flags: bit 0 encrypted, bit 11 UTF-8.
        public init(
            _ name: String, _ content: some Sequence<UInt8>, mode: UInt32 = 0o100644, flags: UInt32 = 0x0800
        ) {
            self.init(name: Array(name.utf8), Array(content), mode: mode, flags: flags)
        }

        /// A file with a name in any encoding.
        public init(name: [UInt8], _ content: [UInt8], mode: UInt32 = 0o100644, flags: UInt32 = 0) {
            (self.name, self.content, self.mode, self.flags) = (name, content, mode, flags)
        }
    }

    /// The bytes of the archive.
    public let bytes: [UInt8]

    /// An archive of entries; `declared` is the size that it states instead of the true ones.
    public init(_ entries: [Entry], declared: UInt32? = nil) {
        var out: [UInt8] = []
        var directory: [UInt8] = []
        for entry in entries {
            let offset = UInt32(out.count)
            let size = UInt32(entry.content.count)
            let common =
                Self.little(20, 2) + Self.little(entry.flags, 2) + Self.little(0, 4) + Self.little(0x5A21, 2)
                + Self.little(Self.checksum(entry.content), 4) + Self.little(size, 4)
                + Self.little(declared ?? size, 4)
                + Self.little(UInt32(entry.name.count), 2) + Self.little(0, 2)
            out += Self.little(0x0403_4B50, 4) + common + entry.name + entry.content
            // Made by Unix, so that the mode counts.
            directory += Self.little(0x0201_4B50, 4) + Self.little(0x0314, 2) + common + Self.little(0, 6)
            directory += Self.little(entry.mode << 16, 4) + Self.little(offset, 4) + entry.name
        }
        let start = UInt32(out.count)
        let count = Self.little(UInt32(entries.count), 2)
        let end = Self.little(0, 4) + count + count + Self.little(UInt32(directory.count), 4)
        bytes =
            out + directory + Self.little(0x0605_4B50, 4) + end + Self.little(start, 4) + Self.little(0, 2)
    }

    private static func little(_ value: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).map { $0 < 4 ? UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) : 0 }
    }

    /// CRC-32 of ISO 3309, bit by bit.
    private static func checksum(_ data: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in data {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }
}
