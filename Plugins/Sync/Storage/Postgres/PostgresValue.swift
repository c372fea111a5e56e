/// Values in PostgreSQL's binary form: numbers big-endian, arrays after a header of their dimension.
enum PostgresValue {
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
    case integers([Int64])
    case texts([String])
    case booleans([Bool])
    case manyBytes([[UInt8]])

    /// The type's number in `pg_type`.
    var type: UInt32 {
        switch self {
        case .integer: Self.bigint
        case .text: Self.textType
        case .bytes: Self.bytea
        case .integers: 1016
        case .texts: 1009
        case .booleans: 1000
        case .manyBytes: 1001
        }
    }

    private static let boolean: UInt32 = 16
    private static let bytea: UInt32 = 17
    private static let bigint: UInt32 = 20
    private static let textType: UInt32 = 25

    /// The value as it is sent.
    var content: [UInt8] {
        switch self {
        case .integer(let number): return Self.word(number)
        case .text(let text): return Array(text.utf8)
        case .bytes(let bytes): return bytes
        case .integers(let numbers):
            return Self.array(Self.bigint, numbers, size: 8) { Self.add($0, to: &$1) }
        case .texts(let texts):
            return Self.array(Self.textType, texts, size: 32) { $1.append(contentsOf: $0.utf8) }
        case .booleans(let flags): return Self.array(Self.boolean, flags, size: 1) { $1.append($0 ? 1 : 0) }
        case .manyBytes(let all):
            let average = all.reduce(0) { $0 + $1.count } / max(all.count, 1)
            return Self.array(Self.bytea, all, size: average) { $1.append(contentsOf: $0) }
        }
    }

    private static func word(_ number: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        add(number, to: &bytes)
        return bytes
    }

    private static func add(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private static func array<Element>(
        _ type: UInt32, _ elements: [Element], size: Int, _ add: (Element, inout [UInt8]) -> Void
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24 + elements.count * (size + 8))
        Self.add(Int32(elements.isEmpty ? 0 : 1), to: &bytes)
        Self.add(Int32(0), to: &bytes)
        Self.add(type, to: &bytes)
        if elements.isEmpty { return bytes }
        Self.add(Int32(elements.count), to: &bytes)
        Self.add(Int32(1), to: &bytes)
        for element in elements {
            let offset = bytes.count
            Self.add(Int32(0), to: &bytes)
            add(element, &bytes)
            let length = Int32(bytes.count - offset - 4).bigEndian
            withUnsafeBytes(of: length) { for index in 0..<4 { bytes[offset + index] = $0[index] } }
        }
        return bytes
    }
}
