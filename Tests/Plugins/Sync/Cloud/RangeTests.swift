import Testing

@testable import SyncPlugin

/// A device and a zone compared by ranges: what differs is found whatever it is, and little of the zone is read.
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

    /// Where most differs all is read at once, and an empty device asks once.
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
