import CHttp
import Core
import Dispatch
import Foundation
import Synchronization

/// Fetches a document over HTTP with a timeout, and retries after transient failures.
public struct HTTPClient: Sendable {
    private let timeout: Double
    private let language: String
    private let longest: Int

    /// Creates a client with a timeout in seconds and a maximum response size in bytes.
    public init(timeout: Double, language: String = "en", longest: Int) {
        self.timeout = timeout
        self.language = language
        self.longest = longest
    }

    /// Why a request failed.
    public enum Failure: Error {
        /// No connection, no response in time, no library; with a description.
        case unreachable(String)
        /// The server returned an error; the status code.
        case refused(Int)
        /// The response or the URL is unusable; with a description.
        case unusable(String)
    }

    /// The document at an address; throws `Failure`, or `E-INTERRUPTED`.
    public func get(_ url: String) async throws -> Data {
        var pause = HTTPSettings.firstPause
        var attempt = 0
        while true {
            let response = try await request(url)
            do {
                return try Self.data(response)
            } catch let failure as Failure {
                guard attempt < HTTPSettings.retries, Self.isTransient(response) else { throw failure }
                let wait = max(pause, min(HTTPSettings.longestPause, response.retryAfter))
                do {
                    try await Task.sleep(for: .seconds(wait))
                } catch {
                    throw Interruption.stopped
                }
                pause *= 2
                attempt += 1
            }
        }
    }

    private struct Response: Sendable {
        var status: chttp_status
        var code: Int
        var retryAfter: Double
        var body: Data
        var message: String
    }

    private static func data(_ response: Response) throws -> Data {
        switch response.status {
        case chttp_ok:
            guard (200..<300).contains(response.code) else { throw Failure.refused(response.code) }
            return response.body
        case chttp_stopped: throw Interruption.stopped
        case chttp_timeout: throw Failure.unreachable("no response in time")
        case chttp_too_long: throw Failure.unusable("its response is too long")
        case chttp_bad_address: throw Failure.unusable("invalid URL: \(response.message)")
        case chttp_certificate: throw Failure.unreachable("untrusted certificate")
        default: throw Failure.unreachable(response.message)
        }
    }

    /// Whether the same request may succeed later.
    private static func isTransient(_ response: Response) -> Bool {
        switch response.status {
        case chttp_ok: response.code == 429 || response.code >= 500
        case chttp_timeout, chttp_no_connection: true
        default: false
        }
    }

    /// One request, on a separate thread, because the library blocks.
    private func request(_ url: String) async throws -> Response {
        let isStopped = Flag()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(returning: blockingRequest(url, isStopped))
                }
            }
        } onCancel: {
            isStopped.value.store(true, ordering: .relaxed)
        }
    }

    private func blockingRequest(_ url: String, _ isStopped: Flag) -> Response {
        var response = chttp_get(
            url, HTTPSettings.userAgent, language, Int(max(1, min(1e6, timeout * 1000))),
            longest,
            { context in
                guard let context else { return 0 }
                return Unmanaged<Flag>.fromOpaque(context).takeUnretainedValue().value.load(
                    ordering: .relaxed)
                    ? 1 : 0
            }, Unmanaged.passUnretained(isStopped).toOpaque())
        defer { chttp_free(&response) }
        let body = response.body.map { Data(bytes: $0, count: response.length) } ?? Data()
        return Response(
            status: response.status, code: response.code, retryAfter: Double(response.retry_after),
            body: body, message: String(cArray: response.message))
    }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }
}

/// Constants of requests.
enum HTTPSettings {
    /// As the usage policy of public servers requires.
    static let userAgent = "Rutter/1.0 (wayfinding workbench)"
    /// Retries after a transient failure, and the first pause in seconds, doubled each time.
    static let retries = 2
    static let firstPause = 0.5
    /// Longest `Retry-After` in seconds that is respected.
    static let longestPause = 10.0
}

extension NativeLibrary {
    /// libcurl.
    public static let http = NativeLibrary(
        "the network", packages: "libcurl4", headers: "libcurl4-openssl-dev", isThere: chttp_is_there)
}
