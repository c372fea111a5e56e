import Foundation

/// Fast conversion between UUIDs and text, for stores with hundreds of thousands of them.
extension UUID {
    /// A UUID of 36 characters of either case; `nil` for anything else.
    public init?(hexadecimal text: UnsafeBufferPointer<UInt8>) {
        guard text.count == Self.hexadecimalCount else { return nil }
        var bytes: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for (index, byte) in text.enumerated() {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Self.digit(byte) else { return nil }
            if digits < 16 { bytes.0 = bytes.0 << 4 | digit } else { bytes.1 = bytes.1 << 4 | digit }
            digits += 1
        }
        let words = (bytes.0.bigEndian, bytes.1.bigEndian)
        self = withUnsafeBytes(of: words) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// The same as `uuidString`, but ten times as fast (that one uses `printf`).
    public var hexadecimal: String {
        String(unsafeUninitializedCapacity: Self.hexadecimalCount) { writeHexadecimal($0) }
    }

    /// Characters of a UUID as text.
    public static let hexadecimalCount = 36

    /// Writes the text into a sufficiently large buffer; returns its length.
    @discardableResult
    public func writeHexadecimal(_ text: UnsafeMutableBufferPointer<UInt8>) -> Int {
        withUnsafeBytes(of: uuid) { bytes in
            var index = 0
            for (position, byte) in bytes.enumerated() {
                if position == 4 || position == 6 || position == 8 || position == 10 {
                    text[index] = UInt8(ascii: "-")
                    index += 1
                }
                text[index] = Self.letter(byte >> 4)
                text[index + 1] = Self.letter(byte & 15)
                index += 2
            }
            return index
        }
    }

    private static func letter(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        default: nil
        }
    }
}
