import Foundation
import GRDB
import PluginKit
import TrailStores

/// Deleted rows whose bytes are still in the file: in free pages, in free space of pages, in overwritten
/// pages of the log; also those of dropped tables.
struct DeletedRows {
    /// A recovered row.
    struct Row: Sendable {
        /// The table; `nil` if none matches.
        let table: String?
        /// SQLite's row number, if it was not overwritten.
        let number: Int64?
        /// The confidence.
        let confidence: RecordCarver.Confidence
        /// The location of its bytes.
        let location: String
        /// Why it is not a plain deletion; `nil` for a plain deletion.
        let remark: String?
        /// The columns, in order.
        let columns: [String]
        /// The values.
        let cells: [StoredCell]
    }

    /// The columns of a table, and its current rows.
    private struct Table {
        let part: DamagedDatabase.Part
        let layout: CopyTable
        let shape: RecordCarver.Shape
        /// The current rows, by content.
        var live: Set<[StoredCell]> = []
        var numbers: Set<Int64> = []
        var keys: Set<StoredCell> = []
        var pages: Set<Int> = []
        var isDropped = false

        /// The cell that identifies the row besides its number.
        func key(of cells: [StoredCell]) -> StoredCell? {
            layout.keyCell.flatMap { cells.indices.contains($0) ? cells[$0] : nil }
        }
    }

    private let image: StoreImage
    private let check: () throws -> Void
    private var tables: [Table] = []
    private var used: Set<Int> = [1]
    private var free: Set<Int> = []
    private var trunks: Set<Int> = []
    private var schemaPages: Set<Int> = []
    private(set) var rows: [Row] = []
    private var seen: [String: Set<[StoredCell]>] = [:]
    private let scratch: PlainConnection

    /// Searches a file.
    static func search(_ url: URL, check: @escaping () throws -> Void) throws -> DeletedRows? {
        guard let image = try StoreImage(url, check: check) else { return nil }
        var search = DeletedRows(
            image: image, check: check,
            scratch: try PlainConnection(":memory:", isWritable: true, isNew: true))
        try search.run()
        return search
    }

    private init(image: StoreImage, check: @escaping () throws -> Void, scratch: PlainConnection) {
        self.image = image
        self.check = check
        self.scratch = scratch
    }

    private mutating func run() throws {
        free = image.pages.freePages()
        trunks = image.pages.freeTrunks()
        try readTables()
        try readDropped()
        for index in tables.indices where !tables[index].isDropped { try searchPages(of: index) }
        try searchFreePages()
        try searchLog()
    }

    // MARK: Tables

    private mutating func readTables() throws {
        for part in try image.parts(check: check) where part.root > 0 {
            // Pages that are not searched for rows are in use as well: indexes, and SQLite's own tables.
            let isTable = part.type == "table" && !part.isVirtual
            guard isTable, var table = table(part), table.layout.hasRowID else {
                _ = try walk(part.root) { _ in }
                continue
            }
            table.pages = try walk(part.root) { entry in
                table.live.insert(entry.cells)
                if let number = entry.rowID { table.numbers.insert(number) }
                if let key = table.key(of: entry.cells) { table.keys.insert(key) }
            }
            tables.append(table)
        }
        schemaPages = try walk(1) { _ in }
        free.subtract(used)
    }

    /// Visits the entries of a tree; returns its pages.
    private mutating func walk(_ root: Int, _ visit: (TreeWalk.Entry) -> Void) throws -> Set<Int> {
        let first = image.pages.page(root)?[root == 1 ? 100 : 0]
        var walk = TreeWalk(image.pages, first == 0x0D || first == 0x05 ? .table : .index, check: check)
        try walk.walk(root: root) { visit($0) }
        used.formUnion(walk.visited)
        return walk.visited
    }

    private func table(_ part: DamagedDatabase.Part) -> Table? {
        // SQLite creates its own tables; a table that SQLite rejects has no known columns.
        if part.name.hasPrefix("sqlite_") { return nil }
        guard (try? scratch.define(part.sql)) != nil, let layout = try? CopyTable(part.name, in: scratch),
            !layout.columns.isEmpty
        else { return nil }
        return Table(part: part, layout: layout, shape: layout.shape)
    }

    /// Dropped tables: their schema rows are in free space of the schema's pages.
    private mutating func readDropped() throws {
        let shape = RecordCarver.Shape(
            affinities: [.text, .text, .text, .integer, .text], required: [true, true, true, false, false],
            alias: nil,
            fewest: 5)
        let carver = RecordCarver(shape: shape, source: image.pages, mayRead: { _ in false })
        var names = Set(tables.map(\.part.name))
        for page in schemaPages.sorted() {
            guard let bytes = image.pages.page(page) else { continue }
            for region in Self.regions(of: bytes, page: page, usable: image.pages.usable) {
                for found in carver.records(in: bytes, region.range, isBlock: region.isBlock) {
                    guard let part = DamagedDatabase.part(found.entry.cells), part.type == "table",
                        names.insert(part.name).inserted, var table = table(part), table.layout.hasRowID
                    else { continue }
                    table.isDropped = true
                    tables.append(table)
                }
            }
        }
    }

    // MARK: Unused regions

    /// An unused region of a page.
    private struct Region {
        let range: Range<Int>
        let isBlock: Bool
    }

    /// The free regions of a leaf: the gap between its pointers and its cells, and its free blocks.
    private static func regions(of page: [UInt8], page number: Int, usable: Int) -> [Region] {
        let start = number == 1 ? 100 : 0
        guard page[start] == 0x0D || page[start] == 0x05 else { return [] }
        let header = page[start] == 0x0D ? 8 : 12
        let cells = page.number(at: start + 3, bytes: 2)
        let stated = page.number(at: start + 5, bytes: 2)
        let content = stated == 0 ? 65_536 : stated
        let gap = start + header + 2 * cells
        var regions: [Region] = []
        if gap < content, content <= usable { regions.append(Region(range: gap..<content, isBlock: false)) }
        var block = page.number(at: start + 1, bytes: 2)
        var last = 0
        while block > last, block + 4 <= usable {
            let size = page.number(at: block + 2, bytes: 2)
            guard size >= 4, block + size <= usable else { break }
            regions.append(Region(range: block..<block + size, isBlock: true))
            last = block
            block = page.number(at: block, bytes: 2)
        }
        return regions
    }

    private func carver(_ table: Table) -> RecordCarver {
        let (free, used, trunks) = (free, used, trunks)
        return RecordCarver(shape: table.shape, source: image.pages) {
            // The content of trunk pages of the free list is overwritten.
            (free.contains($0) || !used.contains($0)) && !trunks.contains($0)
        }
    }

    /// Free space in the pages of a table.
    private mutating func searchPages(of index: Int) throws {
        let carver = carver(tables[index])
        for page in tables[index].pages.sorted() {
            try check()
            guard let bytes = image.pages.page(page) else { continue }
            for region in Self.regions(of: bytes, page: page, usable: image.pages.usable) {
                for found in carver.records(in: bytes, region.range, isBlock: region.isBlock) {
                    let location = region.isBlock ? "free block of page \(page)" : "gap of page \(page)"
                    add(found, index, location, isSure: true)
                }
            }
        }
    }

    /// Unused pages: their cells are intact, except where the list of free pages was written over them.
    private mutating func searchFreePages() throws {
        for page in 2..<max(2, image.pages.count + 1) where !used.contains(page) {
            try check()
            guard let bytes = image.pages.page(page) else { continue }
            // Index and overflow pages contain no rows; the type of a trunk page is overwritten.
            let isTrunk = trunks.contains(page)
            guard isTrunk || bytes[0] == 0x0D else { continue }
            let start = isTrunk ? 8 + 4 * min(bytes.number(at: 4, bytes: 4), bytes.count / 4) : 8
            guard start < image.pages.usable else { continue }
            let blocks =
                isTrunk
                ? [] : Self.regions(of: bytes, page: page, usable: image.pages.usable).filter(\.isBlock)
            search(bytes, start..<image.pages.usable, blocks, "free page \(page)", isTrunk: isTrunk)
        }
    }

    /// Finds records of any table; if several match, the table of the page's other records is used.
    private mutating func search(
        _ bytes: [UInt8], _ range: Range<Int>, _ blocks: [Region], _ location: String, isTrunk: Bool
    ) {
        var best: (index: Int, found: [RecordCarver.Found])?
        var rivals = 0
        for index in tables.indices {
            let carver = carver(tables[index])
            let found =
                carver.records(in: bytes, range, isBlock: false)
                + blocks.flatMap { carver.records(in: bytes, $0.range, isBlock: true) }
            guard !found.isEmpty else { continue }
            let weight = found.reduce(0) { $0 + $1.range.count }
            if isTrunk, weight < range.count / 4 { continue }
            rivals += 1
            let before = best.map { $0.found.reduce(0) { $0 + $1.range.count } } ?? 0
            // Among equally good matches the dropped table is preferred, since its pages are certainly free.
            if weight > before || (weight == before && tables[index].isDropped) { best = (index, found) }
        }
        guard let best else { return }
        for found in best.found { add(found, best.index, location, isSure: rivals == 1) }
    }

    /// Pages of the log overwritten by later commits.
    private mutating func searchLog() throws {
        guard let log = image.log, log.commits.count > 0 else { return }
        var owner: [Int: Int] = [:]
        for index in tables.indices { for page in tables[index].pages { owner[page] = index } }
        for commit in 0..<log.commits.count {
            try check()
            guard let earlier = image.at(commit) else { continue }
            for frame in log.frames[log.commits[commit].frames] {
                guard let index = owner[frame.page], let bytes = earlier.pages.page(frame.page),
                    bytes[0] == 0x0D
                else {
                    continue
                }
                var walk = TreeWalk(earlier.pages, .table, check: check)
                var entries: [TreeWalk.Entry] = []
                try walk.leaf(frame.page) { entries.append($0) }
                for entry in entries {
                    add(
                        .init(entry: entry, confidence: .high, range: 0..<0), index,
                        "page \(frame.page) before commit \(commit + 1)", isSure: true)
                }
            }
        }
    }

    // MARK: Rows

    private mutating func add(_ found: RecordCarver.Found, _ index: Int, _ location: String, isSure: Bool) {
        let table = tables[index]
        let cells = found.entry.cells
        // Copies of existing rows remain where pages were split or joined.
        if table.live.contains(cells) { return }
        let name = table.part.name
        if !seen[name, default: []].insert(cells).inserted { return }
        guard let shown = table.layout.shown(found.entry) else { return }
        let isEarlier =
            found.entry.rowID.map(table.numbers.contains) ?? table.key(of: cells).map(table.keys.contains)
            ?? false
        var remark: String?
        if table.isDropped {
            remark = "of a dropped table"
        } else if isEarlier {
            remark = "an earlier state of an existing row"
        }
        rows.append(
            Row(
                table: name, number: found.entry.rowID,
                confidence: isSure ? found.confidence : found.confidence == .high ? .medium : .low,
                location: location,
                remark: remark, columns: table.layout.columns, cells: shown))
    }
}
