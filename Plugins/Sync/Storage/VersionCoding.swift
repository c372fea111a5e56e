/// Versions, rows and values as bytes, for databases. The first byte is the format's version.
enum VersionCoding {
    private static let format: UInt8 = 1

    static func bytes(_ version: Version) -> [UInt8] {
        var writer = ByteWriter()
        writer.add(byte: format)
        writer.add(count: Int(version.incarnation))
        writer.add(byte: version.isDeleted ? 1 : 0)
        writer.add(version.stamp.time)
        writer.add(version.stamp.device)
        writer.add(count: version.fields.count)
        for field in version.fields {
            writer.add(field.key)
            add(field.value, to: &writer)
            writer.add(field.stamp.time)
            writer.add(field.stamp.device)
        }
        return writer.bytes
    }

    /// `nil` when the bytes are no version, or of a newer format.
    static func version(_ bytes: [UInt8]) -> Version? {
        var reader = ByteReader(bytes)
        guard reader.byte() == format, let incarnation = reader.count().flatMap({ UInt32(exactly: $0) }),
            let deleted = reader.byte(), let stamp = stamp(&reader), let count = reader.count()
        else { return nil }
        var version = Version(incarnation: incarnation, isDeleted: deleted == 1, stamp: stamp)
        for _ in 0..<count {
            guard let key = reader.text(), let value = value(&reader), let stamp = self.stamp(&reader) else {
                return nil
            }
            version.fields.append(Field(key: key, value: value, stamp: stamp))
        }
        return reader.isAtEnd ? version : nil
    }

    static func bytes(_ row: Row) -> [UInt8] {
        var writer = ByteWriter()
        writer.add(byte: format)
        writer.add(count: row.count)
        for field in row {
            writer.add(field.key)
            add(field.value, to: &writer)
        }
        return writer.bytes
    }

    static func row(_ bytes: [UInt8]) -> Row? {
        var reader = ByteReader(bytes)
        guard reader.byte() == format, let count = reader.count() else { return nil }
        var row: Row = []
        for _ in 0..<count {
            guard let key = reader.text(), let value = value(&reader) else { return nil }
            row.append(RowField(key: key, value: value))
        }
        return reader.isAtEnd ? row : nil
    }

    static func bytes(_ value: FieldValue) -> [UInt8] {
        var writer = ByteWriter()
        add(value, to: &writer)
        return writer.bytes
    }

    static func value(_ bytes: [UInt8]) -> FieldValue? {
        var reader = ByteReader(bytes)
        return value(&reader)
    }

    private static func stamp(_ reader: inout ByteReader) -> Stamp? {
        guard let time = reader.word(), let device = reader.word() else { return nil }
        return Stamp(time: time, device: device)
    }

    private static func add(_ value: FieldValue, to writer: inout ByteWriter) {
        switch value {
        case .absent: writer.add(byte: 0)
        case .integer(let number):
            writer.add(byte: 1)
            writer.add(number)
        case .number(let number):
            writer.add(byte: 2)
            writer.add(number.bitPattern)
        case .text(let text):
            writer.add(byte: 3)
            writer.add(text)
        case .bytes(let bytes):
            writer.add(byte: 4)
            writer.add(bytes)
        case .blob(let blob):
            writer.add(byte: 5)
            writer.add(blob.high)
            writer.add(blob.low)
            writer.add(blob.size)
        }
    }

    private static func value(_ reader: inout ByteReader) -> FieldValue? {
        switch reader.byte() {
        case 0: return .absent
        case 1: return reader.word().map { .integer(Int64(bitPattern: $0)) }
        case 2: return reader.word().map { .number(Double(bitPattern: $0)) }
        case 3: return reader.text().map { .text($0) }
        case 4: return reader.content().map { .bytes($0) }
        case 5:
            guard let high = reader.word(), let low = reader.word(), let size = reader.word() else {
                return nil
            }
            return .blob(BlobReference(high: high, low: low, size: Int64(bitPattern: size)))
        default: return nil
        }
    }
}
