import TrailStores

/// The cells of a page of a tree, also of a damaged one: those of its pointers, and those that lie in bytes that nothing
/// else accounts for, since SQLite accounts for every byte behind the pointers.
struct PageCells {
    let kind: PageShape.Kind
    /// The cells in the order of their pointers; cells found without a pointer at the end.
    let ranges: [Range<Int>]
    /// The last child of an inner page.
    let last: Int?
    /// Whether every byte of the page is accounted for as it stands.
    let isConsistent: Bool
    /// Whether bytes remain that may have been cells.
    let isDoubtful: Bool

    /// `nil` if the page is none of such a tree.
    init?(_ page: [UInt8], _ number: Int, _ tree: TreeWalk.Kind, of file: any PageSource) {
        let start = number == 1 ? HeaderReading.length : 0
        let longest = file.count * file.pageSize
        guard let kind = PageShape.Kind(rawValue: page[start]), kind.isTable == (tree == .table) else {
            return nil
        }
        self.kind = kind
        last = kind.isLeaf ? nil : page.number(at: start + 8, bytes: 4)
        if let shape = PageShape(page, start: start, usable: file.usable, longest: longest),
            shape.isConsistent
        {
            ranges = shape.cells.compactMap(\.self)
            (isConsistent, isDoubtful) = (true, false)
            return
        }
        isConsistent = false
        let found = Self.search(page, start, kind, file.usable, longest)
        // A count of cells that no page has room for, and not one cell.
        if found.ranges.isEmpty, PageShape(page, start: start, usable: file.usable, longest: longest) == nil {
            return nil
        }
        (ranges, isDoubtful) = found
    }

    /// Bytes that SQLite may leave between cells without counting them as free.
    private static let largestFragment = 3
    /// How often the cells of a damaged page may cover it.
    private static let mostOverlap = 4

    private static func search(
        _ page: [UInt8], _ start: Int, _ kind: PageShape.Kind, _ usable: Int, _ longest: Int
    ) -> (ranges: [Range<Int>], isDoubtful: Bool) {
        let pointers = start + kind.header
        let stated = page.number(at: start + 3, bytes: 2)
        let most = (usable - pointers) / 2
        var room = mostOverlap * usable
        func cell(_ offset: Int) -> Range<Int>? {
            guard offset >= pointers else { return nil }
            return PageShape.cell(page, offset, kind, usable: usable, longest: longest)
        }
        var ranges: [Range<Int>] = []
        var taken = Set<Int>()
        // A count that is too large ends where the cells begin.
        var floor = usable
        for index in 0..<min(stated, most) where pointers + 2 * index + 2 <= floor || stated <= most {
            let offset = page.number(at: pointers + 2 * index, bytes: 2)
            guard let range = cell(offset), taken.insert(offset).inserted else { continue }
            // Cells of a page do not overlap, but for damaged ones; together they are bounded all the same.
            room -= range.count
            guard room >= 0 else { break }
            ranges.append(range)
            floor = min(floor, range.lowerBound)
        }
        guard kind == .tableLeaf else {
            let shape = PageShape(page, start: start, usable: usable, longest: longest)
            return (ranges, shape.map { !$0.unaccounted.isEmpty || $0.cells.contains(nil) } ?? true)
        }
        let content = page.number(at: start + 5, bytes: 2)
        let blocks = freeBlocks(page, start, usable)
        var gaps = gaps(ranges + blocks, from: content, usable)
        // Pointers behind the counted ones still lead to cells if the count is too small.
        var index = min(stated, most)
        while !gaps.isEmpty, pointers + 2 * index + 2 <= floor {
            let offset = page.number(at: pointers + 2 * index, bytes: 2)
            index += 1
            guard let range = cell(offset), taken.insert(offset).inserted,
                gaps.contains(where: {
                    $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound
                })
            else { break }
            ranges.append(range)
            gaps = Self.gaps(ranges + blocks, from: content, usable)
        }
        // Cells whose pointers are damaged fill the bytes between others from the first one on.
        let lowest = ranges.map(\.lowerBound).min() ?? usable
        for gap in gaps where gap.lowerBound > lowest {
            var offset = gap.lowerBound
            while offset + PageShape.smallestCell <= gap.upperBound, let range = cell(offset),
                range.upperBound <= gap.upperBound, isRecord(page, offset)
            {
                ranges.append(range)
                offset = range.upperBound
            }
        }
        return (ranges, !Self.gaps(ranges + blocks, from: content, usable).isEmpty)
    }

    /// Whether a cell has a record's header whose types add up to its size.
    private static func isRecord(_ page: [UInt8], _ offset: Int) -> Bool {
        guard let (size, first) = page.variable(at: offset),
            let (_, second) = page.variable(at: offset + first),
            let (header, length) = page.variable(at: offset + first + second), header >= Int64(length),
            header <= size
        else { return false }
        let start = offset + first + second
        var (index, sum) = (start + length, Int(header))
        while index < start + Int(header) {
            guard let (type, width) = page.variable(at: index), type >= 0 else { return false }
            sum += RecordDecoder.size(of: type)
            guard sum <= Int(size) else { return false }
            index += width
        }
        return index == start + Int(header) && sum == Int(size)
    }

    private static func gaps(_ used: [Range<Int>], from content: Int, _ usable: Int) -> [Range<Int>] {
        let sorted = used.sorted { $0.lowerBound < $1.lowerBound }
        let lowest = sorted.first?.lowerBound ?? usable
        var end = (1...lowest).contains(content) ? content : lowest
        var gaps: [Range<Int>] = []
        for range in sorted {
            if range.lowerBound - end > largestFragment { gaps.append(end..<range.lowerBound) }
            end = max(end, range.upperBound)
        }
        if usable - end > largestFragment { gaps.append(end..<usable) }
        return gaps
    }

    private static func freeBlocks(_ page: [UInt8], _ start: Int, _ usable: Int) -> [Range<Int>] {
        var blocks: [Range<Int>] = []
        var block = page.number(at: start + 1, bytes: 2)
        var last = start
        while block > last, block + 4 <= usable {
            let size = page.number(at: block + 2, bytes: 2)
            guard size >= 4, block + size <= usable else { break }
            blocks.append(block..<block + size)
            last = block + size - 1
            block = page.number(at: block, bytes: 2)
        }
        return blocks
    }
}
