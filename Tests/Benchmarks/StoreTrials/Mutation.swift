import PluginKit

/// Mutations of a database's bytes that target its structure: headers, pointers, sizes, the free list, whole
/// pages. Random byte changes hardly ever get past the first check.
struct Mutation {
    private var bytes: [UInt8]
    private let pageSize: Int
    private var random: Xoshiro256

    /// The mutation of a database for a seed.
    static func database(_ bytes: [UInt8], pageSize: Int, seed: UInt64) -> [UInt8] {
        var mutation = Mutation(bytes: bytes, pageSize: pageSize, random: Xoshiro256(seed: seed))
        for _ in 0..<mutation.any([1, 1, 1, 2, 3, 5, 12]) { mutation.page() }
        return mutation.bytes
    }

    /// A mutation of a database with rows on overflow pages for a seed: mostly of one place, such as a byte of the header or
    /// of the schema, a pointer to an overflow page, or a whole page.
    static func rows(_ bytes: [UInt8], pageSize: Int, seed: UInt64) -> [UInt8] {
        var mutation = Mutation(bytes: bytes, pageSize: pageSize, random: Xoshiro256(seed: seed))
        switch mutation.below(8) {
        case 0: mutation.header()
        case 1: mutation.schema()
        case 2, 3: mutation.overflow()
        case 4:
            mutation.header()
            mutation.page()
        case 5: mutation.noise(pageSize * (1 + mutation.below(bytes.count / pageSize - 1)), pageSize)
        default: for _ in 0..<mutation.any([1, 1, 1, 2, 3, 5]) { mutation.page() }
        }
        return mutation.bytes
    }

    /// One field of the header, or all of it.
    private mutating func header() {
        let offset = any([0, 16, 17, 18, 19, 20, 21, 22, 23, 28, 31, 32, 35, 44, 47, 52, 55, 59])
        if below(8) == 0 { for index in 0..<100 { bytes[index] = 0 } } else { put(offset, below(256), 1) }
    }

    /// A byte of the schema's rows, from the first page's content on.
    private mutating func schema() {
        let content = max(108, number(105, 2))
        put(content + below(pageSize - content), below(256), 1)
    }

    /// The pointer of a row to its overflow page, or of an overflow page to the next.
    private mutating func overflow() {
        let pages = bytes.count / pageSize
        let start = pageSize * (1 + below(pages - 1))
        if bytes[start] == 0 { return put(start, pointer(pages, start / pageSize), 4) }
        let count = number(start + 3, 2)
        guard bytes[start] == 0x0D, count > 0, count < pageSize / 2 else { return page() }
        // The pointer is the last of a cell, which ends where the one before it in the page begins.
        let cells = (0..<count).map { number(start + 8 + 2 * $0, 2) }.sorted()
        let end = cells.count > 1 ? cells[1 + below(cells.count - 1)] : pageSize
        put(start + end - 4, pointer(pages, start / pageSize), 4)
    }

    /// The mutation of a write-ahead log: a header of 32 bytes, then frames of 24 bytes and a page each.
    static func log(_ bytes: [UInt8], pageSize: Int, seed: UInt64) -> [UInt8] {
        var mutation = Mutation(bytes: bytes, pageSize: pageSize, random: Xoshiro256(seed: seed))
        for _ in 0..<mutation.any([1, 1, 2, 4]) { mutation.frame(32, 24 + pageSize) }
        return mutation.bytes
    }

    private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &random) }

    private mutating func any(_ choices: [Int]) -> Int { choices[below(choices.count)] }

    private mutating func put(_ offset: Int, _ value: Int, _ width: Int) {
        guard offset >= 0, offset + width <= bytes.count else { return }
        for index in 0..<width {
            bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - index)))
        }
    }

    private func number(_ offset: Int, _ width: Int) -> Int {
        guard offset >= 0, offset + width <= bytes.count else { return 0 }
        return bytes[offset..<offset + width].reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func noise(_ start: Int, _ count: Int) {
        for offset in start..<min(bytes.count, start + count) { bytes[offset] = UInt8(below(256)) }
    }

    /// A page number: existing ones, those just outside the file, and impossible ones.
    private mutating func pointer(_ pages: Int, _ page: Int) -> Int {
        any([0, 1, page + 1, 1 + below(pages + 2), pages, pages + 1, 0x7FFF_FFFF, 0xFFFF_FFFF])
    }

    private mutating func page() {
        let pages = bytes.count / pageSize
        guard pages > 0 else { return }
        let page = below(pages)
        let start = page * pageSize
        let header = page == 0 ? start + 100 : start
        let cells = number(header + 3, 2)
        switch below(16) {
        case 0: put(header, any([0x0D, 0x05, 0x0A, 0x02, 0, below(256)]), 1)
        case 1: put(header + 3, any([0, 1, 5, 100, 500, 0xFFFF, below(65_536)]), 2)
        case 2: put(header + 5, below(65_536), 2)
        case 3: put(header + 1, any([0, 8, 12, pageSize - 4, below(pageSize), 0xFFFF]), 2)
        case 4: put(header + 8, pointer(pages, page), 4)
        case 5: put(header + 8 + 2 * below(40), any([0, below(pageSize), 0xFFFF]), 2)
        case 6:
            // The size, number or header of a cell.
            let cell = start + number(header + 8 + 2 * below(min(cells, 300)), 2)
            put(cell + below(8), any([0, 0x7F, 0x80, 0xFF, below(256)]), 1)
        case 7:
            // The child page of a cell in an inner page.
            put(start + number(header + 12 + 2 * below(min(cells, 300)), 2), pointer(pages, page), 4)
        case 8:
            let offsets = [16, 18, 20, 24, 28, 32, 36, 40, 44, 52, 56, 60, 64, 96]
            put(any(offsets), any([0, 1, 2, 3, 255, 1 << 16, below(1 << 32)]), any([1, 2, 4]))
        case 9:
            let other = below(pages) * pageSize
            bytes.replaceSubrange(start..<start + pageSize, with: Array(bytes[other..<other + pageSize]))
        case 10: for offset in start..<start + pageSize { bytes[offset] = 0 }
        case 11: noise(start, pageSize)
        case 12: bytes.removeLast(below(bytes.count / 2))
        case 13: noise(below(bytes.count), 16)
        case 14: put(start, pointer(pages, page), 4)
        default:
            // A character of the schema.
            put(100 + below(min(bytes.count, 4 * pageSize)), below(256), 1)
        }
    }

    private mutating func frame(_ header: Int, _ size: Int) {
        let frames = (bytes.count - header) / size
        guard frames > 0 else { return noise(0, 32) }
        let start = header + below(frames) * size
        switch below(8) {
        case 0: put(start, pointer(frames, 1), 4)
        case 1: put(start + 4, any([0, 1, below(200), 0xFFFF_FFFF]), 4)
        case 2: noise(start + 8, 16)
        case 3: noise(start + 24 + below(size - 24), 8)
        case 4: put(any([0, 4, 8, 12, 16, 24]), any([0, 1, 512, 1024, 4096, below(1 << 32)]), 4)
        case 5: bytes.removeLast(below(bytes.count))
        case 6: noise(start, size)
        default:
            let other = header + below(frames) * size
            bytes.replaceSubrange(start..<start + size, with: Array(bytes[other..<other + size]))
        }
    }
}
