import GRDB
import TrailStores

/// The durable state of a device, for checks: read from the files, not from the process's memory.
extension FolderStore {
    /// The header stored in `sync.db`.
    package func durableHeader() throws -> DeviceHeader {
        try database.read { db in try SyncSchema.header(db).0 }
    }

    /// The states stored in `sync.db`, including acknowledgements.
    package func durableStates() throws -> [(key: RecordKey, state: SyncedRecordState)] {
        let (header, acknowledgements) = try database.read { db in
            (try SyncSchema.header(db).0, try SyncSchema.acknowledgements(db))
        }
        return try StateCache(database, device: header.device, acknowledgements).list()
    }

    /// The lost values, with their records.
    package func durableLosers() throws -> [(key: RecordKey, loser: Loser)] {
        try conflicts().map { ($0.key, $0.loser) }
    }

    /// The records that wait for their blobs.
    package func durableHeldBack() throws -> [RecordKey: CloudRecord] {
        try database.read { db in try SyncSchema.heldBack(db) }
    }

    /// The records with a note.
    package func explained() throws -> Set<RecordKey> { Set(try log().compactMap(\.key)) }

    /// Reads the differing ranges of a zone, as `sync compare` does, or all of it; returns the number of
    /// records read, and of requests for digests.
    package func readDifferences(
        of cloud: some CloudBackend, byRanges: Bool
    ) throws -> (records: Int, requests: Int) {
        var cloud: any CloudBackend = cloud
        var ranges = RangeComparison(try states.list().map { ($0.key, $0.state.local) })
        let read = byRanges ? try ranges.differences(&cloud) : [.all]
        return (try SyncCompare.records(of: read, &cloud).count, ranges.requests)
    }

    /// The current row in the app's store.
    package func durableRow(_ key: RecordKey) throws -> Row? { try rows.saved(key) }
}
