/// The content of a record at one moment, as devices and cloud exchange it.
package struct Version: Hashable, Sendable {
    /// Counts how often the record was made: a record that is made again after its deletion is another incarnation.
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

    /// Sets a field at its place in the order.
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

    /// The blobs it names.
    package var blobs: [BlobReference] { fields.compactMap(\.value.blob) }

    /// A tombstone.
    package static func tombstone(incarnation: UInt32, stamp: Stamp) -> Version {
        Version(incarnation: incarnation, isDeleted: true, stamp: stamp, fields: [])
    }
}
