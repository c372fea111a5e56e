import Fetching
import Foundation
import PluginKit

/// Where a cloud is in an object store, and with which keys: `s3://BUCKET/PREFIX`, and the environment variables that other
/// programs of such stores use.
package struct S3Address: Sendable, CustomReflectable, CustomStringConvertible {
    /// The server, without a slash at its end.
    let endpoint: String
    let bucket: String
    /// The folder of the zone, without slashes at its ends; may be empty.
    let prefix: String
    let signer: HTTPSession.Signer
    /// Of keys that are valid for a while only.
    let sessionToken: String?

    /// Reads an address. Throws `E-SYNC-CLOUD`; no key ever stands in a message.
    package init(_ address: String, environment: [String: String]) throws {
        guard let rest = Self.rest(address) else { throw Self.bad("not s3://BUCKET/PREFIX") }
        let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        // A secret key may have slashes, so what stands before the first may be a part of one.
        if parts[0].contains(where: { $0 == "@" || $0 == ":" }) {
            throw Self.bad("keys do not belong in the address", fix: Settings.keysFix)
        }
        bucket = String(parts[0])
        guard Self.isBucket(bucket) else {
            throw Self.bad("invalid bucket name: \(bucket)", fix: "--cloud s3://BUCKET/PREFIX")
        }
        prefix = parts.count > 1 ? parts[1].trimmingCharacters(in: ["/"]) : ""
        guard Self.isPrefix(prefix) else {
            throw Self.bad("invalid prefix: \(prefix)", fix: "a prefix such as `trails/anna`")
        }
        func variable(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        let region = variable("AWS_REGION", "AWS_DEFAULT_REGION") ?? Settings.region
        guard region.utf8.allSatisfy(Self.isPlain) else { throw Self.bad("invalid AWS_REGION") }
        endpoint = try Self.endpoint(
            variable("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") ?? "https://s3.\(region).amazonaws.com")
        guard let user = variable("AWS_ACCESS_KEY_ID"), let secret = variable("AWS_SECRET_ACCESS_KEY") else {
            throw Self.bad(
                "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set",
                fix: Settings.keysFix)
        }
        signer = HTTPSession.Signer(region: region, service: "s3", user: user, secret: secret)
        sessionToken = variable("AWS_SESSION_TOKEN")
    }

    package var description: String { "s3://\(bucket)/\(prefix)" }
    /// Without the keys of a while.
    package var customMirror: Mirror { Mirror(self, children: [:]) }

    private enum Settings {
        static let keysFix = "export AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
        static let scheme = "s3://"
        /// Where no variable names a region; other servers than Amazon's take any.
        static let region = "us-east-1"
        static let bucketLength = 3...63
        /// The names of objects have at most 1,024 bytes; ours take up to 70 of them.
        static let longestPrefix = 900
    }

    private static func rest(_ address: String) -> String? {
        guard address.lowercased().hasPrefix(Settings.scheme) else { return nil }
        return String(address.dropFirst(Settings.scheme.count))
    }

    private static func bad(_ why: String, fix: String? = nil) -> RutterError {
        SyncErrors.cloud(why, at: .parameter("cloud"), fix: fix)
    }

    /// Letters and digits of ASCII, and the dash.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private static func isBucket(_ name: String) -> Bool {
        Settings.bucketLength.contains(name.utf8.count) && !name.contains("..")
            && name.utf8.allSatisfy { isPlain($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") }
    }

    /// Parts of dots would be taken out on the way.
    private static func isPrefix(_ prefix: String) -> Bool {
        prefix.isEmpty
            || prefix.utf8.count <= Settings.longestPrefix
                && prefix.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
                && prefix.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
                    !["", ".", ".."].contains($0)
                }
    }

    private static func endpoint(_ text: String) throws -> String {
        guard let parts = URLComponents(string: text),
            ["http", "https"].contains(parts.scheme?.lowercased()),
            parts.host?.isEmpty == false, parts.user == nil, parts.password == nil, parts.query == nil,
            parts.fragment == nil
        else {
            throw bad("AWS_ENDPOINT_URL is not a URL of a server", fix: "such as https://storage.example.org")
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// The URL of an object, or of the bucket itself. All that is not plain gets percent signs, as the signature wants it.
    func url(_ name: String?) -> String {
        let path = [bucket, name].compactMap { $0 }.joined(separator: "/")
        return "\(endpoint)/\(path.percentEncoded(keeping: "/"))"
    }

    /// The full name of an object of the zone.
    func name(_ name: String) -> String { prefix.isEmpty ? name : "\(prefix)/\(name)" }
}
