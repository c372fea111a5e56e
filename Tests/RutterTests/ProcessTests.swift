import Foundation
import PluginTestKit
import Testing

/// The program as a process: what it reads, what it prints where, and how it ends.
@Suite(.timeLimit(.minutes(10)))
struct ProcessTests {
    /// A process with a workspace of its own.
    private func run(_ arguments: [String], input: String = "") throws -> RutterProcess.Outcome {
        let folder = try TemporaryFolder()
        return try RutterProcess.run(
            arguments, input: input,
            environment: ["XDG_DATA_HOME": folder.url.path, "XDG_STATE_HOME": folder.url.path, "TZ": "UTC"],
            folder: folder.url)
    }

    @Test func anEntryOfTheArguments() throws {
        let outcome = try run(["-c", "1 + 1"])
        #expect(outcome.status == 0)
        #expect(outcome.output == "2\n")
        #expect(outcome.errors == "")
    }

    @Test func entriesFromStandardInput() throws {
        let outcome = try run([], input: "let x = [1 2\n3]\n$x | count\n'Zürich 東京'\n")
        #expect(outcome.status == 0)
        #expect(outcome.output == "3\nZürich 東京\n")
    }

    @Test func anErrorGoesToStandardErrorAndStops() throws {
        let outcome = try run([], input: "1 + 1\n2km > 3s\n5\n")
        #expect(outcome.status == 1)
        #expect(outcome.output == "2\n")
        #expect(outcome.errors.hasPrefix("error E-UNIT-DIMENSION: "))
        #expect(outcome.errors.contains("\n  ^^^^^^^^"))
        #expect(!outcome.errors.contains("\u{1B}"))
    }

    @Test func anUnfinishedEntryIsAnError() throws {
        let outcome = try run([], input: "[1 2\n")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("E-SYNTAX-UNFINISHED"))
    }

    @Test(arguments: [
        ["--bogus"], ["run"], ["test", "--jobs", "x"], ["--clock", "noon"], ["--units", "feet"],
    ])
    func wrongUsage(arguments: [String]) throws {
        let outcome = try run(arguments)
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(!outcome.errors.isEmpty)
    }

    @Test func aPipeGetsEveryRow() throws {
        let outcome = try run([
            "-c",
            "range 1 1000 | each {n: it, text: 'a long text that would be cut in eighty columns, would it not'}",
        ])
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 1001)
        #expect(lines.first == "n\ttext")
        #expect(lines.last == "1000\ta long text that would be cut in eighty columns, would it not")
    }

    @Test func severalEntriesRunInOrder() throws {
        #expect(try run(["-c", "let x = 2", "-c", "$x * 3", "-c", "-1 + $x"]).output == "6\n1\n")
        let failed = try run(["-c", "1", "-c", "nosuch", "-c", "3"])
        #expect(failed.status == 1)
        #expect(failed.output == "1\n")
    }

    @Test func aScriptHasArgumentsAndItsErrorsAPlace() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("s.rut")
        try Data("args [radius: length = 2km, --all]\n\n$radius\nif $all { nosuch() }\n".utf8).write(to: file)
        #expect(try run(["run", file.path]).output == "2km\n")
        #expect(try run(["--workspace", folder.url.path, "run", file.path, "5km"]).output == "5km\n")
        #expect(try run(["--seed=3", "--timezone", "UTC", "run", file.path]).output == "2km\n")
        let failed = try run(["run", file.path, "5km", "--all"])
        #expect(failed.status == 1)
        #expect(failed.errors.contains("  at \(file.path):4:11\n"))
        #expect(try run(["run", file.path, "5s"]).errors.contains("E-SCRIPT-ARGS"))
    }

    @Test func quitEndsWithSuccess() throws {
        let outcome = try run([], input: "quit\n1 + 1\n")
        #expect(outcome.status == 0)
        #expect(outcome.output == "")
    }

    @Test func aFileOfEntries() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("entries.rutter")
        try Data("# a comment\n2km * 2\n".utf8).write(to: file)
        let outcome = try run(["run", file.path])
        #expect(outcome.status == 0)
        #expect(outcome.output == "4km\n")
    }

    @Test func bytesThatAreNoTextAreAnError() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("entries.rutter")
        try Data([0x31, 0xff, 0xfe]).write(to: file)
        let outcome = try run(["run", file.path])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("UTF-8"))
    }

    @Test func theClockAndTheZoneAreArguments() throws {
        let outcome = try run([
            "--clock", "2026-07-01T12:00:00Z", "--timezone", "Europe/Zurich", "-c", "clock",
        ])
        #expect(outcome.output == "2026-07-01T14:00:00+02:00\n")
    }

    @Test func optionsOfTheSessionMayPrecedeASubcommand() throws {
        let folder = try TemporaryFolder()
        let words = ["--workspace", folder.url.path, "--seed=7", "notebook", "render", "missing.md"]
        for arguments in [words, ["notebook"] + words.prefix(3) + words.suffix(2)] {
            let outcome = try run(arguments)
            #expect(outcome.errors.contains("no such file: missing.md"), "\(outcome.errors)")
        }
        #expect(try run(["--seed", "7", "kernel", "--help"]).output.contains("Jupyter"))
    }

    @Test func interruptionEndsWith130() throws {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = RutterProcess.executable
        process.arguments = ["--workspace", folder.url.path, "-c", "range 1 1000000000000 | count"]
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = Pipe()
        try process.run()
        // The signal must not come before the program has begun to watch for it.
        try RutterProcess.waitUntilBusy(process.processIdentifier)
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 130)
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text.contains("E-INTERRUPTED"))
    }
}

/// The documentation of the commands, compared with the commands themselves.
@Suite struct DocumentationTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOf: RealData.project.appendingPathComponent(path), encoding: .utf8)
    }

    /// The page has every section that the program generates; `.ci/run` checks that it has no others.
    @Test func theReferenceHasEveryCommand() throws {
        let made = try RutterProcess.run(["reference"]).output
        let written = try text("Sources/Workbench/Documentation/reference.md")
        let sections = made.components(separatedBy: "\n### ").dropFirst().map {
            $0.components(separatedBy: "\n## ")[0].trimmingCharacters(in: .newlines)
        }
        #expect(sections.count > 40)
        let missing = sections.filter { !written.contains("### " + $0) }.map { $0.prefix { $0 != "\n" } }
        #expect(missing.isEmpty, "run .ci/commands")
    }

    /// Each built-in command says what it is for, and the groups that `help` names list all of them once.
    @Test func theGroupsOfHelpHoldAllCommands() throws {
        let rows = try RutterProcess.run(["-c", "help commands | get group | to text"]).output
            .split(separator: "\n").map(String.init)
        #expect(!rows.contains("external") && !rows.contains("own"))
        // What follows these words are commands: their own list says more.
        for group in Set(rows).subtracting(["plugin", "sync", "web"]).sorted() {
            // The page of teaching begins with which of its commands to use.
            let page = try RutterProcess.run(["-c", "help \(group)"]).output.split(separator: "\n")
                .drop { !$0.contains(/: \d+ commands?$/) }
            #expect(page.count == rows.count { $0 == group } + 1, "\(group)")
        }
        #expect(try RutterProcess.run(["-c", "help sync"]).output.contains("\n  sync status  "))
        let overview = try RutterProcess.run(["-c", "help"]).output
        for group in Set(rows) { #expect(overview.contains("  \(group) "), "\(group)") }
    }

    /// Summaries are imperative verb phrases of one line, as in manual pages.
    @Test func summariesAreShortAndImperative() throws {
        let rows = try RutterProcess.run(["-c", "help commands | get summary | to text"]).output
            .split(separator: "\n").map(String.init)
        #expect(rows.count > 150)
        for summary in rows {
            #expect(summary.count < 60, "\(summary)")
            let first = summary.prefix { $0 != " " }
            #expect(!first.hasSuffix("s") || ["pass"].contains(first), "\(summary)")
            #expect(summary.first?.isLowercase == true && summary.last != ".", "\(summary)")
        }
    }

    /// A newcomer reads the whole page.
    @Test func theREADMEIsShort() throws {
        #expect(try text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 150)
    }
}
