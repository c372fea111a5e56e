/// A bounded cache of recently read or written parts of batch objects, which never change.
final class PageCache {
    private enum Settings {
        /// Bytes of a part: small objects are read with one request.
        static let block = 256 << 10
        /// Number of cached parts: 16 MB.
        static let blocks = 64
        /// Number of individually cached pages.
        static let pages = 128
    }

    private struct Key: Hashable {
        let batch: BatchName
        let block: Int
    }

    private let store: any ObjectStore
    private var blocks: [Key: (bytes: [UInt8], use: Int)] = [:]
    /// Pages read without the bytes around them.
    private var pages: [PageReference: [UInt8]] = [:]
    private var uses = 0

    init(_ store: any ObjectStore) { self.store = store }

    /// Bytes of a batch object; `nil` if the object no longer exists.
    func bytes(_ range: Range<Int>, of batch: ZoneHead.Batch) throws(CloudFailure) -> [UInt8]? {
        guard range.lowerBound >= 0, range.upperBound <= batch.size, !range.isEmpty else { return nil }
        let wanted = (range.lowerBound / Settings.block)...((range.upperBound - 1) / Settings.block)
        guard try load(wanted, of: batch) else { return nil }
        var found: [UInt8] = []
        found.reserveCapacity(range.count)
        for block in wanted {
            guard let bytes = use(Key(batch: batch.name, block: block)) else { return nil }
            let start = block * Settings.block
            let part = range.clamped(to: start..<(start + bytes.count))
            found += bytes[(part.lowerBound - start)..<(part.upperBound - start)]
        }
        trim()
        return found
    }

    /// Bytes of a page; with `isAlone` only the page is read.
    func bytes(
        _ page: PageReference, of batch: ZoneHead.Batch, isAlone: Bool
    ) throws(CloudFailure) -> [UInt8]? {
        if let bytes = pages[page] { return bytes }
        let range = page.offset..<(page.offset + page.length)
        let isHere =
            (range.lowerBound / Settings.block...max(range.lowerBound, range.upperBound - 1) / Settings.block)
            .allSatisfy { blocks[Key(batch: batch.name, block: $0)] != nil }
        guard isAlone, !isHere, !range.isEmpty else { return try bytes(range, of: batch) }
        guard let object = try store.get(batch.name.name, range: range, longest: batch.size) else {
            return nil
        }
        if pages.count >= Settings.pages { pages = [:] }
        pages[page] = object.bytes
        return object.bytes
    }

    /// Reads the missing blocks with one request. Returns whether all are here now.
    private func load(_ wanted: ClosedRange<Int>, of batch: ZoneHead.Batch) throws(CloudFailure) -> Bool {
        let missing = wanted.filter { blocks[Key(batch: batch.name, block: $0)] == nil }
        guard let first = missing.first, let last = missing.last else { return true }
        let range = (first * Settings.block)..<min((last + 1) * Settings.block, batch.size)
        guard let object = try store.get(batch.name.name, range: range, longest: batch.size) else {
            return false
        }
        guard object.bytes.count == range.count else {
            throw .permanent("the object \(batch.name.name) differs from what was written")
        }
        keep(object.bytes, of: batch.name, from: first)
        return true
    }

    /// Caches written bytes.
    func keep(_ bytes: [UInt8], of batch: BatchName) {
        keep(bytes, of: batch, from: 0)
        trim()
    }

    private func keep(_ bytes: [UInt8], of batch: BatchName, from first: Int) {
        for (index, start) in stride(from: 0, to: bytes.count, by: Settings.block).enumerated() {
            let end = min(start + Settings.block, bytes.count)
            uses += 1
            blocks[Key(batch: batch, block: first + index)] = (Array(bytes[start..<end]), uses)
        }
    }

    private func use(_ key: Key) -> [UInt8]? {
        guard let block = blocks[key] else { return nil }
        uses += 1
        blocks[key] = (block.bytes, uses)
        return block.bytes
    }

    /// Evicts the least recently used entries, a quarter at a time.
    private func trim() {
        guard blocks.count > Settings.blocks else { return }
        let oldest = blocks.sorted { $0.value.use < $1.value.use }
        for (key, _) in oldest.prefix(blocks.count - Settings.blocks * 3 / 4) { blocks[key] = nil }
    }
}
