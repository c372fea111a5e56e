import TrailStores

/// Which pages refer to which, from all inner pages of the file: a root page that another page refers to, or that is
/// another tree's, was stated wrongly.
struct TreeParents {
    private let pages: PageFile
    /// The inner pages that refer to a page.
    private var parents: [Int: Set<Int>] = [:]

    init(_ pages: PageFile, check: () throws -> Void) throws {
        self.pages = pages
        let free = pages.freePages()
        for number in stride(from: 2, through: pages.count, by: 1) where !free.contains(number) {
            if number % 256 == 0 { try check() }
            // Pages of other kinds may begin with the same byte: all bytes have to come out.
            guard let page = pages.page(number),
                let shape = PageShape(
                    page, start: 0, usable: pages.usable, longest: pages.count * pages.pageSize),
                !shape.kind.isLeaf, shape.isConsistent
            else { continue }
            let children =
                shape.cells.compactMap { $0.map { page.number(at: $0.lowerBound, bytes: 4) } }
                + [page.number(at: 8, bytes: 4)]
            for child in children where child != number { parents[child, default: []].insert(number) }
        }
    }

    /// The parts with the roots that the pages support.
    func established(_ parts: [DamagedDatabase.Part]) -> [DamagedDatabase.Part] {
        let stated = Set(parts.map(\.root))
        var found = parts
        for index in found.indices where found[index].root > 0 {
            let part = found[index]
            guard let page = pages.page(part.root) else { continue }
            if part.root == 1 {
                found[index].established = 0
                continue
            }
            let top = top(of: part.root)
            guard top != part.root else { continue }
            let isSameKind = (pages.page(top)?[0] == 0x05) == (page[0] == 0x05 || page[0] == 0x0D)
            // Another tree's page: where its own is, is not known.
            found[index].established = isSameKind && !stated.contains(top) ? top : 0
        }
        return found
    }

    /// The page above all that refer to a page, if there is just one way up.
    private func top(of page: Int) -> Int {
        var top = page
        var seen: Set<Int> = [page]
        while let above = parents[top], above.count == 1, let next = above.first, seen.insert(next).inserted {
            top = next
        }
        return top
    }
}
