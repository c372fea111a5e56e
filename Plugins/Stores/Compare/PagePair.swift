import Foundation
import GRDB
import PluginKit
import TrailStores

/// The files of two stores, used to find byte-identical rows of a table without decoding and without key
/// order. In copies of one store that is nearly all rows.
final class PagePair {
    /// The remaining rows of a table without the identical ones.
    struct Rest {
        /// Number of identical rows.
        var same = 0
        /// Numbers of the other rows of the first store.
        var first: [Int64] = []
        /// Numbers of the other rows of the second store.
        var second: [Int64] = []
    }

    private let first: PageFile
    private let second: PageFile
    private let check: () throws -> Void

    /// The pages of two stores; `nil` if SQLite reads something other than the file itself. Closing a file
    /// drops the locks that this process holds on it: the pair must outlive the reading of both.
    init?(_ first: StoreConnection, _ second: StoreConnection, check: @escaping () throws -> Void) {
        guard let left = Self.pages(of: first), let right = Self.pages(of: second),
            left.encoding == right.encoding
        else { return nil }
        (self.first, self.second, self.check) = (left, right, check)
    }

    private static func pages(of connection: StoreConnection) -> PageFile? {
        guard connection.access == .foreign, connection.recognition == nil, !connection.readsCopy,
            !connection.readsCopyOfLog
        else { return nil }
        return PageFile(connection.url.resolvingSymlinksInPath())
    }

    /// The remaining rows of a table with row numbers; `nil` if the table definitions differ, a page is
    /// invalid, or so many rows remain that reading all is faster.
    func rest(of table: String, _ left: Database, _ right: Database) throws -> Rest? {
        let (one, other) = (try Self.definition(table, left), try Self.definition(table, right))
        guard let one, let other, one.sql == other.sql,
            let a = try LeafCursor(first, root: one.root, check),
            let b = try LeafCursor(second, root: other.root, check)
        else { return nil }
        var rest = Rest()
        guard var isLeft = try a.next(), var isRight = try b.next() else { return nil }
        while isLeft || isRight {
            if rest.first.count + rest.second.count > CompareSettings.mostApart { return nil }
            let order = !isRight ? -1 : !isLeft ? 1 : a.number < b.number ? -1 : a.number > b.number ? 1 : 0
            if order == 0, a.isSame(b) {
                rest.same += 1
            } else {
                if order <= 0 { rest.first.append(a.number) }
                if order >= 0 { rest.second.append(b.number) }
            }
            if order <= 0 {
                guard let more = try a.next() else { return nil }
                isLeft = more
            }
            if order >= 0 {
                guard let more = try b.next() else { return nil }
                isRight = more
            }
        }
        return rest
    }

    private static func definition(_ table: String, _ db: Database) throws -> (root: Int, sql: String)? {
        let sql = "SELECT rootpage, sql FROM sqlite_master WHERE type = 'table' AND name = ?"
        guard let row = try Row.fetchOne(db, sql: sql, arguments: [table]),
            let root = Int.fromDatabaseValue(row[0]), let text = String.fromDatabaseValue(row[1])
        else { return nil }
        return (root, text)
    }
}

/// The rows of a table in the order of their numbers, undecoded.
private final class LeafCursor {
    private let source: PageFile
    private let check: () throws -> Void
    private var leaves: [Int]
    private var leaf = 0
    private var page: [UInt8] = []
    private var cell = 0
    private var cells = 0
    private var header = 0
    private var isBegun = false
    /// The number of the row.
    private(set) var number: Int64 = 0
    /// The range of its record in the page; `nil` for one with overflow pages.
    private var record: Range<Int>?

    private static let deepest = 40

    /// `nil` if the pages do not form such a tree.
    init?(_ source: PageFile, root: Int, _ check: @escaping () throws -> Void) throws {
        self.source = source
        self.check = check
        var level = [root]
        for _ in 0..<Self.deepest {
            try check()
            guard let first = level.first, let page = source.page(first) else { return nil }
            if page[first == 1 ? 100 : 0] == 0x0D { break }
            for number in level {
                guard let page = source.page(number), Self.isSound(page, number == 1 ? 100 : 0, source.usable)
                else { return nil }
            }
            level = level.flatMap { TreeShape.children($0, of: source) }
            // A level with repeated pages would be larger than the file.
            guard level.count <= source.count else { return nil }
        }
        leaves = level
    }

    /// Advances to the next row; `false` at the end, `nil` if a page is invalid.
    func next() throws -> Bool? {
        while cell >= cells {
            guard leaf < leaves.count else { return false }
            if leaf & 0x3F == 0 { try check() }
            guard let next = source.page(leaves[leaf]) else { return nil }
            header = leaves[leaf] == 1 ? 100 : 0
            guard next[header] == 0x0D else { return nil }
            page = next
            (cell, cells) = (0, page.number(at: header + 3, bytes: 2))
            guard Self.isSound(page, header, source.usable) else { return nil }
            leaf += 1
        }
        guard header + 10 + 2 * cell <= page.count else { return nil }
        let offset = Int(page[header + 8 + 2 * cell]) << 8 | Int(page[header + 9 + 2 * cell])
        cell += 1
        guard offset >= header + 8 + 2 * cells else { return nil }
        guard let (size, sizeLength) = page.variable(at: offset), size >= 0,
            let (row, rowLength) = page.variable(at: offset + sizeLength), !isBegun || row > number
        else { return nil }
        (isBegun, number) = (true, row)
        let start = offset + sizeLength + rowLength
        if size > Int64(source.usable - 35) {
            record = nil
        } else {
            guard start + Int(size) <= source.usable else { return nil }
            record = start..<start + Int(size)
        }
        return true
    }

    /// Whether a page's space adds up, as SQLite checks before reading it.
    private static func isSound(_ page: [UInt8], _ start: Int, _ usable: Int) -> Bool {
        let first = start + (page[start] == 0x0D ? 8 : 12) + 2 * page.number(at: start + 3, bytes: 2)
        let stated = page.number(at: start + 5, bytes: 2)
        let content = stated == 0 ? 65_536 : stated
        var free = page.number(at: start + 7, bytes: 1) + content
        var block = page.number(at: start + 1, bytes: 2)
        if block > 0, block < content { return false }
        while block > 0 {
            guard block <= usable - 4 else { return false }
            let (next, size) = (page.number(at: block, bytes: 2), page.number(at: block + 2, bytes: 2))
            free += size
            guard block + size <= usable, next == 0 || next > block + size + 3 else { return false }
            block = next
        }
        return free <= usable && free >= first
    }

    /// Whether the records are byte-identical; `false` for records with overflow pages.
    func isSame(_ other: LeafCursor) -> Bool {
        guard let record, let theirs = other.record, record.count == theirs.count else { return false }
        return page.withUnsafeBytes { mine in
            other.page.withUnsafeBytes { its in
                guard let one = mine.baseAddress, let two = its.baseAddress else { return false }
                return memcmp(one + record.lowerBound, two + theirs.lowerBound, record.count) == 0
            }
        }
    }
}
