import Foundation
import PluginTestKit
import Testing

/// `rutter serve` as a process.
struct ServeTests {
    private func start(_ arguments: [String], in folder: URL) throws -> (Process, Pipe) {
        let process = Process()
        let output = Pipe()
        process.executableURL = RutterProcess.executable
        process.arguments = ["serve", "--workspace", folder.path] + arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return (process, output)
    }

    private func line(_ pipe: Pipe) -> String {
        var bytes = Data()
        while !bytes.contains(10) {
            let more = pipe.fileHandleForReading.availableData
            if more.isEmpty { break }
            bytes += more
        }
        return String(decoding: bytes.prefix { $0 != 10 }, as: UTF8.self)
    }

    @Test func itServesUntilItIsEnded() async throws {
        let folder = try TemporaryFolder()
        let (process, output) = try start(["-c", "let answer = 42", "--read-only"], in: folder.url)
        // What it prints of entries comes first; `let` prints nothing.
        let url = line(output)
        let port = try #require(url.split(separator: ":").last?.prefix { $0.isNumber }).description
        let key = try #require(url.split(separator: "=").last)
        #expect(url.hasPrefix("http://127.0.0.1:\(port)/?key="))
        let client = RawClient(port: try #require(Int(port)))
        let entered = await client.exchange("GET /?key=\(key) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        #expect(entered?.status == 303)
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        #expect(await client.exchange("GET / HTTP/1.1\r\n\r\n") == nil)
    }

    @Test func aPortThatIsTakenIsAnErrorAndAnEntryThatFailsToo() throws {
        let folder = try TemporaryFolder()
        for arguments in [["--port", "1"], ["-c", "assert 1 == 2"]]
        where geteuid() != 0 || arguments[0] == "-c" {
            let result = try RutterProcess.run(["serve"] + arguments, folder: folder.url)
            #expect(result.status == 1 && result.errors.contains("error E-"))
        }
    }
}
