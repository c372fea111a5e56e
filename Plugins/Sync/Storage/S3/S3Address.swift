import Fetching
import Foundation
import PluginKit

/// The location of a cloud in an object store, and its keys: `s3://BUCKET/PREFIX`, and the environment
/// variables common to S3 clients.
package struct S3Address: Sendable, CustomReflectable, CustomStringConvertible {
    /// The server, without a trailing slash.
    let endpoint: String
    let bucket: String
    /// The folder of the zone, without leading and trailing slashes; may be empty.
    let prefix: String
    let signer: HTTPSession.Signer
    /// The token of temporary keys.
    let sessionToken: String?

    /// Parses an address. Throws `E-SYNC-CLOUD`; messages never contain a key.
    package init(_ address: String, environment: [String: String]) throws {
        guard let rest = Self.rest(address) else { throw Self.bad("not s3://BUCKET/PREFIX") }
        let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        // A secret key may contain slashes, so the part before the first may be a piece of one.
        if parts[0].contains(where: { $0 == "@" || $0 == ":" }) {
            throw Self.bad("the address must not contain keys", fix: Settings.keysFix)
        }
        bucket = String(parts[0])
        guard Self.isBucket(bucket) else {
            throw Self.bad("invalid bucket name: \(bucket)", fix: "--cloud s3://BUCKET/PREFIX")
        }
        prefix = parts.count > 1 ? parts[1].trimmingCharacters(in: ["/"]) : ""
        guard Self.isPrefix(prefix) else {
            throw Self.bad("invalid prefix: \(prefix)", fix: "use a prefix such as `trails/anna`")
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
    /// Hides the keys.
    package var customMirror: Mirror { Mirror(self, children: [:]) }

    private enum Settings {
        static let keysFix = "export AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
        static let scheme = "s3://"
        /// The default region; servers other than Amazon's accept any.
        static let region = "us-east-1"
        static let bucketLength = 3...63
        /// Object names have at most 1,024 bytes, of which up to 70 follow the prefix.
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

    /// Path segments of dots would be removed in transit.
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

    /// The URL of an object, or of the bucket itself. Special characters are percent-encoded, as the
    /// signature requires.
    func url(_ name: String?) -> String {
        let path = [bucket, name].compactMap { $0 }.joined(separator: "/")
        return "\(endpoint)/\(path.percentEncoded(keeping: "/"))"
    }

    /// The full name of an object of the zone.
    func name(_ name: String) -> String { prefix.isEmpty ? name : "\(prefix)/\(name)" }
}
