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
    /// SQLite's row number.
    let number: Int64
    let change: Change
    /// The fields that differ; for an inserted or deleted row all that are not NULL.
    let fields: [Field]
    /// The first text of the row, which usually identifies it.
    let id: String?
}

/// Finds the changed rows between two states of a database from the changed pages, without reading the
/// others.
final class RowChanges {
    /// The pages of a table's tree.
    private struct Tree {
        var inner: Set<Int> = []
        var leaves: Set<Int> = []

        func has(_ page: Int) -> Bool { inner.contains(page) || leaves.contains(page) }
    }

    private struct State {
        let source: any PageSource
        var parts: [String: DamagedDatabase.Part]
        var trees: [String: Tree]
    }

    private var state: State
    private let check: () throws -> Void
    private var layouts: [String: CopyTable?] = [:]
    private var overflow = OverflowOwners()
    /// Number of changed rows of the last step that are not listed because of the limit.
    private(set) var left = 0
    /// Changed tables of the last step without row numbers, whose rows cannot be separated.
    private(set) var touched: Set<String> = []

    /// Changes of the last step that are not listed, as text.
    var unlisted: [String] {
        (left > 0 ? ["\(left) more rows are not listed"] : [])
            + (touched.isEmpty ? [] : ["rows without numbers: \(touched.sorted().joined(separator: ", "))"])
    }

    /// Starts at a state.
    init(_ source: any PageSource, check: @escaping () throws -> Void) throws {
        self.check = check
        state = State(source: source, parts: [:], trees: [:])
        state = try read(source)
    }

    /// The changes from the current state to another, in which `pages` may differ; the other becomes the
    /// current one.
    func advance(to source: any PageSource, pages: Set<Int>) throws -> [RowChange] {
        let next = try read(source, after: pages)
        defer { state = next }
        (left, touched) = (0, [])
        var changes: [RowChange] = []
        // Pages of no tree, such as overflow pages of long rows, whose first page may be unchanged.
        let strange = pages.filter { page in
            !state.trees.values.contains { $0.has(page) } && !next.trees.values.contains { $0.has(page) }
        }
        if !strange.isEmpty { try overflow.find(state.trees.values.map(\.leaves), state.source, check) }
        let owners = Set(strange.flatMap { overflow.leaves(of: $0) })
        for name in Set(state.parts.keys).union(next.parts.keys).sorted() {
            try check()
            let before = state.trees[name] ?? Tree()
            let after = next.trees[name] ?? Tree()
            let mayDiffer = hasOtherLeaves(name, next, pages)
            let touched = mayDiffer ? nil : pages.union(owners).filter { after.leaves.contains($0) }
            let old =
                touched
                ?? before.leaves.filter {
                    pages.contains($0) || owners.contains($0) || !after.leaves.contains($0)
                }
            let new =
                touched
                ?? after.leaves.filter {
                    pages.contains($0) || owners.contains($0) || !before.leaves.contains($0)
                }
            if old.isEmpty && new.isEmpty { continue }
            let rows = LeafRows(next.source, new)
            changes += try compare(
                name, next, LeafRows(state.source, old), rows, pages, listed: changes.count)
            overflow.replace(old, by: rows, next.source)
        }
        return changes
    }

    /// Whether the leaves of a table may have changed.
    private func hasOtherLeaves(_ name: String, _ next: State, _ pages: Set<Int>) -> Bool {
        guard let before = state.trees[name], let after = next.trees[name],
            state.parts[name]?.root == next.parts[name]?.root
        else { return true }
        return before.leaves.count != after.leaves.count || before.inner.count != after.inner.count
            || !before.inner.isDisjoint(with: pages)
    }

    // MARK: Trees

    private func read(_ source: any PageSource, after changed: Set<Int>? = nil) throws -> State {
        var next = State(source: source, parts: state.parts, trees: state.trees)
        let isSchemaChanged = changed.map { $0.contains(1) } ?? true
        if isSchemaChanged {
            var parts: [String: DamagedDatabase.Part] = [:]
            var walk = TreeWalk(source, .table, check: check)
            try walk.walk(root: 1) { entry in
                guard let part = DamagedDatabase.part(entry.cells), part.type == "table", part.root > 0,
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

    /// The pages of a tree; all leaves have the same depth, so only inner pages and one leaf are read.
    private func tree(_ root: Int, _ source: any PageSource) throws -> Tree {
        var tree = Tree()
        var level = [root]
        for _ in 0..<40 {
            try check()
            let type = level.first.flatMap { first in source.page(first)?[first == 1 ? 100 : 0] }
            guard type == 0x05 || type == 0x02 else {
                tree.leaves.formUnion(level)
                return tree
            }
            tree.inner.formUnion(level)
            // Without row numbers, inner pages contain rows, too.
            if type == 0x02 { tree.leaves.formUnion(level) }
            level = level.flatMap { TreeShape.children($0, of: source) }.filter { !tree.inner.contains($0) }
        }
        return tree
    }

    // MARK: Rows

    private func layout(_ name: String, _ part: DamagedDatabase.Part?) -> CopyTable? {
        if let known = layouts[name] { return known }
        let made: CopyTable?
        // One database each: a recreated table may have other columns.
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

    private func compare(
        _ name: String, _ next: State, _ old: LeafRows, _ new: LeafRows, _ pages: Set<Int>, listed: Int
    ) throws -> [RowChange] {
        guard let layout = layout(name, next.parts[name] ?? state.parts[name]), layout.hasRowID else {
            touched.insert(name)
            return []
        }
        var changes: [RowChange] = []
        for number in Set(old.rows.keys).union(new.rows.keys).sorted() {
            let (before, after) = (old.rows[number], new.rows[number])
            if let before, let after, old.bytes(before) == new.bytes(after),
                pages.isDisjoint(with: OverflowOwners.chain(after.overflow, next.source))
            {
                continue
            }
            if number & 0xFF == 0 { try check() }
            if listed + changes.count >= LiveSettings.mostRows {
                left += 1
                continue
            }
            let left = before.flatMap { cells(layout, state.source, old, $0, number) }
            let right = after.flatMap { cells(layout, next.source, new, $0, number) }
            let change: RowChange.Change = before == nil ? .insert : after == nil ? .delete : .update
            let fields = layout.columns.indices.compactMap { index -> RowChange.Field? in
                let (one, other) = (left?[index] ?? .null, right?[index] ?? .null)
                return one == other
                    ? nil : RowChange.Field(name: layout.columns[index], before: one, after: other)
            }
            // The same values in another encoding are not a change.
            if change == .update, fields.isEmpty { continue }
            let id = (right ?? left)?.lazy.compactMap(\.text).first
            changes.append(RowChange(table: name, number: number, change: change, fields: fields, id: id))
        }
        return changes
    }

    private func cells(
        _ layout: CopyTable, _ source: any PageSource, _ rows: LeafRows, _ location: LeafRows.Location,
        _ number: Int64
    ) -> [StoredCell]? {
        var walk = TreeWalk(source, .table, check: {})
        guard let entry = walk.entry(rows.pages[location.page], location.start) else { return nil }
        return layout.shown(entry)
    }
}

/// The rows of some leaves by their numbers, undecoded.
struct LeafRows {
    struct Location {
        let page: Int
        let start: Int
        let end: Int
        /// The page on which a long row continues; 0 if none.
        let overflow: Int
    }

    private(set) var pages: [[UInt8]] = []
    /// The row numbers.
    private(set) var numbers: [Int] = []
    private(set) var rows: [Int64: Location] = [:]

    init(_ source: any PageSource, _ wanted: Set<Int>) {
        for number in wanted.sorted() {
            guard let page = source.page(number) else { continue }
            let start = number == 1 ? 100 : 0
            guard page[start] == 0x0D else { continue }
            let cells = min(page.number(at: start + 3, bytes: 2), source.usable / 2)
            for index in 0..<cells {
                let offset = page.number(at: start + 8 + 2 * index, bytes: 2)
                guard let (size, sizeLength) = page.variable(at: offset), size >= 0,
                    let (row, rowLength) = page.variable(at: offset + sizeLength)
                else { continue }
                let local = Self.localSize(Int(clamping: size), source.usable)
                let end = offset + sizeLength + rowLength + local
                guard end <= page.count else { continue }
                let isLong = size > Int64(source.usable - 35)
                rows[row] = Location(
                    page: pages.count, start: offset, end: end,
                    overflow: isLong ? page.number(at: end - 4, bytes: 4) : 0)
            }
            pages.append(page)
            numbers.append(number)
        }
    }

    func bytes(_ location: Location) -> ArraySlice<UInt8> {
        pages[location.page][location.start..<location.end]
    }

    private static func localSize(_ size: Int, _ usable: Int) -> Int {
        let most = usable - 35
        if size <= most { return size }
        let least = (usable - 12) * 32 / 255 - 23
        let rest = least + (size - least) % (usable - 4)
        return (rest <= most ? rest : least) + 4
    }
}

extension RowChange.Change {
    /// The word of the change.
    var word: String {
        switch self {
        case .insert: "inserted"
        case .update: "updated"
        case .delete: "deleted"
        }
    }
}
