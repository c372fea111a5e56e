/// Encodes the traces and parcels of the watch link.
enum LinkCoding {
    private static let format: UInt8 = 3
    /// The previous format, without a mark.
    private static let withoutMark: UInt8 = 2

    static func bytes(_ trace: LinkTrace) -> [UInt8] {
        var writer = ByteWriter()
        add(trace, to: &writer)
        return writer.bytes
    }

    static func trace(_ bytes: UnsafeRawBufferPointer) -> LinkTrace? {
        var reader = ByteReader(bytes)
        guard let trace = trace(&reader), reader.isAtEnd else { return nil }
        return trace
    }

    /// Encodes a parcel without its record's name, which is in the item.
    static func bytes(_ parcel: LinkParcel) -> [UInt8] {
        var writer = ByteWriter()
        add(parcel.trace, to: &writer)
        writer.add(VersionCoding.bytes(parcel.version))
        writer.add(byte: parcel.base == nil ? 0 : 1)
        if let base = parcel.base { writer.add(VersionCoding.bytes(base)) }
        return writer.bytes
    }

    static func parcel(_ key: RecordKey, _ bytes: [UInt8]) -> LinkParcel? {
        bytes.withUnsafeBytes {
            var reader = ByteReader($0)
            guard let trace = trace(&reader),
                let version = reader.content().flatMap({ VersionCoding.version($0) }),
                let hasBase = reader.byte()
            else { return nil }
            var base: Version?
            if hasBase != 0 {
                guard let found = reader.content().flatMap({ VersionCoding.version($0) }) else { return nil }
                base = found
            }
            guard reader.isAtEnd else { return nil }
            return LinkParcel(key: key, version: version, trace: trace, base: base)
        }
    }

    private static func add(_ trace: LinkTrace, to writer: inout ByteWriter) {
        writer.add(byte: format)
        writer.add(count: trace.fields.count)
        for field in trace.fields {
            writer.add(field.key)
            writer.add(count: field.known.count)
            for write in field.known { writer.add(write) }
        }
        writer.add(byte: trace.mark == nil ? 0 : 1)
        if let mark = trace.mark {
            writer.add(mark.number)
            writer.add(mark.hash)
        }
    }

    private static func trace(_ reader: inout ByteReader) -> LinkTrace? {
        guard let found = reader.byte(), found == format || found == withoutMark, let count = reader.count()
        else { return nil }
        var fields: [LinkTrace.Writes] = []
        for _ in 0..<count {
            guard let key = reader.text(), let known = reader.count() else { return nil }
            var writes: [UInt64] = []
            for _ in 0..<known {
                guard let write = reader.word() else { return nil }
                writes.append(write)
            }
            fields.append(.init(key: key, known: writes))
        }
        if found == withoutMark { return LinkTrace(fields) }
        guard let hasMark = reader.byte() else { return nil }
        if hasMark == 0 { return LinkTrace(fields) }
        guard let number = reader.word(), let hash = reader.word() else { return nil }
        return LinkTrace(fields, mark: HistoryMark(number: Int64(bitPattern: number), hash: hash))
    }
}
