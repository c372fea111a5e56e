/// Encodes the intents of a device. They are one value, since those of a page are written and removed
/// together.
enum IntentCoding {
    private static let format: UInt8 = 1

    static func bytes(_ intents: [RecordKey: Intent]) -> [UInt8] {
        var writer = ByteWriter()
        writer.add(byte: format)
        writer.add(count: intents.count)
        for key in intents.keys.sorted() {
            guard let intent = intents[key] else { continue }
            writer.add(byte: key.type.rawValue)
            writer.add(key.name.high)
            writer.add(key.name.low)
            writer.add(intent.commit)
            writer.add(byte: intent.before == nil ? 0 : 1)
            if let before = intent.before { VersionCoding.add(before, to: &writer) }
        }
        return writer.bytes
    }

    /// `nil` if the bytes are invalid or of a newer format.
    static func intents(_ bytes: UnsafeRawBufferPointer) -> [RecordKey: Intent]? {
        var reader = ByteReader(bytes)
        guard reader.byte() == format, let count = reader.count() else { return nil }
        var intents: [RecordKey: Intent] = [:]
        for _ in 0..<count {
            guard let type = reader.byte().flatMap({ RecordType(rawValue: $0) }), let high = reader.word(),
                let low = reader.word(), let commit = reader.word(), let hasRow = reader.byte()
            else { return nil }
            let before = hasRow == 1 ? VersionCoding.row(&reader) : nil
            if hasRow == 1, before == nil { return nil }
            intents[RecordKey(type: type, name: RecordName(high: high, low: low))] = Intent(
                before: before, commit: Int64(bitPattern: commit))
        }
        return reader.isAtEnd ? intents : nil
    }
}
