import Archives
import Foundation

/// The outline of a PBF file: lengths and kinds of its blobs, without their content.
///
/// It locates the damaged byte of a file, which the library does not report.
enum PBFOutline {
    private enum Limits {
        static let header = 64 << 10
        static let blob = 32 << 20
    }

    /// The offset of the blob at which the outline breaks off; `nil` if it is complete or the file is not a
    /// PBF.
    static func firstFault(in url: URL) throws -> Int? {
        guard try MapFiles.kind(of: SourceBytes(url)) == "osm.pbf" else { return nil }
        let handle = try FileHandle(forReadingFrom: url)
        let size = Int(try handle.seekToEnd())
        var offset = 0
        while offset < size {
            try handle.seek(toOffset: UInt64(offset))
            guard let length = try handle.read(upToCount: 4), length.count == 4 else { return offset }
            let headerSize = length.reduce(0) { $0 << 8 | Int($1) }
            guard headerSize > 0, headerSize <= Limits.header,
                let header = try handle.read(upToCount: headerSize), header.count == headerSize,
                let blobSize = dataSize(Array(header)), blobSize >= 0, blobSize <= Limits.blob
            else { return offset }
            let next = offset + 4 + headerSize + blobSize
            guard next <= size else { return offset }
            if let blob = try handle.read(upToCount: blobSize), !isWhole([UInt8](blob)) { return offset }
            offset = next
        }
        return nil
    }

    /// Whether the content of a blob can be unpacked: zlib's checksum detects every changed byte. Other
    /// compressions are not checked.
    private static func isWhole(_ blob: [UInt8]) -> Bool {
        var (index, rawSize, packed): (Int, Int?, Range<Int>?) = (0, nil, nil)
        func varint() -> Int? {
            var (value, shift) = (0, 0)
            while index < blob.count, shift < 63 {
                let byte = blob[index]
                index += 1
                value |= Int(byte & 0x7F) << shift
                if byte < 0x80 { return value }
                shift += 7
            }
            return nil
        }
        while index < blob.count {
            guard let key = varint(), let value = varint(), value >= 0 else { return false }
            switch (key >> 3, key & 7) {
            case (2, 0): rawSize = value
            case (_, 0): break
            case (let field, 2):
                guard value <= blob.count - index else { return false }
                if field == 3 { packed = index..<index + value }
                index += value
            default: return false
            }
        }
        guard let packed else { return true }
        guard let rawSize, rawSize <= Limits.blob else { return false }
        // Without the library nothing is known of it.
        guard let inflation = Inflation(Array(blob[packed]), .zlib, limit: rawSize) else { return true }
        return inflation.isWhole && inflation.bytes.count == rawSize
    }

    /// The field `datasize` (3) of a blob's header.
    private static func dataSize(_ header: [UInt8]) -> Int? {
        var index = 0
        var size: Int?
        func varint() -> UInt64? {
            var (value, shift): (UInt64, UInt64) = (0, 0)
            while index < header.count, shift < 64 {
                let byte = header[index]
                index += 1
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return value }
                shift += 7
            }
            return nil
        }
        while index < header.count {
            guard let key = varint(), let value = varint() else { return nil }
            switch key & 7 {
            case 0: if key >> 3 == 3 { size = Int(Int32(truncatingIfNeeded: value)) }
            case 2 where value <= UInt64(header.count - index): index += Int(value)
            default: return nil
            }
        }
        return size
    }
}
