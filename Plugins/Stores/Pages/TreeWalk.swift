import TrailStores

/// Walks the b-tree of a table or an index by page. An invalid page loses only the pages below it.
struct TreeWalk {
    /// A row of a table, or an entry of an index or of a table WITHOUT ROWID (which has no number).
    struct Entry {
        let rowID: Int64?
        let cells: [StoredCell]
    }

    /// The damage found.
    struct Damage {
        /// Pages that do not belong to such a tree, or are missing.
        var pages: Set<Int> = []
        /// Cells that could not be decoded.
        var cells = 0
        var isNone: Bool { pages.isEmpty && cells == 0 }
    }

    enum Kind { case table, index }

    private static let deepest = 40

    let file: any PageSource
    let kind: Kind
    private(set) var damage = Damage()
    /// The pages of the tree, including overflow pages.
    private(set) var visited: Set<Int> = []
    /// Bytes of records decoded so far: overlapping cells could repeat the same bytes without end.
    private var decoded = 0
    private let check: () throws -> Void

    init(_ file: any PageSource, _ kind: Kind, check: @escaping () throws -> Void) {
        self.file = file
        self.kind = kind
        self.check = check
    }

    /// Visits all entries below a root page, in order.
    mutating func walk(root: Int, _ visit: (Entry) throws -> Void) throws {
        try walk(root, depth: 0, visit)
    }

    private mutating func walk(_ number: Int, depth: Int, _ visit: (Entry) throws -> Void) throws {
        try check()
        guard depth < Self.deepest, visited.insert(number).inserted, let page = file.page(number) else {
            damage.pages.insert(number)
            return
        }
        let start = number == 1 ? 100 : 0
        let type = page[start]
        let (leaf, interior): (UInt8, UInt8) = kind == .table ? (0x0D, 0x05) : (0x0A, 0x02)
        guard type == leaf || type == interior else {
            damage.pages.insert(number)
            return
        }
        let isLeaf = type == leaf
        let pointers = start + (isLeaf ? 8 : 12)
        let before = decoded
        let stated = page.number(at: start + 3, bytes: 2)
        let room = (file.usable - pointers) / 2
        if stated > room { damage.cells += stated - room }
        for index in 0..<min(stated, room) {
            let offset = page.number(at: pointers + 2 * index, bytes: 2)
            guard offset >= pointers, offset < file.usable else {
                damage.cells += 1
                continue
            }
            var content = offset
            if !isLeaf {
                let mark = decoded
                try walk(page.number(at: offset, bytes: 4), depth: depth + 1, visit)
                decoded = mark
                content += 4
                if kind == .table { continue }
            }
            // Valid cells do not overlap; overlapping ones count as damage once they exceed twice the page.
            guard decoded - before <= 2 * file.usable else {
                damage.cells += 1
                continue
            }
            if index % 64 == 63 { try check() }
            if let entry = entry(page, content) {
                try visit(entry)
            } else {
                damage.cells += 1
            }
        }
        if !isLeaf { try walk(page.number(at: start + 8, bytes: 4), depth: depth + 1, visit) }
    }

    /// The entries of a leaf that is not in a tree.
    mutating func leaf(_ number: Int, _ visit: (Entry) throws -> Void) throws {
        guard let page = file.page(number), page[number == 1 ? 100 : 0] == 0x0D else { return }
        try walk(number, depth: Self.deepest - 1, visit)
    }

    /// The entry at an offset of a page; `nil` if it cannot be decoded.
    mutating func entry(_ page: [UInt8], _ start: Int) -> Entry? {
        guard let (size, sizeLength) = page.variable(at: start), size >= 0 else { return nil }
        var index = start + sizeLength
        var rowID: Int64?
        if kind == .table {
            guard let (number, length) = page.variable(at: index) else { return nil }
            rowID = number
            index += length
        }
        guard let payload = payload(page, index, Int(clamping: size)),
            let (cells, isWhole) = RecordDecoder.cells(payload, encoding: file.encoding), isWhole
        else { return nil }
        return Entry(rowID: rowID, cells: cells)
    }

    /// The bytes of a record, including overflow pages; `nil` if incomplete.
    private mutating func payload(_ page: [UInt8], _ start: Int, _ size: Int) -> [UInt8]? {
        let usable = file.usable
        let most = kind == .table ? usable - 35 : (usable - 12) * 64 / 255 - 23
        decoded += min(size, most)
        if size <= most {
            guard start + size <= usable else { return nil }
            return Array(page[start..<start + size])
        }
        // A record cannot be longer than its file.
        guard size <= file.count * file.pageSize else { return nil }
        let least = (usable - 12) * 32 / 255 - 23
        let rest = least + (size - least) % (usable - 4)
        let local = rest <= most ? rest : least
        guard start + local + 4 <= usable else { return nil }
        var bytes = Array(page[start..<start + local])
        bytes.reserveCapacity(min(size, file.count * file.pageSize))
        var next = page.number(at: start + local, bytes: 4)
        while bytes.count < size {
            guard visited.insert(next).inserted, let page = file.page(next) else { return nil }
            bytes += page[4..<min(usable, 4 + size - bytes.count)]
            next = page.number(at: 0, bytes: 4)
        }
        return bytes
    }
}
