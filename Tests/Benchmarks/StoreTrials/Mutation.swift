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
