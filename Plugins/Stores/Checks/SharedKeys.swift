/// Keys that must be unique in a table, to find the rows that share one. The keys are stored in an array and
/// sorted once: a dictionary hashes half a million keys and moves them each time it grows, which takes longer
/// than reading the rows.
struct SharedKeys<Key: Comparable> {
    private var pairs: ContiguousArray<(key: Key, row: Int64)> = []

    /// Adds the key of a row.
    mutating func add(_ key: Key, row: Int64) { pairs.append((key, row)) }

    /// The rows, in order, whose key a previous row has, each with the first such row.
    consuming func repeated(without left: Set<Int64> = []) -> [(row: Int64, first: Int64)] {
        if !left.isEmpty { pairs.removeAll { left.contains($0.row) } }
        pairs.sort { $0.key < $1.key || $0.key == $1.key && $0.row < $1.row }
        var found: [(row: Int64, first: Int64)] = []
        var first = 0
        for index in pairs.indices.dropFirst() {
            if pairs[index].key == pairs[first].key {
                found.append((pairs[index].row, pairs[first].row))
            } else {
                first = index
            }
        }
        return found.sorted { $0.row < $1.row }
    }
}
