import Foundation
import TrailStores

/// Record names as the UUIDs that the apps' stores know them by.
extension RecordName {
    /// The name of a UUID.
    init(_ id: UUID) {
        let words = withUnsafeBytes(of: id.uuid) { $0.loadUnaligned(as: (UInt64, UInt64).self) }
        self.init(high: UInt64(bigEndian: words.0), low: UInt64(bigEndian: words.1))
    }

    init?(text: String) {
        var text = text
        guard let name = text.withUTF8({ RecordName(utf8: $0) }) else { return nil }
        self = name
    }

    /// The name in the bytes of a text.
    init?(utf8: UnsafeBufferPointer<UInt8>) {
        guard let id = UUID(hexadecimal: utf8) else { return nil }
        self.init(id)
    }

    /// The UUID.
    var id: UUID {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// The UUID as Foundation prints it.
    package var text: String { id.hexadecimal }

    /// The same in small letters, as some apps write it.
    package var lowercaseText: String { text.lowercased() }
}

extension KeyRange {
    /// The ends of the range as databases compare them: before the first type there is, and after the last.
    var bounds: (after: (type: Int64, name: String), through: (type: Int64, name: String)) {
        (
            (after.map { Int64($0.type.rawValue) } ?? -1, after?.name.text ?? ""),
            (through.map { Int64($0.type.rawValue) } ?? Int64(UInt8.max) + 1, through?.name.text ?? "")
        )
    }
}

extension RawStatement {
    /// The record of a column with its type and the next with its name; `nil` where they name none.
    func key(_ column: Int32) -> RecordKey? {
        guard let type = UInt8(exactly: integer(column)).flatMap({ RecordType(rawValue: $0) }),
            let name = bytes(column + 1).flatMap({
                RecordName(utf8: $0.assumingMemoryBound(to: UInt8.self))
            })
        else { return nil }
        return RecordKey(type: type, name: name)
    }

    /// Binds the type of a record, and its name after it.
    func bind(_ index: Int32, _ key: RecordKey) {
        bind(index, Int64(key.type.rawValue))
        bind(index + 1, key.name)
    }

    /// Binds the text of a name, for the loops: no string is made. With `isLowercase` in small letters.
    func bind(_ index: Int32, _ name: RecordName, isLowercase: Bool = false) {
        name.withText(isLowercase: isLowercase) { bind(index, utf8: $0) }
    }

    /// Runs the statement with the text of a name, which is not copied, as one of its parameters.
    func run(_ index: Int32, _ name: RecordName) throws {
        try name.withText {
            bind(index, utf8: $0, isCopied: false)
            defer { bindNull(index) }
            try run()
        }
    }
}

extension RecordName {
    fileprivate func withText<Result>(
        isLowercase: Bool = false, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: UUID.hexadecimalCount) { text in
            id.writeHexadecimal(text)
            // The bit between capitals and small letters, which digits and the dash have anyway.
            if isLowercase { for index in text.indices { text[index] |= 0x20 } }
            return try body(UnsafeBufferPointer(text))
        }
    }
}
