import Foundation
import PluginKit
import PluginTestKit
import Testing
import WebPlugin
import Workbench

/// A session that is served, and requests to it.
final class ServedSession: Sendable {
    let test: TestSession
    let port: Int
    let key: String
    let cookie: String
    let client: RawClient

    init(_ options: String = "", plugins: [any Plugin] = [], files: [String: Data] = [:]) async throws {
        test = try TestSession(
            plugins: { [WebPlugin(), NotePlugin()] + plugins }, files: files, executor: CommandExecutor())
        let value = try await test.value("web open \(options)")
        guard case .integer(let port)? = value.field("port"), case .text(let url)? = value.field("url") else {
            throw CancellationError()
        }
        self.port = port
        key = String(try #require(url.split(separator: "=").last))
        client = RawClient(port: port)
        let entered = try #require(
            await client.exchange("GET /?key=\(key) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"))
        let line = try #require(entered.header("set-cookie"))
        cookie = String(line.prefix { $0 != ";" })
    }

    /// A request with the host, and with the cookie and the origin unless that is left out.
    func request(
        _ line: String, _ headers: [String] = [], body: String = "", host: String? = nil,
        isStranger: Bool = false
    ) async throws -> RawClient.Response {
        var lines = ["\(line) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"] + headers
        if !isStranger { lines.append("Cookie: \(cookie)") }
        if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
        return try #require(await client.exchange(lines.joined(separator: "\r\n") + "\r\n\r\n" + body))
    }

    var origin: String { "Origin: http://127.0.0.1:\(port)" }

    /// Runs an entry as the page does; returns the JSON of the response.
    func run(_ entry: String, isRecorded: Bool = false, views: [String] = []) async throws -> [String: Any] {
        let asked: [String: Any] = ["entry": entry, "record": isRecorded, "views": views]
        let body = String(decoding: try JSONSerialization.data(withJSONObject: asked), as: UTF8.self)
        let response = try await request(
            "POST /api/run", [origin, "Content-Type: application/json"], body: body)
        #expect(response.status == 200, "\(response.text)")
        let tree = try JSONSerialization.jsonObject(with: Data(response.body.utf8))
        return try #require(tree as? [String: Any])
    }

    /// The code of the error of an entry; empty when it succeeds.
    func failure(_ entry: String) async throws -> String {
        let error = try await run(entry)["error"] as? [String: Any]
        return error?["code"] as? String ?? ""
    }
}

/// A plugin with a command that changes the workspace.
struct NotePlugin: Plugin {
    let name = "note"
    let summary = "notes"
    let version = "1.0"
    var commands: [any CommandProvider] {
        [
            Command(
                "note add", "write a note", .positional("text", .text, "what to write"),
                output: .value("text"), effect: .changes, examples: []
            ) { context, text in
                let file = context.workspace.appendingPathComponent("notes.txt")
                let old = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
                try (old + text + "\n").write(to: file, atomically: true, encoding: .utf8)
                context.journal.record("wrote a note") {
                    try old.write(to: file, atomically: true, encoding: .utf8)
                }
                return .text("written")
            }
        ]
    }
}
