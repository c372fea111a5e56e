import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import ForeignPlugins

/// Faults of a plugin. Each time: an error that names it, the session continues, and no process is left.
@Suite(.serialized, .patient, .timeLimit(.minutes(10)))
struct HostileTests {
    @Test(arguments: [
        ("crash", "E-PLUGIN-ENDED"), ("half", "E-PLUGIN-ENDED"), ("endless-line", "E-PLUGIN-FLOOD"),
        ("not-utf8", "E-PLUGIN-ANSWER"), ("wrong-id", "E-PLUGIN-ANSWER"), ("no-json", "E-PLUGIN-ANSWER"),
        ("two-answers", "E-PLUGIN-ANSWER"), ("wrong-value", "E-PLUGIN-ANSWER"),
        ("wrong-tag", "E-PLUGIN-ANSWER"), ("other-parts", "E-PLUGIN-ANSWER"),
        ("deep", "E-PLUGIN-ANSWER"), ("flood", "E-PLUGIN-FLOOD"), ("callback", "E-PLUGIN-FLOOD"),
        ("memory", "E-PLUGIN-ENDED"),
    ])
    func anErrorNamesIt(_ mode: String, _ code: String) async throws {
        let session = try await ForeignSession.hostile(mode)
        let result = await session.test.result("hostile do")
        #expect(result.failure?.code == code, "\(result.text)")
        #expect(result.failure?.message.contains("the plugin `hostile`") == true, "\(result.text)")
        #expect(!result.text.contains("\u{1B}"), "\(result.text)")
        #expect(await session.test.run("1 + 1") == "2")
        await session.test.session.close()
        #expect(session.leftovers().isEmpty)
    }

    /// The host, in a process limited to 400 MB of private memory, handles a line of 1 GB and a flood of
    /// messages.
    @Test(arguments: ["endless-line", "flood"])
    func memoryIsBounded(_ mode: String) throws {
        let session = try ForeignSession()
        try session.write(
            "hostile", command: [ForeignSession.program("hostile-plugin"), mode], more: ",\"timeout\":3600")
        let home = session.url("home").path
        let entry = "plugin trust ./hostile; plugin load ./hostile; hostile do"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c", "ulimit -d 400000 && exec \"$0\" --workspace \"$1\" -c \"$2\"",
            RutterProcess.executable.path,
            session.url("ws").path, entry,
        ]
        process.environment = ProcessInfo.processInfo.environment.merging(["XDG_DATA_HOME": home]) { $1 }
        process.currentDirectoryURL = session.url(".")
        let errors = Pipe()
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, errors)
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(text.contains("E-PLUGIN-FLOOD: the plugin `hostile` wrote"), "\(text)")
        #expect(session.leftovers().isEmpty)
    }

    @Test func whatNeverAnswersIsEnded() async throws {
        let session = try await ForeignSession.hostile("silent", timeout: 0.3)
        let result = await session.test.result("hostile do")
        #expect(result.failure?.code == "E-PLUGIN-TIMEOUT", "\(result.text)")
        #expect(
            result.text.contains("the plugin `hostile` did not answer `run` within 300ms"), "\(result.text)")
        #expect(session.leftovers().isEmpty)
        // Completion has a shorter timeout, after which it offers nothing.
        let candidates = await ForeignSettings.$timeouts.withValue(ForeignTimeouts()) {
            await session.test.session.completions(of: "hostile do --word ").candidates
        }
        #expect(candidates.isEmpty)
        await ForeignSettings.$timeouts.withValue(ForeignTimeouts()) { await session.test.session.close() }
        #expect(session.leftovers().isEmpty)
    }

    @Test func whatComplainsForEverIsEnded() async throws {
        let session = try await ForeignSession.hostile("endless-complaint", timeout: 0.3)
        let result = await session.test.result("hostile do")
        #expect(result.failure?.code == "E-PLUGIN-TIMEOUT", "\(result.text)")
        #expect(session.leftovers().isEmpty)
        await session.test.session.close()
    }

    /// A slow completion offers nothing and is cancelled. A plugin that then answers keeps running; one that
    /// does not is restarted by the next call, whose result is not affected.
    @Test(arguments: [("complete-late", true), ("complete-never", false)])
    func aSlowCompletionIsCancelled(_ mode: String, _ goesOn: Bool) async throws {
        // One answers when it is cancelled, and the other never: neither depends on the speed of the machine.
        var timeouts = ForeignTimeouts.long
        timeouts.completion = .milliseconds(100)
        if !goesOn { timeouts.cancelGrace = .milliseconds(100) }
        try await ForeignSettings.$timeouts.withValue(timeouts) {
            let session = try await ForeignSession.hostile(mode)
            let before = await session.test.run("hostile do")
            #expect(Int(before) != nil, "\(before)")
            for _ in 0..<2 {
                #expect(await session.test.session.completions(of: "hostile do --word ").candidates.isEmpty)
            }
            let after = await session.test.run("hostile do")
            #expect(Int(after) != nil, "\(after)")
            #expect((before == after) == goesOn)
            await session.test.session.close()
            #expect(session.leftovers().isEmpty)
        }
    }

    @Test func whatAnswersLateIsWaitedFor() async throws {
        let session = try await ForeignSession.hostile("late")
        #expect(await session.test.run("hostile do") == "1")
        await session.test.session.close()
    }

    @Test(arguments: [
        ("never-starts", "E-PLUGIN-TIMEOUT"), ("crash-at-start", "E-PLUGIN-ENDED"),
        ("twice", "E-PLUGIN-DECLARATION"), ("bad-example", "E-PLUGIN-DECLARATION"),
    ])
    func whatDoesNotStartIsNotTrusted(_ mode: String, _ code: String) async throws {
        let session = try ForeignSession()
        try session.write("hostile", command: [ForeignSession.program("hostile-plugin"), mode])
        let isSilent = mode == "never-starts"
        let result = await ForeignSettings.$timeouts.withValue(isSilent ? ForeignTimeouts() : .long) {
            await session.test.result("plugin trust ./hostile")
        }
        #expect(result.failure?.code == code, "\(result.text)")
        #expect(result.failure?.fix != nil, "\(result.text)")
        #expect(result.text.contains("`hostile`"), "\(result.text)")
        #expect(await session.test.result("plugin load ./hostile").failure?.code == "E-PLUGIN-UNTRUSTED")
        #expect(session.leftovers().isEmpty)
    }

    @Test func anotherProtocolAndAMissingProgram() async throws {
        let session = try ForeignSession()
        try session.write("other", command: ["/nonexistent/program"])
        #expect(await session.test.result("plugin trust ./other").failure?.code == "E-PLUGIN-START")
        let text = try String(contentsOf: session.url("other/plugin.json"), encoding: .utf8)
        try Data(text.replacing("\"protocol\":1", with: "\"protocol\":2").utf8).write(
            to: session.url("other/plugin.json"))
        let result = await session.test.result("plugin trust ./other")
        #expect(result.failure?.code == "E-PLUGIN-MANIFEST")
        #expect(result.text.contains("`protocol` is 2"), "\(result.text)")
        #expect(result.text.contains("other/plugin.json:1:"), "\(result.text)")
    }

    @Test func aCommandThatExistsIsRefused() async throws {
        let session = try ForeignSession()
        try session.write("hostile", command: [ForeignSession.program("hostile-plugin"), "taken"])
        try await session.test.value("plugin trust ./hostile")
        let result = await session.test.result("plugin load ./hostile")
        #expect(result.failure?.code == "E-PLUGIN-DECLARATION")
        #expect(
            result.text.contains("of the plugin `hostile` is already a command of `host`"), "\(result.text)")
        #expect(await session.test.run("range 1 3 | sum") == "6")
    }

    @Test(arguments: ["ignore-cancel", "good"])
    func ctrlCEndsACall(_ mode: String) async throws {
        let session = try await ForeignSession.hostile(mode)
        // The one that ignores it never ends.
        let timeouts = mode == "ignore-cancel" ? ForeignTimeouts() : .long
        let task = Task {
            await ForeignSettings.$timeouts.withValue(timeouts) {
                await session.test.result("hostile do | assert false")
            }
        }
        if mode == "ignore-cancel" {
            // It reports that it runs.
            while !session.copies(of: "hostile").contains(where: { $0.holds("running") }) {
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        task.cancel()
        let ending = await task.value
        #expect(ending.failure?.code == "E-INTERRUPTED")
        if mode == "ignore-cancel" { #expect(session.leftovers().isEmpty) }
        #expect(await session.test.run("1 + 1") == "2")
        await session.test.session.close()
    }

    @Test(arguments: ["stays", "crash-at-end", "child"])
    func whatDoesNotEndIsEnded(_ mode: String) async throws {
        // The one that does not exit is killed after the grace period at each end.
        var timeouts = ForeignTimeouts.long
        timeouts.shutdownGrace = .milliseconds(500)
        try await ForeignSettings.$timeouts.withValue(timeouts) {
            let session = try await ForeignSession.hostile(mode)
            _ = try await session.test.value("hostile do")
            await session.test.session.close()
            #expect(session.leftovers().isEmpty)
        }
    }

    /// Standard input, output and error, a session of its own, and an environment without anything of the user's.
    @Test func itInheritsNothing() async throws {
        let session = try await ForeignSession.hostile("inherits")
        #expect(await session.test.run("(hostile do).files | to json") == "[0, 1, 2]")
        #expect(await session.test.run("(hostile do).leads") == "true")
        let names = await session.test.run("(hostile do).names").split(separator: "\n").map(String.init)
        let known: Set = ["HOME", "LANG", "PATH", "PYTHONDONTWRITEBYTECODE", "RUTTER_CHILD", "TMPDIR"]
        #expect(known.isSuperset(of: names), "\(names)")
        #expect(names.contains("PATH"))
        await session.test.session.close()
    }

    @Test func aTableComesInParts() async throws {
        let session = try await ForeignSession.hostile("parts")
        #expect(await session.test.run("hostile do | get n | to json") == "[0, 1, 2, 3]")
        await session.test.session.close()
    }

    @Test func itsErrorsCannotBeOthers() async throws {
        let session = try await ForeignSession.hostile("escapes")
        let result = await session.test.result("hostile do --word x")
        #expect(result.failure?.code == "E-PLUGIN-FAILED")
        #expect(result.failure?.message == "red ·[31m ·")
        // The error points at the word of the argument.
        #expect(result.text.contains("hostile do --word x\n                    ^"), "\(result.text)")
        await session.test.session.close()
    }

    @Test(arguments: [
        ("itself", "E-PLUGIN-BUSY"), ("reader", "E-PLUGIN-EFFECT"), ("quitter", "E-PLUGIN-EFFECT"),
    ])
    func pipelinesOfAPluginAreLimited(_ mode: String, _ code: String) async throws {
        let session = try await ForeignSession.hostile(mode)
        let reply = await session.test.run("hostile do")
        if mode == "quitter" {
            #expect(reply.contains("unknown") || reply.contains(code), "\(reply)")
        } else {
            #expect(reply.contains(code), "\(reply)")
        }
        #expect(!FileManager.default.fileExists(atPath: session.url("other").path))
        await session.test.session.close()
    }

    /// A code that the session gave it is kept; `itsErrorsCannotBeOthers` shows that another is not.
    @Test func anErrorOfTheSessionIsPassedOn() async throws {
        let session = try await ForeignSession.hostile("passer")
        let result = await session.test.result("hostile do")
        #expect(result.failure?.code == "E-PLUGIN-EFFECT", "\(result.text)")
        await session.test.session.close()
    }

    @Test func aCommandThatChangesMayRunOneThatChanges() async throws {
        let session = try await ForeignSession.hostile("changer")
        #expect(await session.test.run("hostile do") == "no error")
        #expect(FileManager.default.fileExists(atPath: session.url("other/plugin.json").path))
        await session.test.session.close()
    }
}
