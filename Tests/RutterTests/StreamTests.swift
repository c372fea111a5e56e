import Foundation
import PluginTestKit
import Testing

/// Standard input, output and error in a bad state.
@Suite(.timeLimit(.minutes(10)))
struct StreamTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs a shell's line in which `$R` is the program.
    private func shell(_ line: String, home: String? = nil) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", line]
        process.currentDirectoryURL = folder.url
        var environment = ProcessInfo.processInfo.environment
        environment["R"] = RutterProcess.executable.path
        environment["XDG_DATA_HOME"] = folder.url.path
        environment["XDG_STATE_HOME"] = folder.url.path
        environment["HOME"] = home ?? folder.url.path
        process.environment = environment
        let output = folder.url.appendingPathComponent("shell-output")
        try Data().write(to: output)
        let handle = try FileHandle(forWritingTo: output)
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
        return (process.terminationReason == .exit ? process.terminationStatus : -1, text)
    }

    @Test(arguments: ["2>&-", "2>/dev/full", "2>&- >/dev/full"])
    func anErrorThatCannotBeShownIsNoCrash(redirection: String) throws {
        #expect(try shell("$R -c '1/0' \(redirection)").status == 1)
        #expect(try shell("echo '1/0' | $R \(redirection)").status == 1)
    }

    @Test(arguments: [
        "$R -c '1 + 1' >&-", "$R -c '1 + 1' >/dev/full", "$R -c 'range 1 100000' >/dev/full",
        "$R reference >/dev/full", "$R --help >/dev/full",
    ])
    func outputThatIsLostIsTold(line: String) throws {
        let outcome = try shell(line)
        #expect(outcome.status == 1)
        #expect(
            outcome.text.hasPrefix("error E-OUTPUT: standard output cannot be written: "), "\(outcome.text)")
    }

    /// A closed reader ends the writer, as with any program.
    @Test func aClosedPipeEndsTheProgram() throws {
        let outcome = try shell("$R -c 'range 1 100000' | head -n 1")
        #expect(outcome.status == 0)
        #expect(outcome.text == "1\n")
    }

    @Test(arguments: [
        ("-33.8688,151.2093", "-33.8688,151.2093\n"), ("-0.5 + 1", "0.5\n"), ("--1", "1\n"),
    ])
    func anEntryMayBeginWithAMinus(entry: String, output: String) throws {
        #expect(try shell("$R -c '\(entry)'").text == output)
    }

    @Test func bytesThatAreNoTextAreRefused() throws {
        let outcome = try shell(#"printf '1 + 1\n"\377\376"\n3\n' | $R"#)
        #expect(outcome.status == 1)
        #expect(outcome.text == "2\nerror E-INPUT-UTF8: line 2 of standard input is not UTF-8 text\n")
    }

    @Test func aByteOrderMarkAndCarriageReturnsAreNoInput() throws {
        #expect(try shell(#"printf '\357\273\2771 + 1\r\n2 + 2' | $R"#).text == "2\n4\n")
        try Data("\u{FEFF}1 + 1\r\n2 + 2".utf8).write(to: folder.url.appendingPathComponent("e.txt"))
        #expect(try shell("$R run e.txt").text == "2\n4\n")
    }

    /// Without HOME the user database is used, never the current folder.
    @Test func anEmptyHomeIsNotThePresentFolder() throws {
        let outcome = try shell(
            "XDG_DATA_HOME= XDG_STATE_HOME= $R --workspace ws -c '1 + 1'; ls -A", home: "")
        #expect(!outcome.text.contains(".local"))
    }
}
