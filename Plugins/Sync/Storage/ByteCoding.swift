/// Writes values as bytes: little-endian words, strings and lists with a length prefix. It has its own
/// growing memory: a sync writes some dozens of values for each of thousands of records.
struct ByteWriter: ~Copyable {
    private var start: UnsafeMutableRawPointer
    private var capacity: Int
    /// Number of bytes written.
    private(set) var count = 0

    private static let firstCapacity = 512

    init() {
        capacity = Self.firstCapacity
        start = .allocate(byteCount: capacity, alignment: 1)
    }

    deinit { start.deallocate() }

    /// Restarts with the allocated memory.
    mutating func clear() { count = 0 }

    /// The bytes written.
    var bytes: [UInt8] { withBytes { Array($0) } }

    /// The bytes written, in place.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    @inline(__always)
    private mutating func makeRoom(_ size: Int) { if capacity - count < size { grow(size) } }

    private mutating func grow(_ size: Int) {
        capacity = max(2 * capacity, count + size)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
        larger.copyMemory(from: start, byteCount: count)
        start.deallocate()
        start = larger
    }

    mutating func add(_ value: UInt64) {
        makeRoom(8)
        start.storeBytes(of: value.littleEndian, toByteOffset: count, as: UInt64.self)
        count += 8
    }

    mutating func add(_ value: Int64) { add(UInt64(bitPattern: value)) }

    mutating func add(byte: UInt8) {
        makeRoom(1)
        start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    /// A number in seven-bit groups, the lowest first.
    mutating func add(count: Int) {
        var rest = UInt64(count)
        while rest >= 0x80 {
            add(byte: UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        add(byte: UInt8(rest))
    }

    mutating func add(_ content: [UInt8]) { content.withUnsafeBytes { add($0) } }

    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    private mutating func add(_ content: UnsafeRawBufferPointer) {
        add(count: content.count)
        makeRoom(content.count)
        if let source = content.baseAddress {
            (start + count).copyMemory(from: source, byteCount: content.count)
        }
        count += content.count
    }
}

/// Reads the output of a `ByteWriter`; returns `nil` if the bytes are invalid. The bytes must not move while
/// it reads.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() -> UInt8? {
        guard position < bytes.count else { return nil }
        position += 1
        return bytes[position - 1]
    }

    mutating func word() -> UInt64? {
        guard bytes.count - position >= 8 else { return nil }
        defer { position += 8 }
        return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    }

    mutating func count() -> Int? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while let next = byte(), shift < 63 {
            value |= UInt64(next & 0x7f) << shift
            if next < 0x80 { return Int(exactly: value) }
            shift += 7
        }
        return nil
    }

    private mutating func slice() -> UnsafeRawBufferPointer? {
        guard let count = count(), count <= bytes.count - position else { return nil }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)])
    }

    mutating func content() -> [UInt8]? { slice().map { Array($0) } }

    mutating func text() -> String? { slice().map { String(decoding: $0, as: UTF8.self) } }
}
