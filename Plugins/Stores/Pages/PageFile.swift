import Foundation
import PluginKit
import TrailStores

/// The pages of a database at one time, from any source.
protocol PageSource: AnyObject {
    /// Page size in bytes.
    var pageSize: Int { get }
    /// Bytes of a page available for content.
    var usable: Int { get }
    /// Number of pages.
    var count: Int { get }
    /// Text encoding: 1 UTF-8, 2 UTF-16 little-endian, 3 UTF-16 big-endian.
    var encoding: Int { get }
    /// A page by its number, counted from 1; `nil` past the end. Missing bytes read as zeros.
    func page(_ number: Int) -> [UInt8]?
}

/// The page layout from the first 100 bytes of a database.
struct PageLayout {
    let pageSize: Int
    let usable: Int
    let encoding: Int

    private static let sizes = 512...65_536

    init(_ header: [UInt8]) {
        let stated = header.number(at: 16, bytes: 2)
        let wanted = stated == 1 ? 65_536 : stated
        // An invalid size is replaced by the most common one.
        pageSize = Self.sizes.contains(wanted) && wanted & (wanted - 1) == 0 ? wanted : 4096
        let reserved = header.number(at: 20, bytes: 1)
        usable = pageSize - reserved >= 480 ? pageSize - reserved : pageSize
        let encoding = header.number(at: 59, bytes: 1)
        self.encoding = (1...3).contains(encoding) ? encoding : 1
    }
}

/// The pages of a database file, read without SQLite: damage elsewhere does not affect a page. Format:
/// https://www.sqlite.org/fileformat2.html
final class PageFile: PageSource {
    let pageSize: Int
    let usable: Int
    /// Number of pages of the file, with those of a log applied; the last may be incomplete.
    let count: Int
    let encoding: Int
    /// The first 100 bytes.
    let header: [UInt8]
    private let file: FileBytes
    private let size: Int
    /// Pages in a log, by offset.
    private let overlay: [Int: Int]
    private let log: FileBytes?
    private var cache: [Int: [UInt8]] = [:]

    private static let headerSize = 100
    /// Number of cached pages.
    private static let cached = 256

    /// The pages of a file; `nil` if it does not begin like a database. The size is read once: later growth
    /// of the file is ignored.
    convenience init?(_ url: URL) {
        guard let file = FileBytes(url) else { return nil }
        self.init(file, log: nil, overlay: [:], pages: nil)
    }

    /// The pages of a file with those of a log applied.
    init?(_ file: FileBytes, log: FileBytes?, overlay: [Int: Int], pages: Int?) {
        let size = file.size
        var bytes = file.bytes(at: 0, count: Self.headerSize)
        if let log, let first = overlay[1] { bytes = log.bytes(at: first, count: Self.headerSize) }
        guard bytes.count == Self.headerSize, bytes.starts(with: "SQLite format 3\0".utf8) else { return nil }
        self.file = file
        self.log = log
        self.overlay = overlay
        self.size = size
        header = bytes
        let layout = PageLayout(bytes)
        (pageSize, usable, encoding) = (layout.pageSize, layout.usable, layout.encoding)
        count = pages ?? (size + layout.pageSize - 1) / layout.pageSize
    }

    func page(_ number: Int) -> [UInt8]? {
        guard number >= 1, number <= count else { return nil }
        if let known = cache[number] { return known }
        let offset = (number - 1) * pageSize
        var bytes: [UInt8]
        if let log, let logOffset = overlay[number] {
            bytes = log.bytes(at: logOffset, count: pageSize)
        } else {
            bytes = file.bytes(at: offset, count: min(pageSize, max(0, size - offset)))
        }
        guard !bytes.isEmpty else { return nil }
        if bytes.count < pageSize { bytes += [UInt8](repeating: 0, count: pageSize - bytes.count) }
        if cache.count >= Self.cached { cache.removeAll(keepingCapacity: true) }
        cache[number] = bytes
        return bytes
    }

    /// Whether the last page has fewer bytes in the file than a page.
    var isCut: Bool { overlay[count] == nil && count * pageSize > size }

    /// The number of pages of the database: that of the header if it is valid, since further bytes may follow them.
    var counted: Int {
        let stated = header.number(at: 28, bytes: 4)
        return header[24..<28] == header[92..<96] && (1...count).contains(stated) ? stated : count
    }

    /// Pages that belong to SQLite itself: the page of the locks, and the maps of a database that vacuums itself.
    var systemPages: Set<Int> {
        var pages: Set<Int> = [Self.lockByte / pageSize + 1]
        guard header.number(at: 52, bytes: 4) > 0 else { return pages }
        // Each map describes the pages up to the next one, with five bytes each.
        for number in stride(from: 2, through: count, by: usable / 5 + 1) {
            let map = pages.contains(number) ? number + 1 : number
            // A page of another kind shows that there is no map: the header may be what is wrong.
            if let first = page(map)?.first, first <= Self.mapKinds { pages.insert(map) }
        }
        return pages
    }

    /// The greatest kind of a page in a map, with which each of its entries begins.
    private static let mapKinds: UInt8 = 5

    /// The byte that SQLite locks, whose page has no content.
    private static let lockByte = 1 << 30

    /// The pages of the free list, as far as it is readable.
    func freePages() -> Set<Int> { free(trunks: nil) }

    /// The trunk pages of the free list: their first bytes are overwritten.
    func freeTrunks() -> Set<Int> {
        var trunks: Set<Int> = []
        _ = free { trunks.insert($0) }
        return trunks
    }

    private func free(trunks: ((Int) -> Void)?) -> Set<Int> {
        var free: Set<Int> = []
        var trunk = header.number(at: 32, bytes: 4)
        while trunk > 0, trunk <= count, free.insert(trunk).inserted, let page = page(trunk) {
            trunks?(trunk)
            let entries = min(page.number(at: 4, bytes: 4), usable / 4 - 2)
            if entries > 0 {
                for index in 0..<entries { free.insert(page.number(at: 8 + 4 * index, bytes: 4)) }
            }
            trunk = page.number(at: 0, bytes: 4)
        }
        return free
    }
}
