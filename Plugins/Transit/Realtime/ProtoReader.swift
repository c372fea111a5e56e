import PluginKit

/// Reads the fields of a message in the wire format of Protocol Buffers
/// (https://protobuf.dev/programming-guides/encoding/).
///
/// Sufficient for GTFS-realtime: a dozen message types are read, none is written. Every length is checked
/// against the remaining bytes.
struct ProtoReader {
    /// The value of a field.
    enum Field {
        case varint(UInt64)
        case fixed64(UInt64)
        case bytes(ArraySlice<UInt8>)
        case fixed32(UInt32)

        /// A whole number; negative ones wrap as the format defines.
        var integer: Int? {
            if case .varint(let bits) = self { return Int(Int64(bitPattern: bits)) }
            return nil
        }

        /// A whole number of 32 bits (`int32`), also a negative one that an encoder cut to 32 bits; `nil` for others.
        var integer32: Int? {
            guard case .varint(let bits) = self else { return nil }
            if bits <= UInt64(UInt32.max) { return Int(Int32(truncatingIfNeeded: bits)) }
            return Int32(exactly: Int64(bitPattern: bits)).map(Int.init)
        }

        /// Text; invalid bytes are replaced.
        var text: String? {
            if case .bytes(let bytes) = self { return String(decoding: bytes, as: UTF8.self) }
            return nil
        }

        /// An identifier: blanks around it are none of it, as in the tables of feeds.
        var identifier: String? {
            guard let text else { return nil }
            guard text.first == " " || text.last == " " else { return text }
            return String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }

        /// A 32-bit floating-point number.
        var float: Double? {
            if case .fixed32(let bits) = self { return Double(Float(bitPattern: bits)) }
            return nil
        }

        /// The fields of a nested message.
        var message: ProtoReader? {
            if case .bytes(let bytes) = self { return ProtoReader(bytes) }
            return nil
        }
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next field; `nil` at the end. Throws `E-TRANSIT-REALTIME` for invalid bytes.
    mutating func next() throws -> (number: Int, value: Field)? {
        guard !rest.isEmpty else { return nil }
        let start = rest.startIndex
        let key = try varint()
        let number = Int(truncatingIfNeeded: key >> 3)
        guard key >> 3 > 0, key >> 3 < 1 << 29 else { throw Self.fault("an invalid field number", start) }
        switch key & 7 {
        case 0: return (number, .varint(try varint()))
        case 1: return (number, .fixed64(try fixed(8)))
        case 2:
            let length = try varint()
            guard length <= UInt64(rest.count) else {
                throw Self.fault("a truncated value", start)
            }
            let value = rest.prefix(Int(length))
            rest = rest.dropFirst(Int(length))
            return (number, .bytes(value))
        case 5: return (number, .fixed32(UInt32(truncatingIfNeeded: try fixed(4))))
        default: throw Self.fault("an unknown wire type", start)
        }
    }

    private mutating func varint() throws -> UInt64 {
        var value: UInt64 = 0
        let start = rest.startIndex
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = rest.popFirst() else {
                throw Self.fault("a truncated number", start)
            }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw Self.fault("a number of more than ten bytes", start)
    }

    private mutating func fixed(_ count: Int) throws -> UInt64 {
        guard rest.count >= count else { throw Self.fault("a truncated number", rest.startIndex) }
        let value = rest.prefix(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(count)
        return value
    }

    private static func fault(_ what: String, _ offset: Int) -> RutterError {
        TransitErrors.realtime("not a GTFS-realtime message: \(what) at byte \(offset)")
    }
}
