import Foundation
import PluginKit
import PluginTestKit
import SyncTrials
import Synchronization
import Testing

@testable import SyncPlugin

struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

/// A store in which one write of a head fails as specified.
final class FaultyPut: ObjectStore {
    let base: MemoryObjectStore
    var next: MemoryObjectStore.Fault?
    var before: (() -> Void)?
    var afterwards: (() -> Void)?

    init(_ base: MemoryObjectStore) { self.base = base }

    func get(_ name: String, range: Range<Int>?, longest: Int) throws(CloudFailure) -> StoredObject? {
        try base.get(name, range: range, longest: longest)
    }

    func exists(_ name: String) throws(CloudFailure) -> Bool { try base.exists(name) }
    func delete(_ name: String) throws(CloudFailure) { try base.delete(name) }
    func list(_ folder: String, _ body: ([ListedObject]) throws -> Void) throws {
        try base.list(folder, body)
    }

    func put(_ name: String, _ bytes: [UInt8], _ condition: WriteCondition) throws(CloudFailure) -> Written {
        if name == ZoneHead.name, let body = before {
            before = nil
            body()
        }
        guard name == ZoneHead.name, let fault = next else { return try base.put(name, bytes, condition) }
        next = nil
        if fault == .lostRequest { throw .transient("the answer was lost") }
        let written = try base.put(name, bytes, condition)
        if fault == .sentTwice { return try base.put(name, bytes, condition) }
        afterwards?()
        afterwards = nil
        if fault == .lostReply { throw .transient("the answer was lost") }
        return written
    }
}

/// A store that ignores one of the conditions.
final class UntrustedStore: ObjectStore {
    enum Fault: CaseIterable, Sendable {
        case ignoresAbsent, ignoresMatches, matchesAnyThatWas, refusesMatches, hasNoVersions, readsLate
    }

    let base = MemoryObjectStore()
    private let fault: Fault
    private var was: Set<String> = []
    private var first: StoredObject?

    init(_ fault: Fault) { self.fault = fault }

    func get(_ name: String, range: Range<Int>?, longest: Int) throws(CloudFailure) -> StoredObject? {
        if fault == .readsLate, let first { return first }
        return try base.get(name, range: range, longest: longest)
    }

    func exists(_ name: String) throws(CloudFailure) -> Bool { try base.exists(name) }
    func delete(_ name: String) throws(CloudFailure) { try base.delete(name) }
    func list(_ folder: String, _ body: ([ListedObject]) throws -> Void) throws {
        try base.list(folder, body)
    }

    func put(_ name: String, _ bytes: [UInt8], _ condition: WriteCondition) throws(CloudFailure) -> Written {
        var condition = condition
        switch (fault, condition) {
        case (.ignoresAbsent, .absent), (.ignoresMatches, .matches): condition = .always
        case (.matchesAnyThatWas, .matches(let tag)) where was.contains(tag): condition = .always
        case (.refusesMatches, .matches): return .conflict
        default: break
        }
        let written = try base.put(name, bytes, condition)
        if case .done(let tag) = written {
            was.insert(tag)
            if first == nil { first = StoredObject(bytes: bytes, tag: tag) }
            if fault == .hasNoVersions { return .done("") }
        }
        return written
    }
}
