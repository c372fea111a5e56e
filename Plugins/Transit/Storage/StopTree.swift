import GRDB
import TrailStores

/// Bulk-loads an empty two-dimensional R*Tree.
///
/// SQLite's own inserts take 0.2 s for 41,000 stops, a fifth of their import, which then misses its goal (0.8 times
/// SQLite's `.import`), and leave nodes two thirds full. Here entries
/// are packed into full nodes by sort-tile-recursive order (Leutenegger, Lopez and Edgington, *STR: a
/// simple and efficient algorithm for R-tree packing*, 1997), and the nodes are written to the tables of
/// the R*Tree as SQLite's documentation describes them (https://www.sqlite.org/rtree.html, section 6; the
/// layout of a node is in its source, `rtree.c`).
struct StopTree {
    /// An entry of a node: a row or a child node, and its box.
    private struct Entry {
        var id: Int64
        var low: (Float, Float)
        var high: (Float, Float)

        /// Twice the centre in a dimension.
        var middle: (Float, Float) { (low.0 + high.0, low.1 + high.1) }
    }

    /// Bytes of a node before its entries, and of an entry: a number and four coordinates.
    private static let header = 4
    private static let entryBytes = 24
    /// The number of the root.
    private static let root: Int64 = 1

    private let nodeBytes: Int
    private var capacity: Int { (nodeBytes - Self.header) / Self.entryBytes }
    private var lastNode = Self.root

    /// Writes points to an empty table, which must not have been read on this connection.
    static func write(
        _ points: [(id: Int64, x: Double, y: Double)], to table: String, _ db: Database
    ) throws {
        let size = try RawStatement(db, "SELECT length(data) FROM \(table)_node WHERE nodeno = \(root)")
        let bytes = try size.next() ? Int(size.integer(0)) : 0
        size.reset()
        var tree = StopTree(nodeBytes: bytes)
        guard tree.capacity > 1 else {
            throw DatabaseError(message: "\(table) has no root")
        }
        let entries = points.map { point in
            Entry(
                id: point.id, low: (below(point.x), below(point.y)), high: (above(point.x), above(point.y)))
        }
        try tree.write(entries, table, db)
    }

    private init(nodeBytes: Int) { self.nodeBytes = nodeBytes }

    /// Writes level by level, the leaves first.
    private mutating func write(_ leaves: [Entry], _ table: String, _ db: Database) throws {
        let insert = try RawStatement(db, "INSERT OR REPLACE INTO \(table)_node VALUES (?, ?)")
        var level = leaves
        var height = 0
        while true {
            var above: [Entry] = []
            var parents: [(id: Int64, node: Int64)] = []
            let nodes = tiles(level)
            for node in nodes {
                if nodes.count > 1 { lastNode += 1 }
                let number = nodes.count > 1 ? lastNode : Self.root
                insert.bind(1, number)
                data(node, depth: nodes.count > 1 ? 0 : height).withUnsafeBytes { insert.bind(2, blob: $0) }
                try insert.run()
                for entry in node { parents.append((entry.id, number)) }
                above.append(Self.around(node, number))
            }
            // In the order of the table.
            parents.sort { $0.id < $1.id }
            let insertParent = try RawStatement(
                db, "INSERT INTO \(table)_\(height == 0 ? "rowid" : "parent") VALUES (?, ?)")
            for (id, node) in parents {
                insertParent.bind(1, id)
                insertParent.bind(2, node)
                try insertParent.run()
            }
            if nodes.count == 1 { return }
            level = above
            height += 1
        }
    }

    /// The entries of each node of a level: stripes along one dimension, each cut along the other.
    private func tiles(_ entries: [Entry]) -> [ArraySlice<Entry>] {
        guard entries.count > capacity else { return [entries[...]] }
        let nodes = (entries.count + capacity - 1) / capacity
        let stripes = Int(Double(nodes).squareRoot().rounded(.up))
        let stripe = (nodes + stripes - 1) / stripes * capacity
        var sorted = entries.sorted { ($0.middle.0, $0.id) < ($1.middle.0, $1.id) }
        var tiles: [ArraySlice<Entry>] = []
        for start in stride(from: 0, to: sorted.count, by: stripe) {
            let end = min(start + stripe, sorted.count)
            sorted[start..<end].sort { ($0.middle.1, $0.id) < ($1.middle.1, $1.id) }
        }
        for start in stride(from: 0, to: sorted.count, by: capacity) {
            tiles.append(sorted[start..<min(start + capacity, sorted.count)])
        }
        return tiles
    }

    /// The entry of a node in the level above it.
    private static func around(_ entries: ArraySlice<Entry>, _ number: Int64) -> Entry {
        var box = Entry(
            id: number, low: (.infinity, .infinity), high: (-.infinity, -.infinity))
        for entry in entries {
            box.low = (min(box.low.0, entry.low.0), min(box.low.1, entry.low.1))
            box.high = (max(box.high.0, entry.high.0), max(box.high.1, entry.high.1))
        }
        return box
    }

    /// The bytes of a node: the depth of the tree, which only the root has, the number of entries, and the
    /// entries; all big-endian.
    private func data(_ entries: ArraySlice<Entry>, depth: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(nodeBytes)
        func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
        }
        append(UInt16(depth))
        append(UInt16(entries.count))
        for entry in entries {
            append(entry.id)
            for value in [entry.low.0, entry.high.0, entry.low.1, entry.high.1] { append(value.bitPattern) }
        }
        bytes.append(contentsOf: repeatElement(0, count: nodeBytes - bytes.count))
        return bytes
    }

    /// The nearest 32-bit numbers not above and not below a number.
    private static func below(_ value: Double) -> Float {
        let near = Float(value)
        return Double(near) > value ? near.nextDown : near
    }

    private static func above(_ value: Double) -> Float {
        let near = Float(value)
        return Double(near) < value ? near.nextUp : near
    }
}
