import Foundation
import TrailStores

/// Record names as the UUIDs used in the apps' stores.
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

    /// Parses a name from UTF-8.
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

    /// The same in lower case, as some apps write it.
    package var lowercaseText: String { text.lowercased() }
}

extension KeyRange {
    /// The bounds of the range for databases: from before the first type to after the last.
    var bounds: (after: (type: Int64, name: String), through: (type: Int64, name: String)) {
        (
            (after.map { Int64($0.type.rawValue) } ?? -1, after?.name.text ?? ""),
            (through.map { Int64($0.type.rawValue) } ?? Int64(UInt8.max) + 1, through?.name.text ?? "")
        )
    }
}

extension RawStatement {
    /// The record of a column with its type and the next with its name; `nil` if invalid.
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

    /// Binds the text of a name without creating a string, for loops; `isLowercase` selects lower case.
    func bind(_ index: Int32, _ name: RecordName, isLowercase: Bool = false) {
        name.withText(isLowercase: isLowercase) { bind(index, utf8: $0) }
    }

    /// Runs the statement with the text of a name as a parameter, without a copy.
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
            // The bit that distinguishes lower case, already set in digits and the dash.
            if isLowercase { for index in text.indices { text[index] |= 0x20 } }
            return try body(UnsafeBufferPointer(text))
        }
    }
}
