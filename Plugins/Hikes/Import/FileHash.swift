import Foundation
import PluginKit

/// The SHA-256 of a file; a long file is hashed on a separate thread while it is read. `nil` without
/// libcrypto, and for a file that cannot be read.
struct FileHash: ~Copyable {
    private let work: BackgroundWork<String?>?
    private var known: String?
    private var isKnown = false

    /// Hashes a short file at once, and starts a thread for a long one. Throws `E-INTERRUPTED`.
    init(of url: URL) throws {
        let size = (try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
        if size < HikeSettings.leastHashedConcurrently {
            work = nil
            isKnown = true
            known = try Self.sha256(url) { try Interruption.check() }
        } else {
            work = BackgroundWork { isStopped in
                try Self.sha256(url) { if isStopped() { throw Interruption.stopped } }
            }
        }
    }

    deinit { work?.end() }

    /// Whether the hash is computed, so that `value()` returns at once.
    var isReady: Bool { work?.hasEnded ?? true }

    /// Waits for the hash. Throws `E-INTERRUPTED`.
    mutating func value() throws -> String? {
        // The result can be taken only once, and `nil` is a valid result.
        if !isKnown, let work {
            known = try work.result()
            isKnown = true
        }
        return known
    }

    private static func sha256(_ url: URL, check: () throws -> Void) throws -> String? {
        guard NativeLibrary.crypto.isAvailable else { return nil }
        do {
            return try Digest.sha256(contentsOf: url, check: check)
        } catch let error as RutterError where error.kind.code == CommonErrors.interrupted.code {
            throw error
        } catch {
            return nil
        }
    }
}
