import Foundation
import GRDB
import TrailStores

/// Rebuilds a full-text or R*Tree table in the copy, only from complete rows.
struct DerivedTable {
    private let source: DamagedDatabase
    private let copy: PlainConnection

    init(_ source: DamagedDatabase, _ copy: PlainConnection) {
        self.source = source
        self.copy = copy
    }

    func rebuild(_ part: DamagedDatabase.Part) throws -> RepairReport.Part {
        let words = part.sql.lowercased()
        let isTree = words.contains("using rtree") || words.contains("using geopoly")
        let kind = isTree ? "tree" : "search"
        func lost(_ why: String) -> RepairReport.Part {
            .init(kind: kind, name: part.name, outcome: .lost, detail: why)
        }
        do {
            try copy.define(part.sql)
        } catch {
            return lost("cannot be created: \(error.reason)")
        }
        let isSearch = ["using fts5", "using fts4", "using fts3"].contains { words.contains($0) }
        guard isTree || isSearch else { return lost("this kind of table cannot be rebuilt") }
        return isTree ? try tree(part, words) : try search(part, words)
    }

    private func shadow(_ part: DamagedDatabase.Part, _ suffix: String) -> DamagedDatabase.Part? {
        source.parts.first { $0.name.lowercased() == "\(part.name)_\(suffix)".lowercased() }
    }

    // MARK: Full text

    private func search(_ part: DamagedDatabase.Part, _ words: String) throws -> RepairReport.Part {
        var item = RepairReport.Part(
            kind: "search", name: part.name, outcome: .whole,
            detail: "rebuilt from the recovered rows")
        let name = part.name.sqlIdentifier
        guard let content = shadow(part, "content"), content.tree > 0 else {
            // The text is in another table, which was recovered before, perhaps without the required columns.
            let isElsewhere = words.contains("content=") || words.contains("content =")
            if isElsewhere, (try? copy.execute("INSERT INTO \(name)(\(name)) VALUES ('rebuild')")) != nil {
                return item
            }
            item.outcome = .lost
            item.detail = "its text is not stored"
            return item
        }
        let columns = copy.texts(
            "SELECT name FROM pragma_table_xinfo(\(part.name.sqlLiteral)) WHERE hidden = 0")
        let marks = (0...columns.count).map { _ in "?" }.joined(separator: ", ")
        let list = (["rowid"] + columns.map(\.sqlIdentifier)).joined(separator: ", ")
        let insert = try RawStatement(copy.handle, "INSERT INTO \(name)(\(list)) VALUES (\(marks))")
        var walk = source.walker(.table)
        try walk.walk(root: content.tree) { entry in
            // The first cell is the row number, stored as NULL.
            guard let number = entry.rowID, entry.cells.count == columns.count + 1 else { return }
            insert.bind([.integer(number)] + entry.cells.dropFirst())
            do {
                try insert.run()
                item.saved += 1
            } catch {
                item.lost += 1
            }
        }
        settle(&item, walk.damage)
        return item
    }

    // MARK: R*Tree

    /// A leaf's cell: an identifier and two bounds for each dimension, big-endian.
    private func tree(_ part: DamagedDatabase.Part, _ words: String) throws -> RepairReport.Part {
        var item = RepairReport.Part(
            kind: "tree", name: part.name, outcome: .whole,
            detail: "rebuilt from the complete boxes")
        guard let nodes = shadow(part, "node"), let rows = shadow(part, "rowid") else {
            item.outcome = .lost
            item.detail = "its nodes are lost"
            return item
        }
        var blobs: [Int64: [UInt8]] = [:]
        var walk = source.walker(.table)
        try walk.walk(root: nodes.tree) { entry in
            if let number = entry.rowID, case .blob(let bytes)? = entry.cells.last { blobs[number] = bytes }
        }
        let columns = copy.texts(
            "SELECT name FROM pragma_table_xinfo(\(part.name.sqlLiteral)) WHERE hidden = 0")
        let isWhole = words.contains("rtree_i32")
        var rowWalk = source.walker(.table)
        var insert: RawStatement?
        try rowWalk.walk(root: rows.tree) { entry in
            let extras = Array(entry.cells.dropFirst(2))
            let bounds = columns.count - 1 - extras.count
            guard bounds >= 2, bounds % 2 == 0, let id = entry.rowID, entry.cells.count >= 2,
                case .integer(let node) = entry.cells[1], let blob = blobs[node],
                let box = Self.box(of: id, in: blob, bounds: bounds, isWhole: isWhole)
            else {
                item.lost += 1
                return
            }
            if insert == nil {
                let marks = columns.map { _ in "?" }.joined(separator: ", ")
                insert = try RawStatement(
                    copy.handle, "INSERT INTO \(part.name.sqlIdentifier) VALUES (\(marks))")
            }
            insert?.bind([.integer(id)] + box + extras)
            do {
                try insert?.run()
                item.saved += 1
            } catch {
                item.lost += 1
            }
        }
        var damage = walk.damage
        damage.merge(rowWalk.damage)
        settle(&item, damage)
        return item
    }

    private static func box(of id: Int64, in node: [UInt8], bounds: Int, isWhole: Bool) -> [StoredCell]? {
        let size = 8 + 4 * bounds
        let count = min(node.number(at: 2, bytes: 2), max(0, node.count - 4) / size)
        for index in 0..<count {
            let start = 4 + index * size
            let bits = node[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard Int64(bitPattern: bits) == id else { continue }
            return (0..<bounds).map { bound in
                let bits = UInt32(truncatingIfNeeded: node.number(at: start + 8 + 4 * bound, bytes: 4))
                return isWhole
                    ? .integer(Int64(Int32(bitPattern: bits))) : .real(Double(Float(bitPattern: bits)))
            }
        }
        return nil
    }

    private func settle(_ item: inout RepairReport.Part, _ damage: TreeWalk.Damage) {
        item.lost += damage.cells + damage.rows.count
        if damage.isNone && item.lost == 0 { return }
        item.outcome = .lost
        item.detail = "only the complete rows"
    }
}
