/// Decodes UTF-8 one byte at a time. Invalid bytes become U+FFFD.
struct UTF8Decoder {
    static let replacement: UInt32 = 0xFFFD

    private var value: UInt32 = 0
    private var missing = 0
    private var smallest: UInt32 = 0

    /// Whether a scalar is incomplete.
    var isWithinScalar: Bool { missing > 0 }

    /// Adds a byte and returns the scalars it completes: usually none or one, two after an invalid sequence.
    mutating func add(_ byte: UInt8) -> [UInt32] {
        guard missing > 0 else { return begin(byte) }
        guard byte & 0xC0 == 0x80 else {
            missing = 0
            return [Self.replacement] + begin(byte)
        }
        value = value << 6 | UInt32(byte & 0x3F)
        missing -= 1
        guard missing == 0 else { return [] }
        let isScalar = value >= smallest && Unicode.Scalar(value) != nil
        return [isScalar ? value : Self.replacement]
    }

    private mutating func begin(_ byte: UInt8) -> [UInt32] {
        switch byte {
        case 0x00...0x7F: return [UInt32(byte)]
        case 0xC2...0xDF: start(UInt32(byte & 0x1F), missing: 1, smallest: 0x80)
        case 0xE0...0xEF: start(UInt32(byte & 0x0F), missing: 2, smallest: 0x800)
        case 0xF0...0xF4: start(UInt32(byte & 0x07), missing: 3, smallest: 0x10000)
        default: return [Self.replacement]
        }
        return []
    }

    private mutating func start(_ bits: UInt32, missing: Int, smallest: UInt32) {
        value = bits
        self.missing = missing
        self.smallest = smallest
    }
}
