import CHttp
import Core
import Foundation

/// Persistent connections to servers, for object stores. Used by one thread at a time; a request blocks it
/// until the response arrives, the current task is cancelled, or no data was transferred for a while.
public final class HTTPSession {
    private enum Settings {
        /// Connection timeout in milliseconds.
        static let connect = 5_000
        /// Idle timeout in seconds.
        static let silence = 15
    }

    /// Signs requests with AWS Signature Version 4.
    public struct Signer: Sendable, CustomReflectable, CustomStringConvertible {
        let scope: String
        let user: String
        let secret: String

        /// A signer for a service in a region.
        public init(region: String, service: String, user: String, secret: String) {
            scope = "aws:amz:\(region):\(service)"
            self.user = user
            self.secret = secret
        }

        /// Its service, without the keys.
        public var description: String { scope }
        /// No secrets in logs.
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    /// A server's response.
    public struct Response: Sendable {
        /// The status code.
        public let code: Int
        /// The header `ETag`, with its quotes.
        public let tag: String?
        /// The document.
        public let body: [UInt8]
    }

    /// Why there is no response.
    public enum Failure: Error {
        /// The current task was cancelled.
        case stopped
        /// Transient: no connection, or an idle timeout.
        case unreachable(String)
        /// Permanent.
        case unusable(String)
    }

    private let session: OpaquePointer?

    /// Does not connect yet. Check for libcurl before: without it every request fails.
    public init() { session = chttp_open() }

    deinit { chttp_close(session) }

    /// Sends a request and waits for its response of limited size.
    public func send(
        _ method: String, _ url: String, headers: [String], body: [UInt8]? = nil, signer: Signer,
        longest: Int
    ) throws(Failure) -> Response {
        var response = Self.withTexts(
            [method, url, signer.scope, signer.user, signer.secret, HTTPSettings.userAgent] + headers
        ) { texts in
            texts.withUnsafeBufferPointer { texts in
                (body ?? []).withUnsafeBytes { content in
                    var request = chttp_request()
                    request.method = texts[0]
                    request.url = texts[1]
                    request.signature = texts[2]
                    request.user = texts[3]
                    request.secret = texts[4]
                    request.user_agent = texts[5]
                    request.headers = texts.baseAddress.map { $0 + (texts.count - headers.count) }
                    request.header_count = headers.count
                    // An empty document still needs a valid pointer.
                    if body != nil { request.body = content.baseAddress ?? UnsafeRawPointer(texts[0]) }
                    request.length = content.count
                    request.connect_timeout_ms = Settings.connect
                    request.silence_s = Settings.silence
                    request.longest = longest
                    request.stop = { _ in Task.isCancelled ? 1 : 0 }
                    return chttp_send(session, &request)
                }
            }
        }
        defer { chttp_free(&response) }
        switch response.status {
        case chttp_ok: break
        case chttp_stopped: throw .stopped
        case chttp_timeout: throw .unreachable("the server does not answer")
        case chttp_too_long: throw .unusable("the response is too long")
        case chttp_bad_address: throw .unusable("invalid URL")
        case chttp_certificate: throw .unusable("untrusted certificate")
        case chttp_no_library: throw .unusable("libcurl is missing")
        default: throw .unreachable(String(cArray: response.message))
        }
        let tag = String(cArray: response.etag)
        return Response(
            code: response.code, tag: tag.isEmpty ? nil : tag,
            body: Array(UnsafeRawBufferPointer(start: response.body, count: response.length)))
    }

    private static func withTexts<T>(_ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> T) -> T {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies.map { $0.map { UnsafePointer($0) } })
    }
}
