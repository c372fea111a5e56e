import PluginKit

/// Checks that a store honours conditional writes before it is used. In one that ignores them, one device
/// would silently overwrite the concurrent changes of another.
struct ConditionalProbe {
    let store: any ObjectStore
    let random: ZoneRandom

    /// Throws `E-SYNC-UNSAFE` if a condition is ignored.
    func run() throws {
        var attempt = 1
        while true {
            let name = "probes/\(BatchName.digits(random.next()))"
            let result = Result { try steps(name) }
            try? store.delete(name)
            switch result {
            case .success: return
            // A write that the library sent twice conflicts with itself.
            case .failure(is TooStrict) where attempt < Self.attempts: attempt += 1
            case .failure(let strict as TooStrict): throw refusal(strict.why)
            case .failure(let error): throw error
            }
        }
    }

    private static let attempts = 3

    /// A write whose condition holds was refused.
    private struct TooStrict: Error {
        let why: String
    }

    private func steps(_ name: String) throws {
        let first = Array("first".utf8)
        let second = Array("second".utf8)
        guard case .done(let tag) = try store.put(name, first, .absent) else {
            throw TooStrict(why: "it refuses If-None-Match for a new object")
        }
        if tag.isEmpty { throw refusal("it returns no versions of objects (ETag)") }
        guard try store.put(name, second, .absent) == .conflict else {
            throw refusal("it ignores If-None-Match")
        }
        // In the form of a version, but not one that the object had.
        let other = "\"\(String(repeating: "0", count: 32))\""
        guard try store.put(name, second, .matches(other)) == .conflict else {
            throw refusal("it ignores If-Match")
        }
        guard case .done(let next) = try store.put(name, second, .matches(tag)) else {
            throw TooStrict(why: "it refuses If-Match with the current version")
        }
        guard try store.put(name, first, .matches(tag)) == .conflict else {
            throw refusal("it accepts If-Match with an old version")
        }
        let read = try store.get(name, longest: second.count)
        guard read?.bytes == second, read?.tag == next else {
            throw refusal("a read does not return the last write")
        }
    }

    private func refusal(_ why: String) -> RutterError {
        SyncErrors.unsafe(
            "unsafe for concurrent devices: \(why)", at: .parameter("cloud"),
            fix: "use a store with conditional writes (Amazon S3, MinIO, SeaweedFS), a file or PostgreSQL")
    }
}
