import TrailStores

/// What the indexes of a table say about its rows: an intact index names every row, so that it proves how many are lost.
struct IndexWitness {
    /// One index.
    struct Index {
        let name: String
        /// The numbers of the rows that it names.
        let rows: Set<Int64>
        /// Whether its pages are intact, and no row is named twice.
        let isIntact: Bool
        /// Whether it has a condition, so that it names only some rows.
        let isPartial: Bool
    }

    private(set) var indexes: [Index] = []

    mutating func add(_ index: Index) { indexes.append(index) }

    /// The verdict on recovered rows.
    struct Verdict {
        /// Rows that an index names and that are not among the recovered.
        let missing: Set<Int64>
        /// Whether no further rows can be missing.
        let isProven: Bool
    }

    /// Compares with the numbers of the recovered rows. An index that lacks one of them is wrong about others, too.
    func verdict(_ saved: Set<Int64>) -> Verdict {
        let intact = indexes.filter(\.isIntact)
        let full = intact.filter { !$0.isPartial && $0.rows.isSuperset(of: saved) }
        let partial = intact.filter(\.isPartial).reduce(into: Set<Int64>()) { $0.formUnion($1.rows) }
        guard let first = full.first else {
            // Without a complete index to confirm them these are only possible.
            return Verdict(missing: partial.subtracting(saved), isProven: false)
        }
        let all = full.reduce(first.rows) { $0.intersection($1.rows) }
        let any = full.reduce(first.rows) { $0.union($1.rows) }
        return Verdict(missing: all.subtracting(saved), isProven: all == any)
    }

    /// Whether an intact index that names all other rows does not name this one: no writer ever added it.
    func denies(_ number: Int64, besides saved: [Int64: Int]) -> Bool {
        indexes.contains {
            $0.isIntact && !$0.isPartial && !$0.rows.contains(number) && $0.rows.isSuperset(of: saved.keys)
        }
    }

    /// All rows that any index names.
    var named: Set<Int64> { indexes.reduce(into: []) { $0.formUnion($1.rows) } }
}
