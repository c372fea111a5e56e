import Foundation
import PluginKit
import Synchronization
import Testing

@testable import WebPlugin

/// Rows that arrive over time, and images.
struct LiveTests {
    /// A plugin with rows that come one by one, and an image.
    private struct SlowPlugin: Plugin {
        let name = "slow"
        let summary = "rows that arrive"
        let version = "1.0"
        var commands: [any CommandProvider] {
            [
                Command(
                    "slow rows", "return rows that arrive", output: .rows(["n"]), effect: .reads, examples: []
                ) {
                    context in
                    var rows = Rows(columns: ["n"], fields: { ["n"] }) {
                        var number = 0
                        return Rows.Iterator {
                            try context.checkCancelled()
                            number += 1
                            usleep(5_000)
                            return .record(Record([("n", .integer(number))]))
                        }
                    }
                    rows.isLive = true
                    return .rows(rows)
                },
                Command(
                    "slow image", "return an image", output: .value("image"), effect: .reads, examples: []
                ) { _ in
                    .object(Picture())
                },
            ]
        }
    }

    private struct Picture: ImageRepresentable {
        static let bytes = Data("\u{89}PNG <script>alert(1)</script>".utf8)
        let typeName = "image"
        let fieldNames: [String] = []
        let summary = "image"
        func field(_ name: String) -> Value? { nil }
        func imageFile() throws -> ImageFile? { ImageFile(.png, Self.bytes) }
    }

    @Test(.timeLimit(.minutes(2))) func rowsThatArriveHoldUpNothing() async throws {
        let served = try await ServedSession(plugins: [SlowPlugin()])
        let result = try await served.run("slow rows", views: ["live"])
        let number = try #require(result["live"] as? Int)
        #expect(result["text"] as? String == "")
        // Other entries run in the meantime, and the feed stops on request.
        #expect(try await served.run("1 + 1")["text"] as? String == "2")
        let response = try await served.request(
            "POST /api/stop", [served.origin, "Content-Type: application/json"], body: "{\"live\": \(number)}"
        )
        #expect(response.status == 200)
        // Their number is limited.
        var codes: [String] = []
        for _ in 0..<8 {
            let error = try await served.run("slow rows", views: ["live"])["error"] as? [String: Any]
            codes.append(error?["code"] as? String ?? "")
        }
        #expect(codes.contains("") && codes.contains("E-WEB-FEEDS"))
        #expect(await served.test.run("web stop") == "stopped")
    }

    @Test func anImageIsSentAsWhatItIsAndToNobodyElse() async throws {
        let served = try await ServedSession(plugins: [SlowPlugin()])
        let address = try #require(try await served.run("slow image", views: ["image"])["image"] as? String)
        let response = try await served.request("GET \(address)")
        #expect(response.status == 200 && response.header("content-type") == "image/png")
        #expect(response.header("x-content-type-options") == "nosniff")
        #expect(response.header("content-security-policy")?.contains("default-src 'none'") == true)
        #expect(try await served.request("GET \(address)", isStranger: true).status == 403)
        #expect(try await served.request("GET /images/0").status == 404)
        // The same image has the same address.
        #expect(try await served.run("slow image", views: ["image"])["image"] as? String == address)
    }

    @Test func theOldestImagesMakeRoom() throws {
        let images = ImagePages(limit: 25)
        let addresses = ["one", "two", "three"].map {
            images.address(of: ImageFile(.png, Data(($0 + String(repeating: "x", count: 8)).utf8)))
        }
        #expect(images.response(to: Substring(addresses[0])).status == 404)
        #expect(images.response(to: Substring(addresses[2])).status == 200)
    }
}
