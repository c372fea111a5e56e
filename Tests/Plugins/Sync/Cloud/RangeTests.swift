import SyncTrials
import Testing

@testable import SyncPlugin

/// A device and a zone compared by ranges: every difference is found, and little of the zone is read.
@Suite struct RangeTests {
    private static let count = 10_000

    private func version(_ text: String) -> Version {
        Version(fields: [Field(key: "a", value: .text(text), stamp: Stamp(time: 1 << 16, device: 1))])
    }

    private func zone(_ numbers: some Sequence<Int>, changed: Set<Int> = []) -> MemoryZone {
        var zone = MemoryZone(epoch: 1)
        let image = ZoneImage(
            records: numbers.enumerated().map { index, number in
                CloudRecord(
                    key: SimulatedStore.key(number),
                    version: version(changed.contains(number) ? "other" : "\(number)"), tag: Int64(index + 1))
            }, head: Int64(Self.count), lineage: Lineage(starts: [EpochStart(epoch: 1, number: 0)]))
        zone.restore(image, epoch: nil)
        return zone
    }

    private func device(_ numbers: some Sequence<Int>) -> [(key: RecordKey, version: Version)] {
        numbers.map { (SimulatedStore.key($0), version("\($0)")) }
    }

    @Test func oneDifferenceIsFoundByFewQuestions() throws {
        // First, last, and wherever ranges end.
        for number in [0, 1, 15, 16, 624, 625, 626, 5000, Self.count - 1] {
            var cloud: any CloudBackend = zone(0..<Self.count, changed: [number])
            var comparison = RangeComparison(device(0..<Self.count))
            let ranges = try comparison.differences(&cloud)
            let records = try SyncCompare.records(of: ranges, &cloud)
            #expect(records.contains { $0.key == SimulatedStore.key(number) })
            #expect(records.count <= 16)
            #expect(comparison.requests <= 5)
        }
    }

    @Test func nothingIsReadWhereAllIsEqual() throws {
        var cloud: any CloudBackend = zone(0..<Self.count)
        var comparison = RangeComparison(device(0..<Self.count))
        #expect(try comparison.differences(&cloud).isEmpty)
        #expect(comparison.requests == 1)
    }

    /// Records that one side lacks, at every place of small stores.
    @Test func whatOneSideLacksIsFound() throws {
        for missing in 0..<40 {
            for isHere in [false, true] {
                let some = (0..<40).filter { $0 != missing }
                var cloud: any CloudBackend = isHere ? zone(some) : zone(0..<40)
                var comparison = RangeComparison(isHere ? device(0..<40) : device(some))
                let ranges = try comparison.differences(&cloud)
                #expect(ranges.contains { $0.has(SimulatedStore.key(missing)) })
            }
        }
    }

    private func objects(_ zone: MemoryZone, _ layout: ZoneLayout) throws -> MemoryObjectStore {
        let store = MemoryObjectStore()
        try S3Cloud(store, epoch: 1, layout: layout).restore(zone.image(), epoch: nil)
        return store
    }

    /// An object store has digests in the pages above its records: one difference among many is found with few bytes.
    @Test func anObjectStoreReadsLittle() throws {
        for number in [0, 1, 5000, Self.count - 1] {
            let store = try objects(zone(0..<Self.count, changed: [number]), ZoneLayout())
            func measure(_ body: (inout any CloudBackend) throws -> Void) throws -> Int {
                var cloud: any CloudBackend = try S3Cloud(store, epoch: 1)
                let before = store.bytesRead
                try body(&cloud)
                return store.bytesRead - before
            }
            let whole = try measure { _ = try SyncCompare.records(of: [.all], &$0) }
            let little = try measure { cloud in
                var comparison = RangeComparison(device(0..<Self.count))
                let ranges = try comparison.differences(&cloud)
                let records = try SyncCompare.records(of: ranges, &cloud)
                #expect(records.contains { $0.key == SimulatedStore.key(number) })
                #expect(comparison.requests == 1)
            }
            #expect(little * 4 < whole, "\(number): \(little) of \(whole) bytes")
            var equal = RangeComparison(device((0..<Self.count).filter { $0 != number }))
            var cloud: any CloudBackend = try S3Cloud(store, epoch: 1)
            #expect(try equal.differences(&cloud).allSatisfy { $0.has(SimulatedStore.key(number)) })
        }
    }

    /// After any sequence of writes, changes, deletions and discards, ranges with all differences are found,
    /// and none without differences.
    @Test(arguments: 0..<4)
    func theDigestsOfAnObjectStoreStayRight(_ seed: UInt64) throws {
        var random = seed &* 977 &+ 5
        func below(_ count: Int) -> Int {
            random = ContentHash.mix(random, 3)
            return Int(random % UInt64(count))
        }
        let store = MemoryObjectStore()
        let cloud = try S3Cloud(store, epoch: 1, layout: .tiny)
        var number: UInt64 = 0
        for step in 0..<60 {
            let held = try cloud.state()
            let keys = Set((0..<(1 + below(15))).map { _ in below(90) }).sorted()
            let operations = keys.map { record -> SaveOperation in
                number += 1
                let key = SimulatedStore.key(record)
                return SaveOperation(
                    id: OperationID(device: 1, number: number), key: key,
                    baseTag: held.records.first { $0.key == key }?.tag ?? 0,
                    version: below(4) == 0
                        ? .tombstone(incarnation: 1, stamp: Stamp(time: number << 16, device: 1))
                        : version("\(number)"))
            }
            let token = ChangeToken(epoch: 1, number: held.floor)
            _ = try cloud.answer(.save(token: token, operations: operations))
            if below(10) == 0 { try cloud.forgetTombstones(upTo: try cloud.latest() - 5) }
            let records = try cloud.state().records.map { (key: $0.key, version: $0.version) }
            var other: any CloudBackend = try S3Cloud(store, epoch: 1)
            var equal = RangeComparison(records)
            #expect(try equal.differences(&other).isEmpty, "step \(step)")
            var changed = records.filter { _ in below(30) != 0 }
            for index in changed.indices where below(30) == 0 { changed[index].version = version("other") }
            let wrong = Set(
                records.filter { record in
                    !record.version.isDeleted
                        && !changed.contains { $0.key == record.key && $0.version == record.version }
                }.map(\.key)
                    + changed.filter { one in
                        !one.version.isDeleted
                            && !records.contains { $0.key == one.key && $0.version == one.version }
                    }.map(\.key))
            var comparison = RangeComparison(changed)
            let found = try comparison.differences(&other)
            for key in wrong { #expect(found.contains { $0.has(key) }, "step \(step): \(key)") }
            #expect(wrong.isEmpty == found.isEmpty)
        }
    }

    /// Rewrites all pages of records as an older version wrote them: the pages above say where those below are, and no digests.
    private func withoutDigests(_ store: MemoryObjectStore) throws {
        let object = try #require(try store.get(ZoneHead.name, longest: .max))
        var head = try #require(ZoneHead(bytes: object.bytes))
        let zone = StoredZone(head: head, tag: object.tag, cache: PageCache(store))
        let name = BatchName(number: head.revision, salt: 7)
        var buffer: [UInt8] = []
        func old(_ reference: PageReference) throws -> PageReference {
            var page = try zone.page(reference)
            if page.level > 0 {
                for index in page.entries.indices {
                    #expect(page.entries[index].digest != nil)
                    page.entries[index] = Page.Entry(
                        key: page.entries[index].key, page: try old(try zone.child(page, index)))
                }
            }
            let bytes = page.bytes
            defer { buffer += bytes }
            return PageReference(
                batch: name.number, offset: buffer.count, length: bytes.count,
                hash: bytes.withUnsafeBytes { ContentHash.hash($0, seed: 0) })
        }
        let root = try #require(head.roots[ZoneHead.Tree.records.rawValue])
        head.roots[ZoneHead.Tree.records.rawValue] = try old(root)
        _ = try store.put(name.name, buffer, .absent)
        head.batches.append(ZoneHead.Batch(name: name, size: buffer.count, live: buffer.count))
        head.revision += 1
        _ = try store.put(ZoneHead.name, head.bytes, .matches(object.tag))
    }

    /// Pages that an older version wrote have no digests: all below them is read, and compared all the same.
    /// Rewritten pages get digests.
    @Test func pagesWithoutDigestsAreRead() throws {
        let count = 400
        let changed = 123
        let store = try objects(zone(0..<count, changed: [changed]), .tiny)
        let device = device(0..<count)
        /// Where they differ, and how many bytes were read to find out.
        func look() throws -> (ranges: [KeyRange], bytes: Int) {
            var cloud: any CloudBackend = try S3Cloud(store, epoch: 1, layout: .tiny)
            var comparison = RangeComparison(device)
            let before = store.bytesRead
            let ranges = try comparison.differences(&cloud)
            #expect(comparison.requests == 1)
            return (ranges, store.bytesRead - before)
        }
        let quick = try look()
        try withoutDigests(store)
        let slow = try look()
        #expect(slow.ranges == quick.ranges)
        #expect(slow.ranges.count == 1)
        #expect(slow.ranges.allSatisfy { $0.has(SimulatedStore.key(changed)) })
        #expect(slow.bytes > 4 * quick.bytes, "\(slow.bytes) and \(quick.bytes)")
        // Changed in one place, the rest stays as it was written.
        let cloud = try S3Cloud(store, epoch: 1, layout: .tiny)
        let held = try #require(try cloud.state().records.first { $0.key == SimulatedStore.key(changed) })
        let mended = SaveOperation(
            id: OperationID(device: 77, number: 1), key: held.key, baseTag: held.tag,
            version: try #require(device.first { $0.key == held.key }).version)
        let token = ChangeToken(epoch: 1, number: try cloud.latest())
        _ = try cloud.answer(.save(token: token, operations: [mended]))
        #expect(try look().ranges.isEmpty)
    }

    /// If most records differ, all are read at once, and an empty device sends one request.
    @Test func manyDifferencesReadTheWholeZone() throws {
        var cloud: any CloudBackend = zone(
            0..<Self.count, changed: Set(stride(from: 0, to: Self.count, by: 7)))
        var comparison = RangeComparison(device(0..<Self.count))
        #expect(try comparison.differences(&cloud) == [.all])
        var empty = RangeComparison([])
        #expect(try empty.differences(&cloud) == [.all])
        #expect(empty.requests == 1)
    }
}
