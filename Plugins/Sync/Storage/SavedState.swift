import GRDB
import TrailStores

/// What is durable of a device, for whoever looks at it from outside: read from the files, not from what the process knows.
extension FolderStore {
    /// The header as `sync.db` has it.
    package func durableHeader() throws -> DeviceHeader {
        try database.read { db in try SyncSchema.header(db).0 }
    }

    /// The states as `sync.db` has them, acknowledgements included.
    package func durableStates() throws -> [(key: RecordKey, state: SyncedRecordState)] {
        let (header, acknowledgements) = try database.read { db in
            (try SyncSchema.header(db).0, try SyncSchema.acknowledgements(db))
        }
        return try StateCache(database, device: header.device, acknowledgements).list()
    }

    /// The values that lost, with their records.
    package func durableLosers() throws -> [(key: RecordKey, loser: Loser)] {
        try conflicts().map { ($0.key, $0.loser) }
    }

    /// The records that wait for their blobs.
    package func durableHeldBack() throws -> [RecordKey: CloudRecord] {
        try database.read { db in try SyncSchema.heldBack(db) }
    }

    /// The records that have a note.
    package func explained() throws -> Set<RecordKey> { Set(try log().compactMap(\.key)) }

    /// Reads where a zone differs, as `sync compare` does, or all of it; gives how many records were read, and how many questions
    /// about ranges it took.
    package func readDifferences(
        of cloud: some CloudBackend, byRanges: Bool
    ) throws -> (records: Int, questions: Int) {
        var cloud: any CloudBackend = cloud
        var ranges = RangeComparison(try states.list().map { ($0.key, $0.state.local) })
        let read = byRanges ? try ranges.differences(&cloud) : [.all]
        return (try SyncCompare.records(of: read, &cloud).count, ranges.requests)
    }

    /// A row as the app's store has it now.
    package func durableRow(_ key: RecordKey) throws -> Row? { try rows.saved(key) }
}
