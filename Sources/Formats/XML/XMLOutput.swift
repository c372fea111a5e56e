import Core

/// Writes XML as bytes: elements, escaped text, numbers with fixed decimals. Independent of the format.
package struct XMLOutput {
    /// The written bytes.
    package private(set) var bytes: [UInt8] = []

    /// An empty output with a capacity in bytes.
    package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    /// Appends bytes unchanged.
    package mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Bytes, unchanged.
    package mutating func raw(_ other: [UInt8]) { bytes.append(contentsOf: other) }

    /// Removes everything written after an offset.
    package mutating func cut(to count: Int) { bytes.removeLast(max(0, bytes.count - count)) }

    /// Appends text unchanged, including markup.
    package mutating func markup(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Appends escaped text, for content and for attributes in double quotes. XML 1.0 cannot represent most
    /// control characters: they are omitted.
    package mutating func text(_ text: String) {
        if text.utf8.allSatisfy({ $0 >= 32 && $0 != 38 && $0 != 60 && $0 != 62 && $0 != 34 && $0 < 127 }) {
            bytes.append(contentsOf: text.utf8)
            return
        }
        for scalar in text.unicodeScalars {
            if let reference = Markup.reference(for: scalar) {
                raw(reference)
            } else if Markup.isAllowed(scalar) {
                bytes.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
            }
        }
    }

    /// Appends a number with at most this many decimals (0 to 9), without trailing zeros and exponent. The
    /// number must be finite.
    package mutating func decimal(_ value: Double, _ decimals: Int) {
        DecimalText.append(value, decimals: min(9, max(0, decimals)), to: &bytes)
    }
}
