import SyncPlugin
import Synchronization

/// An object store in memory used concurrently by several clouds, as a server that honours conditions, over
/// an unreliable network.
package final class MemoryObjectStore: Sendable {
    /// Possible faults.
    package enum Fault: CaseIterable, Sendable {
        /// The request never arrives.
        case lostRequest
        /// It is performed, and the answer is lost.
        case lostReply
        /// It is performed, and repeated by the library; the second answer is the visible one.
        case sentTwice
        /// Its sender gives up; it is performed a few requests later.
        case late
    }

    private struct Late {
        let name: String
        /// `nil` when it is deleted.
        let bytes: [UInt8]?
        let condition: WriteCondition
        var requests: Int
    }

    private struct State {
        var objects: [String: StoredObject] = [:]
        var late: [Late] = []
        var versions = 0
        var random: UInt64
        var faults: Double
        var requests = 0
        var bytesRead = 0
    }

    private let state: Mutex<State>

    /// A store; the share `faults` of its writes fails.
    package init(seed: UInt64 = 1, faults: Double = 0) {
        state = Mutex(State(random: seed, faults: faults))
    }

    /// Ends all faults, and delivers late requests.
    package func heal() {
        state.withLock { state in
            state.faults = 0
            for late in state.late { Self.arrive(late, &state) }
            state.late = []
        }
    }

    /// The names of all objects, in order.
    package var names: [String] { state.withLock { $0.objects.keys.sorted() } }

    /// The requests so far.
    package var requests: Int { state.withLock { $0.requests } }

    /// Bytes of objects returned so far.
    package var bytesRead: Int { state.withLock { $0.bytesRead } }

    /// Changes an object without the clouds' knowledge.
    package func change(_ name: String, _ body: (inout [UInt8]) -> Void) {
        state.withLock { state in
            guard let object = state.objects[name] else { return }
            var bytes = object.bytes
            body(&bytes)
            state.objects[name] = StoredObject(bytes: bytes, tag: object.tag)
        }
    }

    /// Removes an object without the clouds' knowledge.
    package func remove(_ name: String) { state.withLock { $0.objects[name] = nil } }

    private static func write(
        _ name: String, _ bytes: [UInt8], _ condition: WriteCondition, _ state: inout State
    ) -> Written {
        switch condition {
        case .always: break
        case .absent: if state.objects[name] != nil { return .conflict }
        case .matches(let tag): if state.objects[name]?.tag != tag { return .conflict }
        }
        state.versions += 1
        let tag = "\"\(state.versions)\""
        state.objects[name] = StoredObject(bytes: bytes, tag: tag)
        return .done(tag)
    }

    private static func arrive(_ late: Late, _ state: inout State) {
        if let bytes = late.bytes {
            _ = write(late.name, bytes, late.condition, &state)
        } else {
            state.objects[late.name] = nil
        }
    }

    /// Counts a request, and delivers late ones.
    private static func arrive(_ state: inout State) {
        state.requests += 1
        for index in state.late.indices { state.late[index].requests -= 1 }
        for late in state.late where late.requests <= 0 { arrive(late, &state) }
        state.late.removeAll { $0.requests <= 0 }
    }

    private static func next(_ state: inout State) -> UInt64 {
        state.random &+= 0x9e37_79b9_7f4a_7c15
        return ContentHash.mix(state.random, 0)
    }

    /// Requests after which a late one is delivered.
    private static func delay(_ state: inout State) -> Int { Int(next(&state) % 40) + 1 }

    private static func fault(_ state: inout State) -> Fault? {
        guard Double(next(&state) >> 11) / 0x1p53 < state.faults else { return nil }
        return Fault.allCases[Int(next(&state) % UInt64(Fault.allCases.count))]
    }
}

extension MemoryObjectStore: ObjectStore {
    package func get(_ name: String, range: Range<Int>?, longest: Int) throws(CloudFailure) -> StoredObject? {
        let object = state.withLock { state in
            Self.arrive(&state)
            let object = state.objects[name]
            let count = object?.bytes.count ?? 0
            state.bytesRead += range?.clamped(to: 0..<count).count ?? count
            return object
        }
        guard let object, let range else { return object }
        return StoredObject(
            bytes: Array(object.bytes[range.clamped(to: object.bytes.indices)]), tag: object.tag)
    }

    package func exists(_ name: String) throws(CloudFailure) -> Bool {
        state.withLock { state in
            Self.arrive(&state)
            return state.objects[name] != nil
        }
    }

    package func put(_ name: String, _ bytes: [UInt8], _ condition: WriteCondition) throws(CloudFailure)
        -> Written
    {
        let written = state.withLock { state -> Written? in
            Self.arrive(&state)
            switch Self.fault(&state) {
            case nil: return Self.write(name, bytes, condition, &state)
            case .lostRequest: return nil
            case .lostReply:
                _ = Self.write(name, bytes, condition, &state)
                return nil
            case .sentTwice:
                _ = Self.write(name, bytes, condition, &state)
                return Self.write(name, bytes, condition, &state)
            case .late:
                state.late.append(
                    Late(name: name, bytes: bytes, condition: condition, requests: Self.delay(&state)))
                return nil
            }
        }
        guard let written else { throw .transient("the answer was lost") }
        return written
    }

    package func delete(_ name: String) throws(CloudFailure) {
        let isAnswered = state.withLock { state in
            Self.arrive(&state)
            let fault = Self.fault(&state)
            switch fault {
            case .lostRequest: break
            case .late:
                state.late.append(
                    Late(name: name, bytes: nil, condition: .always, requests: Self.delay(&state)))
            case nil, .lostReply, .sentTwice: state.objects[name] = nil
            }
            return fault == nil || fault == .sentTwice
        }
        if !isAnswered { throw .transient("the answer was lost") }
    }

    package func list(_ folder: String, _ body: ([ListedObject]) throws -> Void) throws {
        let found = state.withLock { state in
            Self.arrive(&state)
            return state.objects.filter { $0.key.hasPrefix(folder + "/") }.map {
                ListedObject(name: String($0.key.dropFirst(folder.count + 1)), size: $0.value.bytes.count)
            }
        }
        try body(found.sorted { $0.name < $1.name })
    }
}
