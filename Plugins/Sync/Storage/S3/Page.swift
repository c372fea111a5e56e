import Core

/// A page of a tree: entries in key order. On level 0 they are the tree's content; above, the values are
/// references to pages, each under the lowest key that the page may contain.
struct Page {
    struct Entry: Equatable {
        var key: [UInt8]
        var value: [UInt8]
    }

    let level: UInt8
    var entries: [Entry]

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.add(byte: level)
        writer.add(count: entries.count)
        for entry in entries {
            writer.add(entry.key)
            writer.add(entry.value)
        }
        return writer.bytes
    }

    init(level: UInt8, entries: [Entry]) {
        self.level = level
        self.entries = entries
    }

    /// The digest of a page of records; `nil` if it is unknown without the pages below.
    var digest: RangeDigest? {
        var digest = RangeDigest()
        for entry in entries {
            if level > 0 {
                guard let below = entry.digest else { return nil }
                digest.add(below)
            } else {
                guard let key = ZoneKeys.recordKey(entry.key) else { return nil }
                let content = Array(entry.value.dropFirst(8))
                if !VersionCoding.isDeleted(content) { digest.add(RangeDigest.digest(key, content)) }
            }
        }
        return digest
    }

    /// `nil` if the bytes are not a page.
    init?(bytes: [UInt8]) {
        let page = bytes.withUnsafeBytes { bytes -> Page? in
            var reader = ByteReader(bytes)
            guard let level = reader.byte(), let count = reader.count(), count <= bytes.count else {
                return nil
            }
            var entries: [Entry] = []
            entries.reserveCapacity(count)
            for _ in 0..<count {
                guard let key = reader.content(), let value = reader.content() else { return nil }
                entries.append(Entry(key: key, value: value))
            }
            return reader.isAtEnd ? Page(level: level, entries: entries) : nil
        }
        guard let page else { return nil }
        self = page
    }

    /// The index of the entry for a key: in an inner page, the last entry not above it, or the first.
    func entryIndex(of key: [UInt8]) -> Int {
        max(0, entries.partitionIndex { key.lexicographicallyPrecedes($0.key) } - 1)
    }
}

extension Page.Entry {
    /// An entry of an inner page; `digest` is that of the records below, if known.
    init(key: [UInt8], page: PageReference, digest: RangeDigest? = nil) {
        var writer = ByteWriter()
        page.add(to: &writer)
        if let digest {
            writer.add(count: digest.count)
            writer.add(digest.sum)
        }
        self.init(key: key, value: writer.bytes)
    }

    /// The page referenced by an entry of an inner page.
    var page: PageReference? {
        value.withUnsafeBytes {
            var reader = ByteReader($0)
            return PageReference(&reader)
        }
    }

    /// The digest of the records below an entry of an inner page; `nil` if an older version wrote it.
    var digest: RangeDigest? {
        value.withUnsafeBytes {
            var reader = ByteReader($0)
            guard PageReference(&reader) != nil, let count = reader.count(), let sum = reader.word() else {
                return nil
            }
            return RangeDigest(count: count, sum: sum)
        }
    }

    var size: Int { key.count + value.count + 4 }
}
