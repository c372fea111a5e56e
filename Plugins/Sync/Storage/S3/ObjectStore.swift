/// Named objects: the operations that a zone requires of a store.
package protocol ObjectStore: AnyObject {
    /// An object, or a range of its bytes; `nil` if there is none.
    func get(_ name: String, range: Range<Int>?, longest: Int) throws(CloudFailure) -> StoredObject?
    /// Whether there is an object.
    func exists(_ name: String) throws(CloudFailure) -> Bool
    /// Writes an object completely or not at all. After `.transient` it is unknown whether it was or will
    /// still be written.
    func put(_ name: String, _ bytes: [UInt8], _ condition: WriteCondition) throws(CloudFailure) -> Written
    /// Deletes an object, if it exists.
    func delete(_ name: String) throws(CloudFailure)
    /// Calls `body` with the objects in a folder, in batches, in any order.
    func list(_ folder: String, _ body: ([ListedObject]) throws -> Void) throws
}

extension ObjectStore {
    func get(_ name: String, longest: Int) throws(CloudFailure) -> StoredObject? {
        try get(name, range: nil, longest: longest)
    }
}

/// The condition of a write.
package enum WriteCondition: Hashable, Sendable {
    case always
    /// No object has the name.
    case absent
    /// The object has this version.
    case matches(String)
}

/// The outcome of a write.
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
