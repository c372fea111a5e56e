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
        /// Numbers of rows whose cells are there, but cannot be decoded.
        var rows: Set<Int64> = []
        /// Cells without a number that cannot be decoded.
        var cells = 0
        /// Pages with bytes that no cell and no free block accounts for: rows may have been there.
        var doubtful: Set<Int> = []
        /// Numbers of rows with overflow pages that another row has, too: the values of one are wrong.
        var shared: Set<Int64> = []
        /// Number of rows or entries whose overflow pages do not end where their record does: some of their bytes may be
        /// those of others.
        var doubtfulValues = 0
        /// Pages whose own header or pointers are wrong, though every cell was found.
        var mended: Set<Int> = []

        mutating func merge(_ other: Damage) {
            pages.formUnion(other.pages)
            rows.formUnion(other.rows)
            cells += other.cells
            doubtful.formUnion(other.doubtful)
            shared.formUnion(other.shared)
            doubtfulValues += other.doubtfulValues
            mended.formUnion(other.mended)
        }

        var isNone: Bool {
            pages.isEmpty && rows.isEmpty && cells == 0 && doubtful.isEmpty && shared.isEmpty
        }
    }

    enum Kind { case table, index }

    private static let deepest = 40
    /// How often the pages of the file may be read as overflow pages, since damaged rows may refer to those of others.
    private static let overflowReads = 8

    let file: any PageSource
    let kind: Kind
    private(set) var damage = Damage()
    /// The pages of the tree itself.
    private var nodes: Set<Int> = []
    /// The overflow pages of its records.
    private var overflow: Set<Int> = []
    private var reads = 0
    private let check: () throws -> Void

    /// The pages of the tree, including overflow pages.
    var visited: Set<Int> { nodes.union(overflow) }

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
        guard depth < Self.deepest, nodes.insert(number).inserted, let page = file.page(number),
            let cells = PageCells(page, number, kind, of: file)
        else {
            damage.pages.insert(number)
            return
        }
        if cells.isDoubtful {
            damage.doubtful.insert(number)
        } else if !cells.isConsistent {
            damage.mended.insert(number)
        }
        for (index, cell) in cells.ranges.enumerated() {
            if !cells.kind.isLeaf {
                try walk(page.number(at: cell.lowerBound, bytes: 4), depth: depth + 1, visit)
                if kind == .table { continue }
            }
            if index % 64 == 63 { try check() }
            let start = cell.lowerBound + (cells.kind.isLeaf ? 0 : 4)
            if let entry = entry(page, start) {
                try visit(entry)
            } else if !cells.isConsistent {
                // The pointer may be what is wrong.
                damage.doubtful.insert(number)
            } else if kind == .table, let row = Self.number(page, start) {
                damage.rows.insert(row)
            } else {
                damage.cells += 1
            }
        }
        if let last = cells.last { try walk(last, depth: depth + 1, visit) }
    }

    /// The entries of a leaf that is not in a tree.
    mutating func leaf(_ number: Int, _ visit: (Entry) throws -> Void) throws {
        guard let page = file.page(number), page[number == 1 ? 100 : 0] == 0x0D else { return }
        try walk(number, depth: Self.deepest - 1, visit)
    }

    /// The number of the row of a table's cell.
    private static func number(_ page: [UInt8], _ start: Int) -> Int64? {
        page.variable(at: start).flatMap { page.variable(at: start + $0.length)?.value }
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
        guard let payload = payload(page, index, Int(clamping: size), rowID),
            let (cells, isWhole) = RecordDecoder.cells(payload, encoding: file.encoding), isWhole
        else { return nil }
        return Entry(rowID: rowID, cells: cells)
    }

    /// The bytes of a record, including overflow pages; `nil` if incomplete.
    private mutating func payload(_ page: [UInt8], _ start: Int, _ size: Int, _ rowID: Int64?) -> [UInt8]? {
        let usable = file.usable
        // A record cannot be longer than its file.
        guard size <= file.count * file.pageSize else { return nil }
        let local = PayloadShare.local(size, usable: usable, isTable: kind == .table)
        if local == size {
            guard start + size <= usable else { return nil }
            return Array(page[start..<start + size])
        }
        guard start + local + 4 <= usable else { return nil }
        var bytes = Array(page[start..<start + local])
        bytes.reserveCapacity(size)
        var next = page.number(at: start + local, bytes: 4)
        var chain: Set<Int> = []
        var isShared = false
        var last: [UInt8] = []
        while bytes.count < size {
            // A chain that returns to itself has no end; one that runs into another's has the bytes of both.
            guard reads < Self.overflowReads * file.count, chain.insert(next).inserted,
                let page = file.page(next)
            else { return nil }
            reads += 1
            if overflow.contains(next) || nodes.contains(next) { isShared = true }
            last = Array(page[4..<min(usable, 4 + size - bytes.count)])
            bytes += last
            next = page.number(at: 0, bytes: 4)
        }
        overflow.formUnion(chain)
        // The last page of a chain names no further one; a page that was never written, or wiped, is all zeros.
        if next != 0 || Self.isWiped(last, after: bytes.dropLast(last.count)) { damage.doubtfulValues += 1 }
        if isShared, let rowID { damage.shared.insert(rowID) }
        return bytes
    }

    /// Bytes of a page from which on zeros alone are no chance.
    private static let wiped = 64

    /// Whether the end of a record is zeros alone, unlike what precedes it.
    private static func isWiped(_ last: [UInt8], after before: ArraySlice<UInt8>) -> Bool {
        last.count >= wiped && last.allSatisfy { $0 == 0 } && before.suffix(wiped).contains { $0 != 0 }
    }
}
