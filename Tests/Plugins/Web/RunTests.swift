import Foundation
import PluginKit
import Testing

@testable import WebPlugin

/// Entries run by a page, and their results.
struct RunTests {
    @Test func aResultIsTheTerminalsTextAndTheValue() async throws {
        let served = try await ServedSession()
        let result = try await served.run("range 1 3 | each it * 2", views: ["value"])
        #expect(result["text"] as? String == "2\n4\n6")
        #expect(result["value"] as? [Int] == [2, 4, 6])
        let length = try await served.run("1.5km + 200m", views: ["value"])
        #expect(length["text"] as? String == "1.7km" && length["value"] as? Double == 1700)
    }

    @Test func anErrorHasItsWordsAndItsFix() async throws {
        let served = try await ServedSession()
        let error = try #require(try await served.run("cuont")["error"] as? [String: Any])
        #expect(error["suggestion"] as? String == "count")
        #expect((error["text"] as? String)?.contains("\n  ^^^^^") == true)
    }

    @Test func whatIsDoneIsRecordedAndWhatIsLookedAtIsNot() async throws {
        let served = try await ServedSession()
        _ = try await served.run("1 + 1")
        _ = try await served.run("note add seen", isRecorded: true)
        let history = await served.test.run("history | get input")
        #expect(history.contains("note add seen") && !history.contains("1 + 1"))
        #expect(await served.test.run("undo") == "undone: wrote a note")
    }

    @Test func theSessionIsOne() async throws {
        let served = try await ServedSession()
        _ = try await served.run("let hut = 46.5,7.9", isRecorded: true)
        #expect(await served.test.run("$hut") == "46.5,7.9")
        // How the page shows things stays the page's own.
        let wide = await served.test.run("set | where setting == width | get value")
        #expect(wide == "80")
        _ = try await served.run("set units imperial")
        #expect(await served.test.run("set | where setting == units | get value") == "imperial")
    }

    @Test func entriesOfTwoWaysInDoNotMix() async throws {
        let served = try await ServedSession()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let text = try await served.run("range 1 200 | each it * 0 + \(number) | sum")["text"]
                    #expect(text as? String == "\(number * 200)")
                }
                group.addTask {
                    let entry = "let x\(number) = \(number); $x\(number); $x\(number) + 1"
                    #expect(await served.test.run(entry) == "\(number)\n\(number + 1)")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func aPageCannotEndTheSession() async throws {
        let served = try await ServedSession()
        #expect(try await served.failure("quit") == "E-READ-ONLY")
        #expect(try await served.run("1 + 1")["text"] as? String == "2")
    }

    @Test func readOnlyChangesNothing() async throws {
        let served = try await ServedSession("--read-only")
        await served.test.run("note add before; let kept = 1")
        let workspace = served.test.folder.url.appendingPathComponent("workspace")
        func state() throws -> [String: Data] {
            let names = try FileManager.default.subpathsOfDirectory(atPath: served.test.folder.url.path)
            return try names.reduce(into: [:]) { found, name in
                let url = served.test.folder.url.appendingPathComponent(name)
                var isFolder: ObjCBool = false
                _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
                if !isFolder.boolValue { found[name] = try Data(contentsOf: url) }
            }
        }
        let before = try state()
        #expect(before["workspace/notes.txt"] != nil)
        for entry in [
            "note add x", "undo", "def f { 1 }", "alias a count", "web stop", "quit", "range 1 3; note add x",
        ] {
            #expect(try await served.failure(entry) == "E-READ-ONLY", "\(entry)")
        }
        for entry in [
            "[1 2] | save out.json", "[1 2] | save \(workspace.path)/out.json", "open /etc/passwd",
            "[{at: 1,2}] | map --out map.svg", "notebook save n.md",
        ] {
            #expect(try await served.failure(entry) == "E-FILE-CONFINED", "\(entry)")
        }
        #expect(
            try await served.failure("let kept = 2; set units imperial; seed 7; clock 2030-01-01T00:00:00Z")
                == "")
        #expect(try state() == before)
        let units = "set | where setting == units | get value"
        #expect(await served.test.run("$kept; \(units); clock") == "1\nmetric\n2026-02-06T08:00:00Z")
        #expect(try await served.run("1 + 1")["text"] as? String == "2")
        // The prompt continues as before.
        #expect(await served.test.run("note add after") == "written")
    }

    /// A file written by an entry is sent to the page, and stored nowhere else.
    @Test(arguments: ["", "--read-only"]) func aFileIsDownloaded(options: String) async throws {
        let served = try await ServedSession(options)
        let result = try await served.run("'héllo' | save 'ä \"1\".txt'", views: ["file"])
        let file = try #require(result["file"] as? [String: Any])
        #expect(file["name"] as? String == "ä \"1\".txt" && file["bytes"] as? Int == 6)
        let address = try #require(file["address"] as? String)
        let response = try await served.request("GET \(address)")
        #expect(
            response.status == 200 && response.body == "héllo" && response.header("content-length") == "6")
        #expect(response.header("content-type") == "application/octet-stream")
        #expect(
            response.header("content-disposition") == "attachment; filename*=UTF-8''%C3%A4%20%221%22.txt")
        // It can be fetched again, by admitted clients only.
        #expect(try await served.request("GET \(address)").body == "héllo")
        #expect(try await served.request("GET \(address)", isStranger: true).status == 403)
        #expect(try await served.request("GET /files/999").status == 404)
        let names = try FileManager.default.subpathsOfDirectory(atPath: served.test.folder.url.path)
        #expect(!names.contains { $0.hasSuffix(".txt") })
        // Output of other entries goes to the same place as before.
        #expect(try await served.failure("'x' | save y.json") == (options.isEmpty ? "" : "E-FILE-CONFINED"))
    }

    @Test func aDownloadIsOneFileOfBoundedSize() async throws {
        let served = try await ServedSession()
        for (entry, code) in [
            ("1 + 1", "E-WEB-FILE"), ("'a' | save a.txt; 'b' | save b.txt", "E-WEB-FILE"),
            ("cuont", "E-COMMAND-UNKNOWN"),
            ("'a' | save \(served.test.folder.url.path)/a.txt", "E-FILE-CONFINED"),
            ("'a' | save ../a.txt", "E-FILE-CONFINED"),
        ] {
            let result = try await served.run(entry, views: ["file"])
            #expect((result["error"] as? [String: Any])?["code"] as? String == code, "\(entry)")
            #expect(result["file"] == nil)
        }
        // One that is sent in several parts arrives whole.
        let long = try await served.run("range 1 100000 | save n.json", views: ["file"])
        let file = try #require(long["file"] as? [String: Any])
        let body = try await served.request("GET \(file["address"] as? String ?? "")").body
        #expect(body.utf8.count == file["bytes"] as? Int && body.utf8.count > 2 * WebSettings.filePart)
        #expect(body.hasSuffix("100000]\n") || body.hasSuffix("100000\n]\n"))
        let large = await FilePages().collect { folder in
            let path = folder.appendingPathComponent("large").path
            _ = FileManager.default.createFile(atPath: path, contents: nil)
            truncate(path, off_t(WebSettings.fileBytes + 1))
            return EntryOutcome(text: "", errorText: nil, value: .nothing, failure: nil, hasChanged: false)
        }
        #expect(large.file == nil && large.outcome.failure?.code == "E-WEB-FILE")
        // The newest files are kept.
        var addresses: [String] = []
        for number in 0..<9 {
            let result = try await served.run("'\(number)' | save n.txt", views: ["file"])
            addresses.append(try #require((result["file"] as? [String: Any])?["address"] as? String))
        }
        #expect(try await served.request("GET \(addresses[0])").status == 404)
        #expect(try await served.request("GET \(addresses[8])").body == "8")
    }

    @Test func eventsTellOfEntries() async throws {
        let served = try await ServedSession()
        let port = served.port
        let request = """
            GET /api/events HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Origin: http://127.0.0.1:\(port)\r
            Cookie: \(served.cookie)\r
            Connection: Upgrade\r
            Upgrade: websocket\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
            \r

            """
        let connection = try #require(RawConnection(port: port))
        connection.send(Array(request.utf8))
        let opened = await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: connection.read()) }.start()
        }
        #expect(opened.status == 101)
        while await served.test.run("web status | get pages") != "1" { await Task.yield() }
        await served.test.run("note add told")
        await served.test.run("web stop")
        let told = await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: connection.read(untilClosed: true)) }.start()
        }
        #expect(told.text.contains(#""entry":"note add told","failed":false,"changed":true"#))
    }

    @Test func aNotebookMustBeAllowed() async throws {
        let served = try await ServedSession("--read-only")
        // As a session without the network.
        #expect(try await served.failure("web open") == "E-WEB-NETWORK")
    }

    @Test func theFetchCommandWaitsForNoOtherEntry() async throws {
        let served = try await ServedSession()
        let entry = "web fetch --run 'web fetch /api/session | get status' | get body | from json | get text"
        #expect(await served.test.run(entry) == "200")
        #expect(await served.test.run("web fetch /nothing | get status") == "404")
        #expect(await served.test.run("web fetch / --without-cookie | get status") == "403")
    }
}
