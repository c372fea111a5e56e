import Core

/// A new head in preparation: pages are written into new batch objects, which are invisible until the head is
/// replaced.
final class ZoneDraft: Snapshot {
    private(set) var head: ZoneHead
    /// The head that it replaces.
    let base: StoredZone
    private let store: any ObjectStore
    private let layout: ZoneLayout
    private let random: ZoneRandom
    private var buffer: [UInt8] = []
    private var name: BatchName
    /// The change of used bytes in each batch.
    private var change: [UInt64: Int] = [:]
    /// Whether new pages store the digests of the pages below.
    private var isDigested = false
    /// The written objects.
    private(set) var written: [BatchName] = []

    init(_ base: StoredZone, _ store: any ObjectStore, _ layout: ZoneLayout, _ random: ZoneRandom) {
        self.layout = layout
        self.random = random
        self.base = base
        self.store = store
        head = base.head
        name = BatchName(number: base.head.revision, salt: random.next())
    }

    /// Changes the fields of the head.
    func set(_ body: (inout ZoneHead) -> Void) { body(&head) }

    /// The random half of a new name.
    func salt() -> UInt64 { random.next() }

    var isChanged: Bool { head != base.head || !buffer.isEmpty }

    // MARK: Pages

    func page(_ reference: PageReference) throws -> Page {
        guard reference.batch == name.number else { return try base.cache.page(reference, in: head) }
        return try PageCache.page(
            Array(buffer[reference.offset..<(reference.offset + reference.length)]), reference)
    }

    private func write(_ page: Page) throws -> PageReference {
        let bytes = page.bytes
        if !buffer.isEmpty, buffer.count + bytes.count > layout.batch { try send() }
        let reference = PageReference(
            batch: name.number, offset: buffer.count, length: bytes.count,
            hash: bytes.withUnsafeBytes { ContentHash.hash($0, seed: 0) })
        buffer += bytes
        change[name.number, default: 0] += bytes.count
        return reference
    }

    private func free(_ reference: PageReference) { change[reference.batch, default: 0] -= reference.length }

    /// Writes the buffered pages as an object.
    private func send() throws {
        if buffer.isEmpty { return }
        var isThere = try store.put(name.name, buffer, .absent) == .conflict
        if isThere {
            // The library sent the request twice, or the random name repeated: the content decides.
            isThere = try store.get(name.name, longest: buffer.count)?.bytes == buffer
            if !isThere { throw CloudFailure.transient("the object \(name.name) already exists") }
        }
        base.cache.keep(buffer, of: name)
        head.batches.append(ZoneHead.Batch(name: name, size: buffer.count, live: 0))
        written.append(name)
        buffer = []
        name = BatchName(number: name.number + 1, salt: name.salt)
    }

    // MARK: Changing a tree

    /// Sets and removes entries, given in key order, each key once.
    func update(_ tree: ZoneHead.Tree, _ changes: [(key: [UInt8], value: [UInt8]?)]) throws {
        if changes.isEmpty { return }
        var pages: [Page.Entry]
        var level: UInt8 = 0
        isDigested = tree == .records
        if let root = head.roots[tree.rawValue] {
            let page = try page(root)
            level = page.level
            pages = try replace(root, page, changes[...])
        } else {
            pages = try write(level: 0, Self.merge([], changes[...]), isAppended: true)
        }
        while pages.count > 1 {
            level += 1
            pages = try write(level: level, pages, isAppended: true)
        }
        head.roots[tree.rawValue] = pages.first?.page
    }

    /// The pages that replace one, as entries of the page above.
    private func replace(
        _ reference: PageReference, _ page: Page, _ changes: ArraySlice<(key: [UInt8], value: [UInt8]?)>
    ) throws -> [Page.Entry] {
        var entries: [Page.Entry] = []
        var isAppended = false
        if page.level == 0 {
            entries = Self.merge(page.entries, changes)
            isAppended =
                page.entries.last.map { $0.key.lexicographicallyPrecedes(changes[changes.startIndex].key) }
                ?? true
        } else {
            var rest = changes
            for (index, entry) in page.entries.enumerated() {
                let next = index + 1 < page.entries.count ? page.entries[index + 1].key : nil
                let end =
                    next.map { next in
                        rest.partitionIndex { !$0.key.lexicographicallyPrecedes(next) }
                    } ?? rest.endIndex
                let own = rest[rest.startIndex..<end]
                rest = rest[end...]
                if own.isEmpty {
                    entries.append(entry)
                } else {
                    let child = try child(page, index)
                    entries += try replace(child, try self.page(child), own)
                    isAppended = next == nil && entries.count > page.entries.count
                }
            }
        }
        if entries == page.entries {
            return [
                Page.Entry(
                    key: page.entries[0].key, page: reference, digest: isDigested ? page.digest : nil)
            ]
        }
        free(reference)
        return try write(level: page.level, entries, isAppended: isAppended)
    }

    /// Entries of a page with changes; both in order.
    private static func merge(
        _ entries: [Page.Entry], _ changes: ArraySlice<(key: [UInt8], value: [UInt8]?)>
    ) -> [Page.Entry] {
        var merged: [Page.Entry] = []
        merged.reserveCapacity(entries.count + changes.count)
        var next = 0
        for (key, value) in changes {
            while next < entries.count, entries[next].key.lexicographicallyPrecedes(key) {
                merged.append(entries[next])
                next += 1
            }
            if next < entries.count, entries[next].key == key { next += 1 }
            if let value { merged.append(Page.Entry(key: key, value: value)) }
        }
        return merged + entries[next...]
    }

    /// Writes entries as one page or several: full ones if a tree grows at its end, otherwise of equal size.
    private func write(level: UInt8, _ entries: [Page.Entry], isAppended: Bool) throws -> [Page.Entry] {
        let total = entries.reduce(0) { $0 + $1.size }
        let count = (total + layout.page - 1) / layout.page
        let size = isAppended || count <= 1 ? layout.page : total / count + 1
        var pages: [Page.Entry] = []
        var start = 0
        var taken = 0
        for (index, entry) in entries.enumerated() {
            // Inner pages of one entry would grow the tree without end.
            if index - start > (level == 0 ? 0 : 1), taken + entry.size > size {
                pages.append(try self.page(level, entries[start..<index]))
                (start, taken) = (index, 0)
            }
            taken += entry.size
        }
        if start < entries.count { pages.append(try page(level, entries[start...])) }
        return pages
    }

    private func page(_ level: UInt8, _ entries: ArraySlice<Page.Entry>) throws -> Page.Entry {
        let page = Page(level: level, entries: Array(entries))
        return Page.Entry(
            key: entries[entries.startIndex].key, page: try write(page),
            digest: isDigested ? page.digest : nil)
    }

    // MARK: Tidying up

    /// Starts with empty trees.
    func clear() {
        for batch in head.batches { change[batch.name.number] = -batch.live }
        head.roots = head.roots.map { _ in nil }
    }

    /// Moves pages out of sparsely used batch objects if there are many.
    private func compact() throws {
        settle()
        let sparse = head.batches.filter { $0.live <= layout.batch / 2 }
        guard sparse.count > layout.mostBatches else { return }
        var victims: Set<UInt64> = []
        var moved = 0
        for batch in sparse.sorted(by: { ($0.live, $0.name.number) < ($1.live, $1.name.number) }) {
            moved += batch.live
            if moved > layout.mostMoved { break }
            victims.insert(batch.name.number)
        }
        for tree in ZoneHead.Tree.allCases {
            guard let root = head.roots[tree.rawValue] else { continue }
            head.roots[tree.rawValue] = try move(root, level: try page(root).level, out: victims)
        }
    }

    private func move(
        _ reference: PageReference, level: UInt8, out victims: Set<UInt64>
    ) throws -> PageReference {
        if level == 0, !victims.contains(reference.batch) { return reference }
        var page = try page(reference)
        var isMoved = victims.contains(reference.batch)
        if level > 0 {
            for index in page.entries.indices {
                let child = try child(page, index)
                let moved = try move(child, level: level - 1, out: victims)
                if moved == child { continue }
                let entry = page.entries[index]
                page.entries[index] = Page.Entry(key: entry.key, page: moved, digest: entry.digest)
                isMoved = true
            }
        }
        if !isMoved { return reference }
        free(reference)
        return try write(page)
    }

    /// Updates the used bytes of each batch, and drops unused batches.
    private func settle() {
        for index in head.batches.indices {
            head.batches[index].live += change.removeValue(forKey: head.batches[index].name.number) ?? 0
        }
        head.batches.removeAll { $0.live <= 0 && $0.name.number != name.number }
    }

    /// Writes the last batch. After that the head is complete, and must not change.
    func finish() throws {
        try compact()
        try send()
        settle()
        head.revision = name.number + (written.isEmpty ? 1 : 0)
        head.commit = random.next()
    }

    /// The batch objects not listed by the head.
    var dropped: [BatchName] {
        (base.head.batches.map(\.name) + written).filter { head.batch($0.number)?.name != $0 }
    }
}
