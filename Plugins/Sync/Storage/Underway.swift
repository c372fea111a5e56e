/// An operation that may have reached the cloud, as `sync.db` keeps it.
struct KeptOperation: Hashable, Sendable {
    let id: OperationID
    let baseTag: Int64
    /// What was sent; `nil` while the device still holds just that.
    let version: Version?

    init(id: OperationID, baseTag: Int64, version: Version?) {
        self.id = id
        self.baseTag = baseTag
        self.version = version
    }

    init(_ pending: Pending, local: Version) {
        self.init(
            id: pending.id, baseTag: pending.baseTag,
            version: pending.version == local ? nil : pending.version)
    }

    func pending(local: Version) -> Pending { Pending(id: id, baseTag: baseTag, version: version ?? local) }
}

/// What is under way as bytes: the operations of a batch and the intents of a page are each one value, since they come and
/// go together.
enum Underway {
    private static let format: UInt8 = 1

    static func bytes(_ operations: [RecordKey: KeptOperation]) -> [UInt8] {
        list(operations) { operation, writer in
            writer.add(operation.id.device)
            writer.add(operation.id.number)
            writer.add(operation.baseTag)
            writer.add(byte: operation.version == nil ? 0 : 1)
            if let version = operation.version { VersionCoding.add(version, to: &writer) }
        }
    }

    static func bytes(_ intents: [RecordKey: Intent]) -> [UInt8] {
        list(intents) { intent, writer in
            writer.add(intent.commit)
            writer.add(byte: intent.before == nil ? 0 : 1)
            if let before = intent.before { VersionCoding.add(before, to: &writer) }
        }
    }

    /// `nil` when the bytes are something else, or of a newer format.
    static func operations(_ bytes: UnsafeRawBufferPointer) -> [RecordKey: KeptOperation]? {
        list(bytes) { reader in
            guard let device = reader.word(), let number = reader.word(), let tag = reader.word(),
                let hasVersion = reader.byte()
            else { return nil }
            let version = hasVersion == 1 ? VersionCoding.version(&reader) : nil
            if hasVersion == 1, version == nil { return nil }
            return KeptOperation(
                id: OperationID(device: device, number: number), baseTag: Int64(bitPattern: tag),
                version: version)
        }
    }

    /// `nil` when the bytes are something else, or of a newer format.
    static func intents(_ bytes: UnsafeRawBufferPointer) -> [RecordKey: Intent]? {
        list(bytes) { reader in
            guard let commit = reader.word(), let hasRow = reader.byte() else { return nil }
            let row = hasRow == 1 ? VersionCoding.row(&reader) : nil
            if hasRow == 1, row == nil { return nil }
            return Intent(before: row, commit: Int64(bitPattern: commit))
        }
    }

    private static func list<Item>(
        _ items: [RecordKey: Item], _ add: (Item, inout ByteWriter) -> Void
    ) -> [UInt8] {
        var writer = ByteWriter()
        writer.add(byte: format)
        writer.add(count: items.count)
        for key in items.keys.sorted() {
            guard let item = items[key] else { continue }
            writer.add(byte: key.type.rawValue)
            writer.add(key.name.high)
            writer.add(key.name.low)
            add(item, &writer)
        }
        return writer.bytes
    }

    private static func list<Item>(
        _ bytes: UnsafeRawBufferPointer, _ item: (inout ByteReader) -> Item?
    ) -> [RecordKey: Item]? {
        var reader = ByteReader(bytes)
        guard reader.byte() == format, let count = reader.count() else { return nil }
        var items: [RecordKey: Item] = [:]
        for _ in 0..<count {
            guard let type = reader.byte().flatMap({ RecordType(rawValue: $0) }), let high = reader.word(),
                let low = reader.word(), let item = item(&reader)
            else { return nil }
            items[RecordKey(type: type, name: RecordName(high: high, low: low))] = item
        }
        return reader.isAtEnd ? items : nil
    }
}
