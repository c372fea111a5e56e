/// The content of a record at one moment, as devices and cloud exchange it.
package struct Version: Hashable, Sendable {
    /// Number of times the record was created: a record recreated after its deletion is another incarnation.
    package var incarnation: UInt32 = 1
    /// Whether this is a tombstone, which has no fields.
    package var isDeleted = false
    /// When it was deleted.
    package var stamp = Stamp.none
    /// The fields in the order of their keys.
    package var fields: [Field] = []

    /// The field of a key.
    package subscript(key: String) -> Field? {
        for field in fields where field.key == key { return field }
        return nil
    }

    /// The value of a key, absent if there is no such field.
    package func value(_ key: String) -> FieldValue { self[key]?.value ?? .absent }

    /// Sets a field; the keys stay in order.
    package mutating func set(_ field: Field) {
        for index in fields.indices where fields[index].key >= field.key {
            if fields[index].key == field.key {
                fields[index] = field
            } else {
                fields.insert(field, at: index)
            }
            return
        }
        fields.append(field)
    }

    /// The blobs it references.
    package var blobs: [BlobReference] { fields.compactMap(\.value.blob) }

    /// Content written by a newer version in an unknown format: kept, and sent on unchanged.
    package static func opaque(_ bytes: [UInt8]) -> Version {
        Version(fields: [Field(key: opaqueKey, value: .bytes(bytes), stamp: .none)])
    }

    /// No app's field has this key.
    private static let opaqueKey = "\u{0}"

    /// The bytes of unreadable content; `nil` for any other.
    var opaqueBytes: [UInt8]? {
        guard fields.count == 1, fields[0].key == Self.opaqueKey, case .bytes(let bytes) = fields[0].value
        else { return nil }
        return bytes
    }

    /// Whether the content cannot be read.
    package var isOpaque: Bool { opaqueBytes != nil }

    /// A tombstone.
    static func tombstone(incarnation: UInt32, stamp: Stamp) -> Version {
        Version(incarnation: incarnation, isDeleted: true, stamp: stamp, fields: [])
    }
}
