import TrailStores

/// Detects pages that are referenced twice or are below themselves: then SQLite reads the same rows
/// repeatedly, in the worst case practically without end. Reads only inner pages, about one in a hundred.
struct TreeShape {
    /// A page that is referenced twice.
    struct Repeat: Equatable {
        let page: Int
        let from: Int
    }

    private let file: any PageSource
    private var seen: Set<Int> = []
    private(set) var repeats: [Repeat] = []

    init(_ file: any PageSource) { self.file = file }

    /// Follows a tree from its root. Pages shared by two trees count as repeated too.
    mutating func follow(root: Int, check: () throws -> Void) throws {
        var waiting = [(page: root, from: 0)]
        while let (number, from) = waiting.popLast() {
            try check()
            guard number >= 1, number <= file.count else { continue }
            guard seen.insert(number).inserted else {
                repeats.append(Repeat(page: number, from: from))
                continue
            }
            for child in Self.children(number, of: file) { waiting.append((child, number)) }
        }
    }

    /// The pages referenced by an inner page; none for a leaf.
    static func children(_ number: Int, of file: any PageSource) -> [Int] {
        guard let page = file.page(number) else { return [] }
        let start = number == 1 ? 100 : 0
        guard page[start] == 0x05 || page[start] == 0x02 else { return [] }
        let pointers = start + 12
        let cells = min(page.number(at: start + 3, bytes: 2), (file.usable - pointers) / 2)
        var children: [Int] = []
        for index in 0..<max(0, cells) {
            let offset = page.number(at: pointers + 2 * index, bytes: 2)
            if offset >= pointers, offset + 4 <= file.usable {
                children.append(page.number(at: offset, bytes: 4))
            }
        }
        children.append(page.number(at: start + 8, bytes: 4))
        return children
    }
}
