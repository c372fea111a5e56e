import Foundation
import PluginKit
import TrailStores

/// The pages of a database file, read one by one without SQLite: what is damaged elsewhere does not matter to a page.
///
/// Format: https://www.sqlite.org/fileformat2.html
final class PageFile {
    /// Bytes of a page.
    let pageSize: Int
    /// Bytes of a page that hold content.
    let usable: Int
    /// Pages that the file has; the last may be cut off.
    let count: Int
    /// How text is stored: 1 UTF-8, 2 UTF-16 little-endian, 3 UTF-16 big-endian.
    let encoding: Int
    /// The first 100 bytes.
    let header: [UInt8]
    private let descriptor: Int32
    private let size: Int
    private var cache: [Int: [UInt8]] = [:]

    private static let headerSize = 100
    private static let sizes = 512...65_536
    /// Pages kept in memory.
    private static let cached = 256

    /// The pages of a file; `nil` where it does not begin like a database. Size is taken once: a file that grows
    /// meanwhile is read as it was.
    init?(_ url: URL) {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var info = stat()
        var bytes = [UInt8](repeating: 0, count: Self.headerSize)
        let read = pread(descriptor, &bytes, Self.headerSize, 0)
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG, read == Self.headerSize,
            bytes.starts(with: "SQLite format 3\0".utf8)
        else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        size = Int(info.st_size)
        header = bytes
        let stated = Int(bytes[16]) << 8 | Int(bytes[17])
        let wanted = stated == 1 ? 65_536 : stated
        // An invalid size is replaced by the most common one.
        pageSize = Self.sizes.contains(wanted) && wanted & (wanted - 1) == 0 ? wanted : 4096
        let reserved = Int(bytes[20])
        usable = pageSize - reserved >= 480 ? pageSize - reserved : pageSize
        count = (size + pageSize - 1) / pageSize
        encoding = (1...3).contains(Int(bytes[59])) ? Int(bytes[59]) : 1
    }

    deinit { close(descriptor) }

    /// A page by its number, counted from 1; `nil` past the end. What is cut off reads as zeros.
    func page(_ number: Int) -> [UInt8]? {
        guard number >= 1, number <= count else { return nil }
        if let known = cache[number] { return known }
        var bytes = [UInt8](repeating: 0, count: pageSize)
        let offset = (number - 1) * pageSize
        let read = pread(descriptor, &bytes, min(pageSize, size - offset), off_t(offset))
        guard read > 0 else { return nil }
        if cache.count >= Self.cached { cache.removeAll(keepingCapacity: true) }
        cache[number] = bytes
        return bytes
    }

    /// The pages of the free list, as far as it can be followed.
    func freePages() -> Set<Int> {
        var free: Set<Int> = []
        var trunk = header.number(at: 32, bytes: 4)
        while trunk > 0, trunk <= count, free.insert(trunk).inserted, let page = page(trunk) {
            let entries = min(page.number(at: 4, bytes: 4), usable / 4 - 2)
            if entries > 0 {
                for index in 0..<entries { free.insert(page.number(at: 8 + 4 * index, bytes: 4)) }
            }
            trunk = page.number(at: 0, bytes: 4)
        }
        return free
    }
}

extension [UInt8] {
    /// A big-endian number of up to seven bytes; 0 where the bytes end.
    func number(at index: Int, bytes: Int) -> Int {
        guard index >= 0, index + bytes <= count else { return 0 }
        return self[index..<index + bytes].reduce(0) { $0 << 8 | Int($1) }
    }

    /// A variable-length integer and its length; `nil` where the bytes end.
    func variable(at start: Int) -> (value: Int64, length: Int)? {
        var value: UInt64 = 0
        for offset in 0..<9 {
            guard start >= 0, start + offset < count else { return nil }
            let byte = self[start + offset]
            if offset == 8 { return (Int64(bitPattern: value << 8 | UInt64(byte)), 9) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte & 0x80 == 0 { return (Int64(bitPattern: value), offset + 1) }
        }
        return nil
    }
}
