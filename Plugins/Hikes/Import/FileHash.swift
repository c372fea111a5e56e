import Foundation
import PluginKit

/// The SHA-256 of a file, of a long one computed on a thread of its own while the file is read. `nil` without libcrypto, and of
/// a file that cannot be read.
struct FileHash: ~Copyable {
    private let work: BackgroundWork<String?>?
    private var known: String?
    private var isKnown = false

    /// Hashes a file, or begins to. Throws `E-INTERRUPTED`.
    init(of url: URL) throws {
        let size = (try? url.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
        if size < HikeSettings.leastHashedBeside {
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

    /// Whether it is there, so that asking for it takes no time.
    var isReady: Bool { work?.hasEnded ?? true }

    /// The hash, as soon as it is there. Throws `E-INTERRUPTED`.
    mutating func value() throws -> String? {
        // The work returns its result once, and none is a result.
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
