import GRDB
import PluginKit
import TrailStores

/// A change of one row between two states of a database.
struct RowChange: Sendable {
    /// What happened to the row.
    enum Change: String, Sendable {
        case insert, update, delete
    }

    /// A field that differs.
    struct Field: Sendable {
        let name: String
        let before: StoredCell
        let after: StoredCell
    }

    let table: String
    /// SQLite's number of the row.
    let number: Int64
    let change: Change
    /// The fields that differ; of an inserted or deleted row all that are not NULL.
    let fields: [Field]
    /// The first text of the row, which mostly identifies it.
    let id: String?
}

/// Finds the rows that differ between two states of a database from the pages that differ, without reading the others.
final class RowChanges {
    /// The pages of a table's tree.
    private struct Tree {
        var inner: Set<Int> = []
        var leaves: Set<Int> = []
    }

    private struct State {
        let source: any PageSource
        var parts: [String: BrokenSource.Part]
        var trees: [String: Tree]
    }

    private var state: State
    private let check: () throws -> Void
    private var layouts: [String: CopyTable?] = [:]
    /// Tables whose rows have no numbers, and are not followed.
    private(set) var unfollowed: Set<String> = []

    /// Begins at a state.
    init(_ source: any PageSource, check: @escaping () throws -> Void) throws {
        self.check = check
        state = State(source: source, parts: [:], trees: [:])
        state = try read(source)
    }

    /// The changes from the present state to another, of which `pages` may differ; the other is the present one then.
    func advance(to source: any PageSource, pages: Set<Int>) throws -> [RowChange] {
        let next = try read(source, after: pages)
        defer { state = next }
        var changes: [RowChange] = []
        for name in Set(state.parts.keys).union(next.parts.keys).sorted() {
            try check()
            let before = state.trees[name] ?? Tree()
            let after = next.trees[name] ?? Tree()
            let old = before.leaves.filter { pages.contains($0) || !after.leaves.contains($0) }
            let new = after.leaves.filter { pages.contains($0) || !before.leaves.contains($0) }
            if old.isEmpty && new.isEmpty { continue }
            changes += try compare(name, next, LeafRows(state.source, old), LeafRows(next.source, new))
        }
        return changes
    }

    // MARK: Trees

    private func read(_ source: any PageSource, after changed: Set<Int>? = nil) throws -> State {
        var next = State(source: source, parts: state.parts, trees: state.trees)
        let isSchemaChanged = changed.map { $0.contains(1) } ?? true
        if isSchemaChanged {
            var parts: [String: BrokenSource.Part] = [:]
            var walk = TreeWalk(source, .table, check: check)
            try walk.walk(root: 1) { entry in
                guard let part = BrokenSource.part(entry.cells), part.type == "table", part.root > 0,
                    !part.isVirtual
                else { return }
                parts[part.name] = part
            }
            for (name, part) in parts where state.parts[name]?.sql != part.sql { layouts[name] = nil }
            next.parts = parts
        }
        for (name, part) in next.parts {
            let known = state.parts[name]?.root == part.root ? state.trees[name] : nil
            let isSame =
                known.map { tree in changed.map { tree.inner.isDisjoint(with: $0) } ?? false } ?? false
            if isSame, let known, !known.leaves.contains(part.root) || !(changed?.contains(part.root) ?? true)
            {
                continue
            }
            next.trees[name] = try tree(part.root, source)
        }
        for name in next.trees.keys where next.parts[name] == nil { next.trees[name] = nil }
        return next
    }

    /// The pages of a tree; all its leaves are equally deep, so that only inner pages are read, and one leaf.
    private func tree(_ root: Int, _ source: any PageSource) throws -> Tree {
        var tree = Tree()
        var level = [root]
        for _ in 0..<40 {
            try check()
            guard let first = level.first, let page = source.page(first), page[first == 1 ? 100 : 0] == 0x05
            else {
                tree.leaves.formUnion(level)
                return tree
            }
            tree.inner.formUnion(level)
            level = level.flatMap { TreeShape.children($0, of: source) }.filter { !tree.inner.contains($0) }
        }
        return tree
    }

    // MARK: Rows

    private func layout(_ name: String, _ part: BrokenSource.Part?) -> CopyTable? {
        if let known = layouts[name] { return known }
        let made: CopyTable?
        // A database of its own for each: a table of the same name may have come back with other columns.
        if let part, let scratch = try? PlainConnection(":memory:", isWritable: true, isNew: true),
            (try? scratch.define(part.sql)) != nil
        {
            made = try? CopyTable(part.name, in: scratch)
        } else {
            made = nil
        }
        layouts[name] = .some(made)
        return made
    }

    private func compare(_ name: String, _ next: State, _ old: LeafRows, _ new: LeafRows) throws
        -> [RowChange]
    {
        guard let layout = layout(name, next.parts[name] ?? state.parts[name]), layout.hasRowID else {
            unfollowed.insert(name)
            return []
        }
        var changes: [RowChange] = []
        for number in Set(old.rows.keys).union(new.rows.keys).sorted() {
            let (before, after) = (old.rows[number], new.rows[number])
            if let before, let after, old.bytes(before) == new.bytes(after) { continue }
            let left = before.flatMap { cells(layout, state.source, old, $0, number) }
            let right = after.flatMap { cells(layout, next.source, new, $0, number) }
            let change: RowChange.Change = before == nil ? .insert : after == nil ? .delete : .update
            let fields = layout.columns.indices.compactMap { index -> RowChange.Field? in
                let (one, other) = (left?[index] ?? .null, right?[index] ?? .null)
                return one == other
                    ? nil : RowChange.Field(name: layout.columns[index], before: one, after: other)
            }
            // The same values in other bytes are no change of the row.
            if change == .update, fields.isEmpty { continue }
            let id = (right ?? left)?.lazy.compactMap(\.text).first
            changes.append(RowChange(table: name, number: number, change: change, fields: fields, id: id))
        }
        return changes
    }

    private func cells(
        _ layout: CopyTable, _ source: any PageSource, _ rows: LeafRows, _ place: LeafRows.Place,
        _ number: Int64
    ) -> [StoredCell]? {
        var walk = TreeWalk(source, .table, check: {})
        guard let entry = walk.entry(rows.pages[place.page], place.start) else { return nil }
        return layout.arranged(entry)?.map { $0 ?? .null }
    }
}

/// The rows of some leaves by their numbers, undecoded.
private struct LeafRows {
    struct Place {
        let page: Int
        let start: Int
        let end: Int
    }

    private(set) var pages: [[UInt8]] = []
    private(set) var rows: [Int64: Place] = [:]

    init(_ source: any PageSource, _ numbers: Set<Int>) {
        for number in numbers.sorted() {
            guard let page = source.page(number) else { continue }
            let start = number == 1 ? 100 : 0
            guard page[start] == 0x0D else { continue }
            let cells = min(page.number(at: start + 3, bytes: 2), source.usable / 2)
            for index in 0..<cells {
                let place = page.number(at: start + 8 + 2 * index, bytes: 2)
                guard let (size, sizeLength) = page.variable(at: place), size >= 0,
                    let (row, rowLength) = page.variable(at: place + sizeLength)
                else { continue }
                let local = Self.localSize(Int(clamping: size), source.usable)
                let end = place + sizeLength + rowLength + local
                guard end <= page.count else { continue }
                rows[row] = Place(page: pages.count, start: place, end: end)
            }
            pages.append(page)
        }
    }

    func bytes(_ place: Place) -> ArraySlice<UInt8> { pages[place.page][place.start..<place.end] }

    private static func localSize(_ size: Int, _ usable: Int) -> Int {
        let most = usable - 35
        if size <= most { return size }
        let least = (usable - 12) * 32 / 255 - 23
        let rest = least + (size - least) % (usable - 4)
        return (rest <= most ? rest : least) + 4
    }
}

extension RowChange.Change {
    /// The word for it.
    var word: String {
        switch self {
        case .insert: "inserted"
        case .update: "updated"
        case .delete: "deleted"
        }
    }
}
