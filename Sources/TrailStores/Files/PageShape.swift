/// How the bytes of a record are divided between its page and overflow pages:
/// https://www.sqlite.org/fileformat2.html#cell_payload
package enum PayloadShare {
    /// Bytes of a record of `size` bytes that are on its own page, of which `usable` bytes are available; fewer than
    /// `size` if the rest is on overflow pages.
    package static func local(_ size: Int, usable: Int, isTable: Bool) -> Int {
        let most = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
        if size <= most { return size }
        let least = (usable - 12) * 32 / 255 - 23
        let rest = least + (size - least) % (usable - 4)
        return rest <= most ? rest : least
    }
}

/// A page of a tree, by its own account: where its cells are, and whether its bytes come out. Format:
/// https://www.sqlite.org/fileformat2.html#b_tree_pages
package struct PageShape {
    /// The kind of a page, as its first byte states it.
    package enum Kind: UInt8, Sendable {
        case indexInterior = 2
        case tableInterior = 5
        case indexLeaf = 10
        case tableLeaf = 13

        package var isTable: Bool { self == .tableInterior || self == .tableLeaf }
        package var isLeaf: Bool { self == .tableLeaf || self == .indexLeaf }
        /// Bytes of the page's own header.
        package var header: Int { isLeaf ? 8 : 12 }
    }

    package let kind: Kind
    /// The cells by their pointers, in order; `nil` for one that does not fit the page.
    package let cells: [Range<Int>?]
    /// The free blocks.
    package let blocks: [Range<Int>]
    /// Runs of bytes behind the pointers that no cell and no free block accounts for, and that are too long for the
    /// fragments that SQLite leaves.
    package let unaccounted: [Range<Int>]
    /// Whether all bytes come out: cells do not overlap, free blocks are in order, and fragments are as many as
    /// counted. This is so for every page that SQLite writes, and for hardly any other bytes.
    package let isConsistent: Bool

    /// Bytes of the smallest cell, and of a free block's own header; shorter free runs are fragments.
    package static let smallestCell = 4

    /// The page's shape; `nil` if it does not begin like a page of a tree. `start` is 100 for the first page, else 0;
    /// `longest` limits the size of a record in bytes.
    package init?(_ page: [UInt8], start: Int, usable: Int, longest: Int) {
        guard start + 12 <= usable, usable <= page.count, let kind = Kind(rawValue: page[start]) else {
            return nil
        }
        let count = page.number(at: start + 3, bytes: 2)
        let pointers = start + kind.header
        let bottom = pointers + 2 * count
        guard bottom <= usable else { return nil }
        var cells: [Range<Int>?] = []
        cells.reserveCapacity(count)
        for index in 0..<count {
            let offset = page.number(at: pointers + 2 * index, bytes: 2)
            cells.append(
                offset < bottom ? nil : Self.cell(page, offset, kind, usable: usable, longest: longest))
        }
        let (blocks, blocksFit) = Self.blocks(page, start, from: bottom, usable)
        let stated = page.number(at: start + 5, bytes: 2)
        let content = stated == 0 ? 65_536 : stated
        let used = (cells.compactMap(\.self) + blocks).sorted { $0.lowerBound < $1.lowerBound }
        let lowest = used.first?.lowerBound ?? usable
        var end = min(content, lowest)
        var isApart =
            blocksFit && !cells.contains(nil) && (bottom...usable).contains(content) && content <= lowest
        var gaps: [Range<Int>] = []
        var fragments = 0
        if end < bottom { (end, isApart) = (lowest, false) }
        for range in used {
            if range.lowerBound < end { isApart = false }
            if range.lowerBound > end {
                gaps.append(end..<range.lowerBound)
                fragments += range.lowerBound - end
            }
            end = max(end, range.upperBound)
        }
        if end < usable {
            gaps.append(end..<usable)
            fragments += usable - end
        }
        self.kind = kind
        self.cells = cells
        self.blocks = blocks
        unaccounted = gaps.filter { $0.count >= Self.smallestCell }
        isConsistent = isApart && fragments == Int(page[start + 7])
    }

    /// The range of a cell at an offset; `nil` if it does not end within the page.
    package static func cell(
        _ page: [UInt8], _ offset: Int, _ kind: Kind, usable: Int, longest: Int
    ) -> Range<Int>? {
        var index = offset + (kind.isLeaf ? 0 : 4)
        if kind == .tableInterior {
            guard let key = page.variable(at: index) else { return nil }
            index += key.length
        } else {
            guard let (size, length) = page.variable(at: index), size >= 0, size <= Int64(longest) else {
                return nil
            }
            index += length
            if kind == .tableLeaf {
                guard let number = page.variable(at: index) else { return nil }
                index += number.length
            }
            let local = PayloadShare.local(Int(size), usable: usable, isTable: kind.isTable)
            index += local + (local < Int(size) ? 4 : 0)
        }
        let end = max(index, offset + smallestCell)
        return end <= usable ? offset..<end : nil
    }

    private static func blocks(
        _ page: [UInt8], _ start: Int, from bottom: Int, _ usable: Int
    ) -> ([Range<Int>], areFine: Bool) {
        var blocks: [Range<Int>] = []
        var block = page.number(at: start + 1, bytes: 2)
        var last = bottom
        while block > 0 {
            let size = page.number(at: block + 2, bytes: 2)
            guard block >= last, block + smallestCell <= usable, size >= smallestCell, block + size <= usable
            else {
                return (blocks, false)
            }
            blocks.append(block..<block + size)
            last = block + size
            block = page.number(at: block, bytes: 2)
        }
        return (blocks, true)
    }
}

extension [UInt8] {
    /// A variable-length integer and its length; `nil` if the bytes end.
    package func variable(at start: Int) -> (value: Int64, length: Int)? {
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
