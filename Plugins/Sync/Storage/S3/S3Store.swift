import Fetching
import Foundation
import PluginKit

/// The objects of a zone in a store with Amazon's S3 protocol, through libcurl.
package final class S3Store: ObjectStore {
    private enum Settings {
        /// Maximum bytes of an answer that is not an object: a list of a thousand names, an error.
        static let longestAnswer = 4 << 20
    }

    private let address: S3Address
    private let session = HTTPSession()

    /// Required libraries.
    package static let libraries: [NativeLibrary] = [.objectStore, .xml, .crypto]

    package init(_ address: S3Address) { self.address = address }

    // MARK: Objects

    package func get(_ name: String, range: Range<Int>?, longest: Int) throws(CloudFailure) -> StoredObject? {
        let headers = range.map { ["Range: bytes=\($0.lowerBound)-\($0.upperBound - 1)"] } ?? []
        let answer = try send("GET", name, headers: headers, longest: longest)
        switch answer.code {
        case 200:
            // A server without range requests returns everything.
            guard let range else { return StoredObject(bytes: answer.body, tag: answer.tag ?? "") }
            guard range.upperBound <= answer.body.count else { return nil }
            return StoredObject(bytes: Array(answer.body[range]), tag: answer.tag ?? "")
        case 206: return StoredObject(bytes: answer.body, tag: answer.tag ?? "")
        case 404 where Self.code(answer) != "NoSuchBucket": return nil
        default: throw failure(answer)
        }
    }

    package func exists(_ name: String) throws(CloudFailure) -> Bool {
        let answer = try send("HEAD", name)
        switch answer.code {
        case 200: return true
        case 404: return false
        default: throw failure(answer)
        }
    }

    package func put(_ name: String, _ bytes: [UInt8], _ condition: WriteCondition) throws(CloudFailure)
        -> Written
    {
        let headers =
            switch condition {
            case .always: [String]()
            case .absent: ["If-None-Match: *"]
            case .matches(let tag): ["If-Match: \(tag)"]
            }
        let answer = try send("PUT", name, headers: headers, body: bytes)
        switch (answer.code, condition) {
        case (200..<300, _):
            // If no version is returned, it is read; it is then at least as new as this one.
            return .done(answer.tag ?? "")
        case (412, .absent), (412, .matches), (409, .absent), (409, .matches): return .conflict
        // There is no object whose version could match.
        case (404, .matches) where Self.code(answer) != "NoSuchBucket": return .conflict
        default: throw failure(answer)
        }
    }

    package func delete(_ name: String) throws(CloudFailure) {
        let answer = try send("DELETE", name)
        guard (200..<300).contains(answer.code) || answer.code == 404 else { throw failure(answer) }
    }

    /// Creates the bucket, for tests.
    package func makeBucket() throws(CloudFailure) {
        let answer = try send("PUT", nil)
        guard answer.code == 200 || answer.code == 409 else { throw failure(answer) }
    }

    package func list(_ folder: String, _ body: ([ListedObject]) throws -> Void) throws {
        let start = address.name(folder) + "/"
        var next: String?
        repeat {
            // In name order, as the signature requires.
            let query =
                (next.map { "continuation-token=\($0.percentEncoded())&" } ?? "")
                + "list-type=2&prefix=\(start.percentEncoded())"
            let answer = try send("GET", nil, query: query)
            guard answer.code == 200 else { throw failure(answer) }
            let page = S3Answer(answer.body)
            var found: [ListedObject] = []
            var object = ListedObject(name: "", size: 0)
            for element in page.elements {
                switch element.name {
                case "Key": object.name = element.text
                case "Size": object.size = Int(element.text) ?? 0
                case "Contents":
                    if object.name.hasPrefix(start) {
                        found.append(
                            ListedObject(name: String(object.name.dropFirst(start.count)), size: object.size))
                    }
                default: break
                }
            }
            try body(found)
            next = page["IsTruncated"] == "true" ? page["NextContinuationToken"] : nil
        } while next != nil
    }

    // MARK: Requests

    private func send(
        _ method: String, _ name: String?, query: String? = nil, headers: [String] = [], body: [UInt8]? = nil,
        longest: Int = Settings.longestAnswer
    ) throws(CloudFailure) -> HTTPSession.Response {
        guard let digest = Digest.sha256(body ?? []) else { throw .permanent("libcrypto failed to hash") }
        var headers = headers + ["x-amz-content-sha256: \(digest)"]
        if let token = address.sessionToken { headers.append("x-amz-security-token: \(token)") }
        if body != nil { headers.append("Content-Type: application/octet-stream") }
        let url = address.url(name.map(address.name)) + (query.map { "?\($0)" } ?? "")
        do {
            return try session.send(
                method, url, headers: headers, body: body, signer: address.signer,
                longest: max(longest, Settings.longestAnswer))
        } catch {
            switch error {
            case .stopped: throw .transient("interrupted")
            case .unreachable(let why): throw .transient(why)
            case .unusable(let why): throw .permanent(why)
            }
        }
    }

    // MARK: Errors

    private static func code(_ answer: HTTPSession.Response) -> String? { S3Answer(answer.body)["Code"] }

    /// Only the server's message for users; the rest of the answer may repeat what was signed.
    private func failure(_ answer: HTTPSession.Response) -> CloudFailure {
        let error = S3Answer(answer.body)
        let code = error["Code"]
        var message = [code, error["Message"]].compactMap { $0 }.joined(separator: ": ")
        if message.isEmpty { message = "the server returned HTTP status \(answer.code)" }
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        let mayWorkLater =
            [408, 429].contains(answer.code) || answer.code >= 500 && answer.code != 501
            || code == "RequestTimeout" || code == "SlowDown"
        return mayWorkLater ? .transient(line) : .permanent(line)
    }
}
