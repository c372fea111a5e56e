import PluginKit

/// Proves that a store honours conditional writes before anything is trusted to it. In one that ignores them, of two devices that
/// save at once one would overwrite the other's changes without anybody's knowing.
struct ConditionalProbe {
    let store: any ObjectStore

    /// Throws `E-SYNC-UNSAFE` where a condition is not kept.
    func run() throws {
        var attempt = 1
        while true {
            let name = "probes/\(BatchName.random())"
            let result = Result { try steps(name) }
            try? store.delete(name)
            switch result {
            case .success: return
            // A write that was sent twice underneath loses against itself.
            case .failure(is TooStrict) where attempt < Self.attempts: attempt += 1
            case .failure(let strict as TooStrict): throw refusal(strict.why)
            case .failure(let error): throw error
            }
        }
    }

    private static let attempts = 3

    /// A write was refused whose condition holds.
    private struct TooStrict: Error {
        let why: String
    }

    private func steps(_ name: String) throws {
        let first = Array("first".utf8)
        let second = Array("second".utf8)
        guard case .done(let tag) = try store.put(name, first, .absent) else {
            throw TooStrict(why: "it refuses If-None-Match for a new object")
        }
        if tag.isEmpty { throw refusal("it does not tell versions of objects (ETag)") }
        guard try store.put(name, second, .absent) == .conflict else {
            throw refusal("it ignores If-None-Match")
        }
        // Of the form of a version, but none that the object had.
        let other = "\"\(String(repeating: "0", count: 32))\""
        guard try store.put(name, second, .matches(other)) == .conflict else {
            throw refusal("it ignores If-Match")
        }
        guard case .done(let next) = try store.put(name, second, .matches(tag)) else {
            throw TooStrict(why: "it refuses If-Match with the version that the object has")
        }
        guard try store.put(name, first, .matches(tag)) == .conflict else {
            throw refusal("it takes If-Match with an old version")
        }
        let read = try store.get(name, longest: second.count)
        guard read?.bytes == second, read?.tag == next else {
            throw refusal("a read does not give what was written last")
        }
    }

    private func refusal(_ why: String) -> RutterError {
        SyncErrors.unsafe(
            "the object store cannot keep devices apart that save at once: \(why)", at: .parameter("cloud"),
            fix: "a store with conditional writes: Amazon S3, MinIO, SeaweedFS; or a file or PostgreSQL")
    }
}
