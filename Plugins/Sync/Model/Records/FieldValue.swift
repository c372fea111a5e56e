/// The value of a field. Large contents are blobs: the record holds their digest, the bytes are sent
/// separately.
package enum FieldValue: Hashable, Sendable {
    /// No value; the same as a missing field.
    case absent
    /// A whole number.
    case integer(Int64)
    /// A number.
    case number(Double)
    /// Text.
    case text(String)
    /// A few bytes.
    case bytes([UInt8])
    /// Many bytes, identified by digest.
    case blob(BlobReference)

    /// Texts are compared by their bytes: two that differ only in the composition of their characters look the same, and are
    /// two for a store, a file system or another program.
    package static func == (left: FieldValue, right: FieldValue) -> Bool {
        switch (left, right) {
        case (.absent, .absent): true
        case (.integer(let mine), .integer(let other)): mine == other
        case (.number(let mine), .number(let other)): mine == other
        case (.text(let mine), .text(let other)): mine.utf8.elementsEqual(other.utf8)
        case (.bytes(let mine), .bytes(let other)): mine == other
        case (.blob(let mine), .blob(let other)): mine == other
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .absent: hasher.combine(0)
        case .integer(let number): hasher.combine(number)
        case .number(let number): hasher.combine(number)
        case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
        case .bytes(let bytes): hasher.combine(bytes)
        case .blob(let blob): hasher.combine(blob)
        }
    }

    /// Its size in bytes, without the bytes of a blob.
    package var byteCount: Int {
        switch self {
        case .absent: 0
        case .integer, .number: 8
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        case .blob: 24
        }
    }

    /// Whether it is a number, whole or not.
    package var isNumber: Bool {
        switch self {
        case .integer, .number: true
        case .absent, .text, .bytes, .blob: false
        }
    }

    /// The blob it references.
    package var blob: BlobReference? {
        if case .blob(let reference) = self { return reference }
        return nil
    }
}

/// Identifies a blob by the first 128 bits of its SHA-256 digest and its size in bytes.
package struct BlobReference: Hashable, Sendable, Comparable {
    package let high: UInt64
    package let low: UInt64
    package let size: Int64

    /// Whether it is sent in parts.
    var isLarge: Bool { size > Int64(SyncSettings.blobPart) }

    package static func < (left: BlobReference, right: BlobReference) -> Bool {
        (left.high, left.low, left.size) < (right.high, right.low, right.size)
    }
}

/// A field of a record, with the time and device of its last change.
package struct Field: Hashable, Sendable {
    package let key: String
    package var value: FieldValue
    package var stamp: Stamp
}

/// A field as stored by an app, without a stamp.
package struct RowField: Hashable, Sendable {
    package let key: String
    package var value: FieldValue

    package init(key: String, value: FieldValue) {
        self.key = key
        self.value = value
    }
}

/// A row of an app's store: every field that the store knows, in key order, including absent ones.
package typealias Row = [RowField]
