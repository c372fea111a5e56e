/// Keys and values of a zone's trees. Numbers are big-endian, so that the byte order is the numeric order.
enum ZoneKeys {
    static func bytes(_ words: UInt64...) -> [UInt8] {
        words.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }

    static func word(_ bytes: some Collection<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    static func number(_ number: Int64) -> [UInt8] { bytes(UInt64(bitPattern: number)) }

    // MARK: Records

    static func record(_ key: RecordKey) -> [UInt8] {
        [key.type.rawValue] + bytes(key.name.high, key.name.low)
    }

    static func recordKey(_ bytes: some RandomAccessCollection<UInt8>) -> RecordKey? {
        guard bytes.count == 17, let type = bytes.first else { return nil }
        let name = bytes.dropFirst()
        return RecordKey(
            type: RecordType(rawValue: type),
            name: RecordName(high: word(name.prefix(8)), low: word(name.dropFirst(8))))
    }

    static func record(tag: Int64, _ version: [UInt8]) -> [UInt8] { number(tag) + version }

    static func tag(_ value: [UInt8]) -> Int64? {
        let tag = Int64(bitPattern: word(value.prefix(8)))
        return value.count > 8 && ZoneNumbers.all.contains(tag) ? tag : nil
    }

    static func record(_ key: [UInt8], _ value: [UInt8]) throws -> CloudRecord {
        guard let key = recordKey(key), let tag = tag(value),
            let version = value[8...].withUnsafeBytes({ VersionCoding.version($0) })
        else { throw SyncErrors.schema("a record of the cloud cannot be read") }
        return CloudRecord(key: key, version: version, tag: tag)
    }

    // MARK: Changes

    static func change(_ key: RecordKey, isDeleted: Bool) -> [UInt8] { record(key) + [isDeleted ? 1 : 0] }

    // MARK: Operations

    static func operation(_ id: OperationID) -> [UInt8] { bytes(id.device, id.number) }

    /// A replica sorts before its operations.
    static func replica(_ device: UInt64) -> [UInt8] { bytes(device) }

    /// The replica of an entry about a replica, not about an operation.
    static func replica(_ key: [UInt8]) -> UInt64? { key.count == 8 ? word(key) : nil }

    static func operationID(_ key: [UInt8]) -> OperationID {
        OperationID(device: word(key.prefix(8)), number: word(key.dropFirst(8)))
    }

    static func done(_ done: DoneOperation) -> [UInt8] {
        number(done.tag) + (done.digest.map { bytes($0) } ?? [])
    }

    static func done(_ value: [UInt8]) -> DoneOperation {
        DoneOperation(
            tag: Int64(bitPattern: word(value.prefix(8))),
            digest: value.count > 8 ? word(value.dropFirst(8)) : nil)
    }

    // MARK: Blobs

    static func blob(_ blob: BlobReference) -> [UInt8] {
        bytes(blob.high, blob.low, UInt64(bitPattern: blob.size))
    }

    static func blob(_ key: [UInt8]) -> BlobReference {
        BlobReference(
            high: word(key.prefix(8)), low: word(key.dropFirst(8).prefix(8)),
            size: Int64(bitPattern: word(key.dropFirst(16))))
    }

    static func folder(_ folder: BatchName) -> [UInt8] { bytes(folder.number, folder.salt) }

    static func folder(_ value: [UInt8]) -> BatchName {
        BatchName(number: word(value.prefix(8)), salt: word(value.dropFirst(8)))
    }

    // MARK: History

    static func mark(_ entry: Page.Entry) -> HistoryMark {
        HistoryMark(number: Int64(bitPattern: word(entry.key)), hash: word(entry.value))
    }
}
