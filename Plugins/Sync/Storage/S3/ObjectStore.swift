/// Objects under names: what a zone needs of a store, and no more.
package protocol ObjectStore: AnyObject {
    /// An object, or bytes of it; `nil` where there is none.
    func get(_ name: String, range: Range<Int>?, longest: Int) throws(CloudFailure) -> StoredObject?
    /// Whether there is an object.
    func exists(_ name: String) throws(CloudFailure) -> Bool
    /// Writes an object, whole or not at all. After `.transient` nobody knows whether it was written, or still will be.
    func put(_ name: String, _ bytes: [UInt8], _ condition: WriteCondition) throws(CloudFailure) -> Written
    /// Deletes an object that may be there.
    func delete(_ name: String) throws(CloudFailure)
    /// Calls with the objects in a folder, some at a time, in any order.
    func list(_ folder: String, _ body: ([ListedObject]) throws -> Void) throws
}

extension ObjectStore {
    func get(_ name: String, longest: Int) throws(CloudFailure) -> StoredObject? {
        try get(name, range: nil, longest: longest)
    }
}

/// When an object may be written.
package enum WriteCondition: Hashable, Sendable {
    case always
    /// No object has the name.
    case absent
    /// The object has this version.
    case matches(String)
}

/// What a write came to.
package enum Written: Hashable, Sendable {
    /// Done; the object's version.
    case done(String)
    /// The condition does not hold.
    case conflict
}

/// An object's bytes.
package struct StoredObject: Sendable {
    package let bytes: [UInt8]
    /// Its version.
    package let tag: String

    package init(bytes: [UInt8], tag: String) {
        self.bytes = bytes
        self.tag = tag
    }
}

/// An object in a list.
package struct ListedObject: Hashable, Sendable {
    /// Its name in the folder that was listed.
    package var name: String
    package var size: Int

    package init(name: String, size: Int) {
        self.name = name
        self.size = size
    }
}
