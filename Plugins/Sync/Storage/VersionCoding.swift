/// Encodes versions, rows and values for databases. The first byte is the format's version.
enum VersionCoding {
    /// The formats of versions.
    enum Format: UInt8 {
        /// With a stamp for every field.
        case first = 1
        /// With a stamp only if it differs from that of the previous field.
        case second = 2
    }

    /// Formats that newer versions may write.
    private static let newerFormats: ClosedRange<UInt8> = 3...127
    private static let rowFormat: UInt8 = 1
    /// Marks a field with the same stamp as the previous one.
    private static let sameStamp: UInt8 = 0x80

    static func bytes(_ version: Version, format: Format = .second) -> [UInt8] {
        var writer = ByteWriter()
        add(version, format: format, to: &writer)
        return writer.bytes
    }

    static func add(_ version: Version, format: Format = .second, to writer: inout ByteWriter) {
        if let bytes = version.opaqueBytes {
            for byte in bytes { writer.add(byte: byte) }
            return
        }
        writer.add(byte: format.rawValue)
        writer.add(count: Int(version.incarnation))
        writer.add(byte: version.isDeleted ? 1 : 0)
        add(version.stamp, to: &writer)
        writer.add(count: version.fields.count)
        var last: Stamp?
        for field in version.fields {
            writer.add(field.key)
            // Most fields were changed together with the previous one.
            let isSame = format == .second && field.stamp == last
            add(field.value, mark: isSame ? sameStamp : 0, to: &writer)
            if !isSame { add(field.stamp, to: &writer) }
            last = field.stamp
        }
    }

    /// Whether the bytes are those of a tombstone, without reading the rest.
    static func isDeleted(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes {
            var reader = ByteReader($0)
            guard let format = reader.byte(), Format(rawValue: format) != nil, reader.count() != nil else {
                return false
            }
            return reader.byte() == 1
        }
    }

    /// `nil` if the bytes are not a version with fields in key order. A version of a newer format is opaque.
    static func version(_ bytes: UnsafeRawBufferPointer) -> Version? {
        if let first = bytes.first, newerFormats.contains(first) { return .opaque(Array(bytes)) }
        var reader = ByteReader(bytes)
        guard let version = version(&reader), reader.isAtEnd else { return nil }
        return version
    }

    static func version(_ bytes: [UInt8]) -> Version? { bytes.withUnsafeBytes { version($0) } }

    static func version(_ reader: inout ByteReader) -> Version? {
        guard let format = reader.byte().flatMap({ Format(rawValue: $0) }),
            let incarnation = reader.count().flatMap({ UInt32(exactly: $0) }), let deleted = reader.byte(),
            let stamp = stamp(&reader), let count = reader.count()
        else { return nil }
        var version = Version(incarnation: incarnation, isDeleted: deleted == 1, stamp: stamp)
        version.fields.reserveCapacity(min(count, usualFields))
        for _ in 0..<count {
            let last = version.fields.last
            guard let key = reader.text(), let kind = reader.byte() else { return nil }
            let isSame = format == .second && kind & sameStamp != 0
            guard let value = value(isSame ? kind & ~sameStamp : kind, &reader) else { return nil }
            guard let stamp = isSame ? last?.stamp : self.stamp(&reader) else { return nil }
            if let last, last.key >= key { return nil }
            version.fields.append(Field(key: key, value: value, stamp: stamp))
        }
        return version
    }

    /// Initial capacity for fields: the stored count may be wrong.
    private static let usualFields = 32

    static func add(_ row: Row, to writer: inout ByteWriter) {
        writer.add(byte: rowFormat)
        writer.add(count: row.count)
        for field in row {
            writer.add(field.key)
            add(field.value, to: &writer)
        }
    }

    static func row(_ reader: inout ByteReader) -> Row? {
        guard reader.byte() == rowFormat, let count = reader.count() else { return nil }
        var row: Row = []
        for _ in 0..<count {
            guard let key = reader.text(), let value = value(&reader) else { return nil }
            row.append(RowField(key: key, value: value))
        }
        return row
    }

    static func bytes(_ value: FieldValue) -> [UInt8] {
        var writer = ByteWriter()
        add(value, to: &writer)
        return writer.bytes
    }

    static func value(_ bytes: [UInt8]) -> FieldValue? {
        bytes.withUnsafeBytes {
            var reader = ByteReader($0)
            return value(&reader)
        }
    }

    private static func stamp(_ reader: inout ByteReader) -> Stamp? {
        guard let time = reader.word(), let device = reader.word() else { return nil }
        return Stamp(time: time, device: device)
    }

    private static func add(_ stamp: Stamp, to writer: inout ByteWriter) {
        writer.add(stamp.time)
        writer.add(stamp.device)
    }

    private static func add(_ value: FieldValue, mark: UInt8 = 0, to writer: inout ByteWriter) {
        switch value {
        case .absent: writer.add(byte: 0 | mark)
        case .integer(let number):
            writer.add(byte: 1 | mark)
            writer.add(number)
        case .number(let number):
            writer.add(byte: 2 | mark)
            writer.add(number.bitPattern)
        case .text(let text):
            writer.add(byte: 3 | mark)
            writer.add(text)
        case .bytes(let bytes):
            writer.add(byte: 4 | mark)
            writer.add(bytes)
        case .blob(let blob):
            writer.add(byte: 5 | mark)
            writer.add(blob.high)
            writer.add(blob.low)
            writer.add(blob.size)
        }
    }

    private static func value(_ reader: inout ByteReader) -> FieldValue? {
        reader.byte().flatMap { value($0, &reader) }
    }

    private static func value(_ kind: UInt8, _ reader: inout ByteReader) -> FieldValue? {
        switch kind {
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
