import Core
import Formats
import Foundation
import Testing

@testable import JupyterKernel

@Suite(
    // A cell without an end takes one of the threads of tasks.
    .serialized,
    .enabled(
        if: NativeLibrary.zeromq.isAvailable && NativeLibrary.crypto.isAvailable,
        "libzmq5 or libssl is missing"), .timeLimit(.minutes(2)))
struct KernelTests {
    /// A cell that runs until it is stopped.
    private static let endless = "range 1 1000000000000 | count"

    @Test func aCellShowsItsResult() async throws {
        let client = try await Client()
        defer { client.close() }
        let (reply, shown) = try await client.run("let a = 20\n$a + 1\n$a + 2")
        #expect(reply["status"] == .text("ok"))
        #expect(reply["execution_count"] == .number("1"))
        #expect(shown.map(\.type) == ["execute_input", "display_data", "execute_result"])
        #expect(shown[1].content["data"]?["text/plain"] == .text("21"))
        #expect(shown[2].content["data"]?["text/plain"] == .text("22"))
        #expect(shown[2].content["execution_count"] == .number("1"))
    }

    @Test func rowsAreATableAndPicturesVectors() async throws {
        let client = try await Client()
        defer { client.close() }
        let rows = try await client.run("[{name: '<b>', size: 2km} {name: 'x', size: 1.5km}]").shown
        let table = try #require(rows.last?.content["data"]?["text/html"]?.text)
        #expect(table.contains("<td style=\"text-align: left\">&lt;b&gt;</td>"))
        #expect(table.contains("<td style=\"text-align: right\">1.5km</td>"))
        #expect(rows.last?.content["data"]?["text/plain"]?.text?.hasPrefix("name   size\n<b>") == true)
        let picture = try await client.run("range 1 5 | each {x: it, y: it * it} | plot x y").shown
        #expect(picture.map(\.type) == ["execute_input", "display_data"])
        #expect(picture[1].content["data"]?["image/svg+xml"]?.text?.contains("<svg") == true)
        #expect(picture[1].content["data"]?["text/plain"] != nil)
    }

    @Test func anErrorIsShownAsTheTerminalShowsIt() async throws {
        let client = try await Client()
        defer { client.close() }
        let (reply, shown) = try await client.run("1 + 1\n2km > 3s\n5")
        #expect(reply["status"] == .text("error"))
        #expect(reply["ename"] == .text("E-UNIT-DIMENSION"))
        #expect(shown.map(\.type) == ["execute_input", "display_data", "error"])
        let lines = (shown[2].content["traceback"]?.items ?? []).compactMap(\.text)
        #expect(lines.first?.hasPrefix("error E-UNIT-DIMENSION: ") == true)
        #expect(lines.contains("  ^^^^^^^^"))
    }

    /// What follows a failure would compute from values of an earlier run.
    @Test func aFailureEndsItsCell() async throws {
        let client = try await Client()
        defer { client.close() }
        _ = try await client.run("let a = 1")
        let (reply, shown) = try await client.run("let a = 2km + 3s\n$a\n$a + 1")
        let lines = (shown.last?.content["traceback"]?.items ?? []).compactMap(\.text)
        #expect(reply["status"] == .text("error"))
        #expect(shown.last?.type == "error")
        #expect(lines.last == "not run: the 2 entries of the cell after it")
        // As cells with the tag `raises-exception` ask for.
        let all = try await client.run("2km + 3s\n$a", #","stop_on_error":false"#).shown
        #expect(all.map(\.type) == ["execute_input", "error", "execute_result"])
    }

    /// The cells of "Run All" are sent at once, but may arrive after the one that failed.
    @Test func whatWasSentBeforeAFailureIsAborted() async throws {
        let client = try await Client()
        defer { client.close() }
        #expect(try await client.run("2km + 3s").reply["status"] == .text("error"))
        client.date = "2025-12-31T23:59:59.999Z"
        #expect(try await client.run("1").reply["status"] == .text("aborted"))
        client.date = "2026-01-01T00:00:00Z"
        #expect(try await client.run("1").reply["status"] == .text("ok"))
    }

    @Test func aCellThatMayFailAbortsNothing() async throws {
        let client = try await Client()
        defer { client.close() }
        #expect(
            try await client.run("2km + 3s", #","stop_on_error":false"#).reply["status"] == .text("error"))
        client.date = "2025-12-31T23:59:59.999Z"
        #expect(try await client.run("1").reply["status"] == .text("ok"))
    }

    @Test func frontMatterBeginsASession() async throws {
        let client = try await Client()
        defer { client.close() }
        _ = try await client.run("let a = 1")
        let front = "---\nclock: 2026-02-06T08:00:00Z\ntimezone: Europe/Zurich\n---\nclock"
        #expect(
            try await client.run(front).shown.last?.content["data"]?["text/plain"]?.text?.hasPrefix(
                "2026-02-06") == true)
        #expect(try await client.run("$a").reply["status"] == .text("error"))
        let missing = try await client.run("---\ndata: [nowhere.osm]\n---\n").reply
        #expect(missing["evalue"]?.text?.contains("nowhere.osm") == true)
        #expect(try await client.run("---\nseed: x\n---\n").reply["status"] == .text("error"))
        #expect(try await client.run("---\nseed: 1").reply["status"] == .text("error"))
    }

    @Test func aWrongSignatureIsDroppedAndTheKernelLives() async throws {
        let client = try await Client()
        defer { client.close() }
        try client.send("execute_request", #"{"code":"1"}"#, key: "another key")
        client.sendRaw([[0xFF], [], Array("<IDS|MSG>".utf8)], on: .shell)
        client.sendRaw([[]], on: .control)
        let (reply, shown) = try await client.run("2 + 2")
        #expect(reply["execution_count"] == .number("1"))
        #expect(shown.last?.content["data"]?["text/plain"] == .text("4"))
    }

    @Test(arguments: [true, false]) func anInterruptStopsACellAndWhatIsQueued(_ bySignal: Bool) async throws {
        let client = try await Client()
        defer { client.close() }
        let first = try client.send("execute_request", #"{"code":"\#(Self.endless)\n1"}"#)
        while try await client.receive(.iopub).type != "execute_input" {}
        try client.send("execute_request", #"{"code":"2"}"#)
        // The heart beats while the cell runs.
        client.sendRaw([Array("beat".utf8)], on: .heartbeat)
        #expect(try await client.receiveRaw(.heartbeat) == [Array("beat".utf8)])
        // Control requests do not wait for it.
        try client.send("kernel_info_request", on: .control)
        #expect(try await client.receive(.control).content["implementation"] == .text("rutter"))
        if bySignal {
            client.kernel.interrupt()
        } else {
            try client.send("interrupt_request", on: .control)
            #expect(try await client.receive(.control).type == "interrupt_reply")
        }
        let reply = try await client.receive(.shell)
        #expect(reply.parent["msg_id"]?.text == first)
        #expect(reply.content["ename"] == .text("E-INTERRUPTED"))
        let next = try await client.receive(.shell)
        #expect(["aborted", "ok"].contains(next.content["status"]?.text))
        #expect(try await client.run("3").reply["status"] == .text("ok"))
    }

    @Test func aClientThatGoesAwayLeavesTheKernelToItsEnd() async throws {
        let client = try await Client()
        try client.send("execute_request", #"{"code":"\#(Self.endless)"}"#)
        while try await client.receive(.iopub).type != "execute_input" {}
        // Closes the client's sockets in the middle of the cell, and ends the kernel as SIGTERM does.
        client.close()
        await client.ended()
        #expect(!FileManager.default.fileExists(atPath: client.folder.appendingPathComponent("scratch").path))
    }

    @Test func shutdownIsAnswered() async throws {
        let client = try await Client()
        try client.send("shutdown_request", #"{"restart":false}"#, on: .control)
        let reply = try await client.receive(.control)
        #expect(reply.type == "shutdown_reply")
        #expect(reply.content["restart"] == .boolean(false))
        await client.ended()
        client.close()
    }

    @Test func requestsThatAreWrongAreAnsweredWithAnError() async throws {
        let client = try await Client()
        defer { client.close() }
        for type in ["execute", "complete", "inspect", "is_complete"] {
            try client.send(type + "_request", #"{"code":7}"#)
            let reply = try await client.receive(.shell)
            #expect(reply.type == type + "_reply")
            #expect(reply.content["status"] == .text("error"))
            #expect(reply.content["ename"] == .text("E-KERNEL-REQUEST"))
        }
        try client.send("nonsense")
        try client.send("complete_request", #"{"code":"hel","cursor_pos":-5}"#)
        #expect(try await client.receive(.shell).content["status"] == .text("ok"))
        try client.send("comm_open", #"{"comm_id":"c","target_name":"x","data":{}}"#)
        while try await client.receive(.iopub).type != "comm_close" {}
    }

    @Test func silentCellsShowAndCountNothing() async throws {
        let client = try await Client()
        defer { client.close() }
        let silent = try await client.run("1 + 1", #","silent":true"#)
        #expect(silent.reply["execution_count"] == .number("0"))
        #expect(silent.shown.isEmpty)
        let reply = try await client.run("let b = 6", #","user_expressions":{"x":"$b * 7","y":"nosuch"}"#)
            .reply
        #expect(reply["user_expressions"]?["x"]?["data"]?["text/plain"] == .text("42"))
        #expect(reply["user_expressions"]?["y"]?["status"] == .text("error"))
        try client.send("history_request", #"{"hist_access_type":"tail","n":10,"output":true,"raw":true}"#)
        #expect(
            try await client.receive(.shell).content["history"]?.compactText == #"[[1,1,["let b = 6",null]]]"#
        )
    }

    @Test func completionReplacesTheWordAtTheCursor() async throws {
        let client = try await Client()
        defer { client.close() }
        _ = try await client.run("let ähnlich = 1")
        func complete(_ code: String, _ cursor: Int) async throws -> JSONTree {
            try client.send(
                "complete_request", #"{"code":\#(JSONWriter.quoted(code)),"cursor_pos":\#(cursor)}"#)
            return try await client.receive(.shell).content
        }
        // Positions count Unicode scalars: the letter before takes two bytes, the face four.
        let found = try await complete("'ä🙂'\n$äh", 8)
        #expect(found["matches"] == .list([.text("$ähnlich")]))
        #expect(found["cursor_start"] == .number("5"))
        #expect(found["cursor_end"] == .number("8"))
        #expect(try await complete("coun", 4)["matches"]?.items?.contains(.text("count")) == true)
        #expect(try await complete("1 + 1\n\n", 99)["status"] == .text("ok"))
    }

    @Test func inspectionExplainsTheWord() async throws {
        let client = try await Client()
        defer { client.close() }
        _ = try await client.run("let a = 2km")
        func inspect(_ code: String, _ cursor: Int) async throws -> String? {
            try client.send(
                "inspect_request", #"{"code":\#(JSONWriter.quoted(code)),"cursor_pos":\#(cursor)}"#)
            return try await client.receive(.shell).content["data"]?["text/plain"]?.text
        }
        #expect(try await inspect("range 1 3 | count", 14)?.hasPrefix("count: ") == true)
        #expect(try await inspect("range 1 3 | count", 2)?.hasPrefix("range: ") == true)
        #expect(try await inspect("1\nnotebook save x", 14)?.hasPrefix("notebook save: ") == true)
        #expect(try await inspect("$a + 1", 1) == "a: length\n2km")
        #expect(try await inspect("coalesce(1)", 3)?.hasPrefix("coalesce(") == true)
        #expect(try await inspect("nothing-known", 3) == nil)
        #expect(try await inspect("", 0) == nil)
    }
}

struct KernelSpecificationTests {
    @Test func aKernelIsInstalledAndRemoved() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "spec-\(UUID().uuidString)")
        defer { FileManager.default.discard(folder) }
        let specification = try KernelSpecification(name: "rutter", dataFolder: folder)
        for arguments in [[], ["--allow-read", "/data"]] {
            try specification.install(program: "/usr/bin/rutter", arguments: arguments)
            let file = folder.appendingPathComponent("kernels/rutter/kernel.json")
            let tree = try JSONTree(parsing: Data(contentsOf: file))
            let words = (tree["argv"]?.items ?? []).compactMap(\.text)
            #expect(
                words == ["/usr/bin/rutter", "kernel", "run"] + arguments
                    + ["{connection_file}"])
            #expect(tree["language"] == .text("rutter"))
        }
        try specification.remove()
        #expect(!FileManager.default.fileExists(atPath: specification.folder.path))
        #expect(throws: RutterError.self) { try specification.remove() }
    }

    @Test func anotherKernelIsLeftAlone() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "spec-\(UUID().uuidString)")
        defer { FileManager.default.discard(folder) }
        let specification = try KernelSpecification(name: "Python3", dataFolder: folder)
        #expect(specification.name == "python3")
        try FileManager.default.createDirectory(at: specification.folder, withIntermediateDirectories: true)
        try Data(#"{"language":"python"}"#.utf8).write(
            to: specification.folder.appendingPathComponent("kernel.json"))
        #expect(throws: RutterError.self) { try specification.install(program: "/r", arguments: []) }
        #expect(throws: RutterError.self) { try specification.remove() }
        #expect(throws: RutterError.self) { try KernelSpecification(name: "a/b", dataFolder: folder) }
        #expect(throws: RutterError.self) { try KernelSpecification(name: "", dataFolder: folder) }
    }
}
