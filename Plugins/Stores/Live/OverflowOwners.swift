/// Maps overflow pages to the leaf of their row.
struct OverflowOwners {
    private var owners: [Int: Set<Int>] = [:]
    private var owned: [Int: [Int]] = [:]
    private var isKnown = false

    /// The leaves of the rows that continue on a page.
    func leaves(of page: Int) -> Set<Int> { owners[page] ?? [] }

    /// Reads all leaves, on the first call.
    mutating func find(_ trees: [Set<Int>], _ source: any PageSource, _ check: () throws -> Void) throws {
        if isKnown { return }
        isKnown = true
        for leaf in trees.joined() {
            try check()
            add(LeafRows(source, [leaf]), source)
        }
    }

    /// Replaces leaves by their current content.
    mutating func replace(_ old: Set<Int>, by rows: LeafRows, _ source: any PageSource) {
        guard isKnown else { return }
        for leaf in old {
            for page in owned.removeValue(forKey: leaf) ?? [] { owners[page]?.remove(leaf) }
        }
        add(rows, source)
    }

    private mutating func add(_ rows: LeafRows, _ source: any PageSource) {
        for location in rows.rows.values where location.overflow > 0 {
            let leaf = rows.numbers[location.page]
            for page in Self.chain(location.overflow, source) {
                owners[page, default: []].insert(leaf)
                owned[leaf, default: []].append(page)
            }
        }
    }

    /// The overflow pages of a long row.
    static func chain(_ first: Int, _ source: any PageSource) -> [Int] {
        var pages: [Int] = []
        var next = first
        // A cyclic chain ends after the number of pages.
        while next > 0, pages.count <= source.count, let page = source.page(next) {
            pages.append(next)
            next = page.number(at: 0, bytes: 4)
        }
        return pages
    }
}
