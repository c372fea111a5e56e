import CHttp
import Core
import Foundation

/// Connections to servers that stay open between requests, for object stores. One thread at a time; a request blocks it until
/// the answer is there, the current task is cancelled, or nothing has moved for a while.
public final class HTTPSession {
    private enum Settings {
        /// Milliseconds until a connection is there.
        static let connect = 5_000
        /// Seconds without a byte from or to the server.
        static let silence = 15
    }

    /// Who signs requests, by Amazon's signature, version 4.
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
        /// Nothing that a log could show.
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    /// What a server answered.
    public struct Answer: Sendable {
        /// The status code.
        public let code: Int
        /// The header `ETag`, with its quotes.
        public let tag: String?
        /// The document.
        public let body: [UInt8]
    }

    /// Why there is no answer.
    public enum Failure: Error {
        /// The current task was cancelled.
        case stopped
        /// It may work later: no connection, or nothing moved for too long.
        case unreachable(String)
        /// It will not work by trying again.
        case unusable(String)
    }

    private let session: OpaquePointer?

    /// Opens no connection yet. Asks for libcurl before: without it every request fails.
    public init() { session = chttp_open() }

    deinit { chttp_close(session) }

    /// Sends a request and waits for its answer, of so many bytes at most.
    public func send(
        _ method: String, _ url: String, headers: [String], body: [UInt8]? = nil, signer: Signer,
        longest: Int
    ) throws(Failure) -> Answer {
        var answer = Self.withTexts(
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
                    // An empty document is not none: it begins somewhere.
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
        defer { chttp_free(&answer) }
        switch answer.status {
        case chttp_ok: break
        case chttp_stopped: throw .stopped
        case chttp_timeout: throw .unreachable("the server does not answer")
        case chttp_too_long: throw .unusable("the answer is too long")
        case chttp_bad_address: throw .unusable("invalid URL")
        case chttp_certificate: throw .unusable("untrusted certificate")
        case chttp_no_library: throw .unusable("libcurl is missing")
        default: throw .unreachable(String(cArray: answer.message))
        }
        let tag = String(cArray: answer.etag)
        return Answer(
            code: answer.code, tag: tag.isEmpty ? nil : tag,
            body: Array(UnsafeRawBufferPointer(start: answer.body, count: answer.length)))
    }

    private static func withTexts<T>(_ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> T) -> T {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies.map { $0.map { UnsafePointer($0) } })
    }
}
