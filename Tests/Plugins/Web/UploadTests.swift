import Foundation
import PluginKit
import Testing

@testable import WebPlugin

/// Files that a page hands over.
struct UploadTests {
    private func part(
        _ name: String, at offset: Int = 0, batch: Int? = nil, _ text: String
    ) throws -> UploadPages.Part {
        let target = "/api/upload?name=\(name)&at=\(offset)" + (batch.map { "&batch=\($0)" } ?? "")
        let request = WebRequest(method: "POST", target: target, headers: [], body: Array(text.utf8))
        return try #require(UploadPages.Part(request))
    }

    @Test func aFileArrivesInParts() throws {
        let uploads = UploadPages()
        let first = try uploads.add(part("walk.gpx", "ab"))
        let batch: Int = try first.read("batch")
        let last = try uploads.add(part("walk.gpx", at: 2, batch: batch, "cd"))
        let path: String = try last.read("path")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "abcd")
        // A part that is missing is not passed over.
        #expect(throws: RutterError.self) { try uploads.add(part("walk.gpx", at: 9, batch: batch, "z")) }
        #expect(throws: RutterError.self) { try uploads.add(part("walk.gpx", batch: batch + 1, "z")) }
        uploads.discard(batch)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func aNameStaysInItsFolder() throws {
        for (sent, kept) in [
            ("..%2F..%2Fetc%2Fpasswd", "passwd"), ("..", "file"), ("%2F", "file"), ("a%5Cb.gpx", "b.gpx"),
            ("%0A", "file"),
        ] {
            #expect(try part(sent, "x").name == kept, "\(sent)")
        }
        let request = WebRequest(method: "POST", target: "/api/upload?name=a&at=-1", headers: [])
        #expect(UploadPages.Part(request) == nil)
    }

    @Test func aReadOnlyPageTakesNoFiles() async throws {
        let served = try await ServedSession("--read-only")
        let response = try await served.request("POST /api/upload?name=a.gpx&at=0", body: "x")
        #expect(response.status == 403)
    }
}
