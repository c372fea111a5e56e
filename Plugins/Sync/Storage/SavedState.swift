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

    /// The records that have a note.
    package func explained() throws -> Set<RecordKey> { Set(try log().compactMap(\.key)) }

    /// A row as the app's store has it now.
    package func durableRow(_ key: RecordKey) throws -> Row? { try rows.table(key.type)?.row(key) }
}
