import CSQLCipher
import Core
import Foundation
import PluginKit
import TrailStores

extension NativeLibrary {
    /// SQLCipher.
    static let cipher = NativeLibrary(
        "decrypting stores", packages: "libsqlcipher0", isThere: csqlcipher_is_there)
}

/// A database that SQLCipher has encrypted.
struct EncryptedStore {
    let url: URL

    /// Statements that select the formats of versions of SQLCipher, tried in turn: the installed one's own, then those of
    /// older ones, as newer libraries and then as older ones name them.
    private static let formats = [
        "", "PRAGMA cipher_plaintext_header_size = 32", "PRAGMA cipher_compatibility = 3",
        "PRAGMA cipher_compatibility = 2", "PRAGMA cipher_compatibility = 1", "PRAGMA kdf_iter = 4000",
        "PRAGMA cipher_use_hmac = OFF; PRAGMA kdf_iter = 4000",
    ]

    private static let companions = ["", "-wal", "-journal"]
    /// Bytes of a message of the library.
    private static let messageSize = 512

    /// Writes its decrypted content to a new file in a folder; the file itself is not touched. `key` is a passphrase, or `x'…'`
    /// with the raw key.
    func decrypt(_ key: String, into folder: URL) throws -> URL {
        let name = url.lastPathComponent
        guard let first = FileDiagnosis.of(url).first, first.cause == .encrypted else {
            throw StoreSessionErrors.key(
                "\(name) is not encrypted", at: .parameter("key"),
                fix: "store open \(Literal.text(url.path))")
        }
        try NativeLibrary.cipher.require()
        let file = url.resolvingSymlinksInPath()
        var version = ""
        for (number, format) in Self.formats.enumerated() {
            // SQLCipher writes to what it opens, such as the end of a log.
            let copy = folder.appendingPathComponent("cipher\(number).db")
            defer { Self.companions.forEach { FileManager.default.discard(copy.appending($0)) } }
            try Self.copy(file, to: copy)
            let plain = folder.appendingPathComponent("store.db")
            let (outcome, message) = Self.run(copy, key, format, plain)
            switch outcome {
            case CSQLCIPHER_DONE: return plain
            case CSQLCIPHER_WRONG_KEY: version = message
            default:
                FileManager.default.discard(plain)
                if Task.isCancelled { throw Interruption.stopped }
                throw StoreErrors.corrupt(
                    "\(name) opens with the key, and cannot be read to its end: \(message)",
                    fix: "pull the file again")
            }
        }
        throw StoreSessionErrors.key(
            "the key does not open \(name), or its format is newer than SQLCipher \(version)",
            at: .parameter("key"), fix: "pass the app's passphrase, or --key \"x'…'\" with the raw key")
    }

    private static func copy(_ file: URL, to copy: URL) throws {
        for suffix in companions {
            let source = file.appending(suffix)
            guard suffix.isEmpty || FileManager.default.fileExists(atPath: source.path) else { continue }
            do {
                try FileManager.default.copyItem(at: source, to: copy.appending(suffix))
                chmod(copy.appending(suffix).path, 0o600)
            } catch { throw StoreErrors.wrap(error, path: file.lastPathComponent) }
        }
    }

    private static func run(
        _ copy: URL, _ key: String, _ format: String, _ plain: URL
    ) -> (csqlcipher_outcome, String) {
        var message = [CChar](repeating: 0, count: messageSize)
        let outcome = csqlcipher_decrypt(
            copy.path, key, Int32(clamping: key.utf8.count), format, plain.path,
            { _ in Task.isCancelled ? 1 : 0 }, &message, messageSize)
        let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return (outcome, String(decoding: text, as: UTF8.self))
    }
}

extension URL {
    /// The file with a suffix appended to its name.
    fileprivate func appending(_ suffix: String) -> URL { URL(fileURLWithPath: path + suffix) }
}
