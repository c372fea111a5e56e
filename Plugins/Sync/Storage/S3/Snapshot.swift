/// Reads a zone at one of its heads: objects listed by a head never change.
protocol Snapshot {
    var head: ZoneHead { get }
    /// The referenced page.
    func page(_ reference: PageReference) throws -> Page
}

/// An object listed by a head is missing: the head is outdated, and a later commit has removed it.
struct OutdatedHead: Error {
    let name: String
}

extension Snapshot {
    // MARK: Looking up

    /// The values of some keys, given in order.
    func values(_ tree: ZoneHead.Tree, _ keys: [[UInt8]]) throws -> [[UInt8]?] {
        var found: [[UInt8]?] = Array(repeating: nil, count: keys.count)
        if let root = head.roots[tree.rawValue] { try find(keys, keys.indices, from: root, &found) }
        return found
    }

    private func find(
        _ keys: [[UInt8]], _ range: Range<Int>, from reference: PageReference, _ found: inout [[UInt8]?]
    ) throws {
        let page = try page(reference)
        if page.level == 0 {
            for index in range {
                let entry = page.entryIndex(of: keys[index])
                if entry < page.entries.count, page.entries[entry].key == keys[index] {
                    found[index] = page.entries[entry].value
                }
            }
            return
        }
        var start = range.lowerBound
        while start < range.upperBound {
            let entry = page.entryIndex(of: keys[start])
            var end = start + 1
            while end < range.upperBound,
                entry + 1 == page.entries.count
                    || keys[end].lexicographicallyPrecedes(page.entries[entry + 1].key)
            { end += 1 }
            try find(keys, start..<end, from: try child(page, entry), &found)
            start = end
        }
    }

    func child(_ page: Page, _ index: Int) throws -> PageReference {
        guard page.level > 0, let reference = page.entries[index].page else {
            throw SyncErrors.schema("a page of the cloud cannot be read")
        }
        return reference
    }

    // MARK: In order

    /// Calls `body` with the entries from a key on until it returns `false`.
    func scan(_ tree: ZoneHead.Tree, from key: [UInt8] = [], _ body: (Page.Entry) throws -> Bool) throws {
        guard let root = head.roots[tree.rawValue] else { return }
        _ = try scan(root, from: key, body)
    }

    private func scan(
        _ reference: PageReference, from key: [UInt8], _ body: (Page.Entry) throws -> Bool
    ) throws -> Bool {
        let page = try page(reference)
        if page.level == 0 {
            for entry in page.entries where !entry.key.lexicographicallyPrecedes(key) {
                if try !body(entry) { return false }
            }
            return true
        }
        for index in page.entryIndex(of: key)..<page.entries.count {
            if try !scan(try child(page, index), from: key, body) { return false }
        }
        return true
    }

    /// The last entries of a tree, in order.
    func last(_ count: Int, of tree: ZoneHead.Tree) throws -> [Page.Entry] {
        var found: [Page.Entry] = []
        if let root = head.roots[tree.rawValue] { try collect(count, from: root, &found) }
        return found.reversed()
    }

    private func collect(_ count: Int, from reference: PageReference, _ found: inout [Page.Entry]) throws {
        let page = try page(reference)
        for index in page.entries.indices.reversed() {
            if found.count >= count { return }
            if page.level == 0 {
                found.append(page.entries[index])
            } else {
                try collect(count, from: try child(page, index), &found)
            }
        }
    }
}

/// A head stored in the store.
struct StoredZone: Snapshot {
    let head: ZoneHead
    /// The head's version.
    let tag: String
    let cache: PageCache
    /// Whether pages are read without the bytes around them, for callers that need few.
    var readsAlone = false

    func page(_ reference: PageReference) throws -> Page {
        try cache.page(reference, in: head, isAlone: readsAlone)
    }

    /// The ranges of pages whose records differ from the digests in `own`. Reads only those pages and the
    /// pages above them.
    func differences(from own: (KeyRange) -> RangeDigest) throws -> [KeyRange] {
        guard let root = head.roots[ZoneHead.Tree.records.rawValue] else {
            return own(.all).count == 0 ? [] : [.all]
        }
        var found: [KeyRange] = []
        var alone = self
        alone.readsAlone = true
        try alone.walk(root, .all, own, &found)
        return found
    }

    private func walk(
        _ reference: PageReference, _ range: KeyRange, _ own: (KeyRange) -> RangeDigest,
        _ found: inout [KeyRange]
    ) throws {
        let page = try page(reference)
        if page.level == 0 {
            if page.digest != own(range) { found.append(range) }
            return
        }
        for (index, entry) in page.entries.enumerated() {
            let isLast = index + 1 == page.entries.count
            let part = KeyRange(
                after: index == 0 ? range.after : try Self.before(entry),
                through: isLast ? range.through : try Self.before(page.entries[index + 1]))
            if let digest = entry.digest, digest == own(part) { continue }
            try walk(try child(page, index), part, own, &found)
        }
    }

    /// The key directly before the lowest below an entry.
    private static func before(_ entry: Page.Entry) throws -> RecordKey {
        guard let key = ZoneKeys.recordKey(entry.key)?.predecessor else {
            throw SyncErrors.schema("a page of the cloud cannot be read")
        }
        return key
    }
}

extension PageCache {
    /// A page of a batch listed by a head.
    func page(_ reference: PageReference, in head: ZoneHead, isAlone: Bool = false) throws -> Page {
        guard let batch = head.batch(reference.batch) else {
            throw SyncErrors.schema("the cloud refers to a batch that it does not list")
        }
        guard reference.offset <= batch.size, reference.length <= batch.size else {
            throw SyncErrors.schema("the cloud refers to a page beyond its batch")
        }
        guard let bytes = try bytes(reference, of: batch, isAlone: isAlone) else {
            throw OutdatedHead(name: batch.name.name)
        }
        return try Self.page(bytes, reference)
    }

    static func page(_ bytes: [UInt8], _ reference: PageReference) throws -> Page {
        guard bytes.withUnsafeBytes({ ContentHash.hash($0, seed: 0) }) == reference.hash,
            let page = Page(bytes: bytes)
        else { throw SyncErrors.schema("a page of the cloud is damaged") }
        return page
    }
}
