import Foundation
import PluginKit
import Synchronization
import Testing

/// Entries that only read run beside the one that has the session.
struct AsideTests {
    /// A command that waits until another one has run.
    private struct GatePlugin: Plugin {
        let name = "gate"
        let summary = "waits"
        let version = "1.0"
        let isOpen = Latch()
        var commands: [any CommandProvider] {
            [
                Wait(name: "gate wait", effect: .reads, latch: isOpen),
                Wait(name: "gate hold", effect: .changes, latch: isOpen), Free(latch: isOpen),
            ]
        }
    }

    private final class Latch: Sendable {
        private let flag = Atomic(false)
        func open() { flag.store(true, ordering: .relaxed) }
        var isOpen: Bool { flag.load(ordering: .relaxed) }
    }

    private struct Wait: CommandProvider {
        let name: String
        let effect: CommandSpec.Effect
        let latch: Latch
        var command: Command {
            Command(name, "wait", output: .value("text"), effect: effect, examples: []) { context in
                while !latch.isOpen {
                    try context.checkCancelled()
                    try await Task.sleep(for: .milliseconds(5))
                }
                context.log.notice("waited long")
                return .text("opened")
            }
        }
    }

    private struct Free: CommandProvider {
        let name = "gate free"
        let latch: Latch
        var command: Command {
            Command(name, "open the gate", output: .value("text"), effect: .reads, examples: []) { _ in
                latch.open()
                return .text("free")
            }
        }
    }

    @Test(arguments: ["gate wait", "gate hold"])
    func aLongEntryDoesNotBlockReading(long: String) async throws {
        let served = try await ServedSession(plugins: [GatePlugin()])
        async let first = served.run(long, isRecorded: long == "gate hold")
        // Were it to wait for its turn, nothing would ever open the gate.
        let other = try await served.run("gate free")
        #expect(other["text"] as? String == "free")
        #expect(try await first["text"] as? String == "opened")
    }

    @Test func whatChangesTheSessionWaitsForItsTurn() async throws {
        let served = try await ServedSession(plugins: [GatePlugin()])
        _ = try await served.run("let x = 3; $x")
        #expect(await served.test.run("$x") == "3")
        let nested = try await served.run("(let y = 4); 5")
        #expect(nested["text"] as? String != nil)
        #expect(try await served.run("note add n", isRecorded: false)["changed"] as? Bool == true)
    }

    @Test func noticesReachThePage() async throws {
        let served = try await ServedSession(plugins: [GatePlugin()])
        _ = try await served.run("gate free")
        for isRecorded in [false, true] {
            let result = try await served.run("gate wait", isRecorded: isRecorded)
            #expect(result["notes"] as? [String] == ["waited long"])
        }
    }

    @Test func cutsOfRowsAreNotesWhateverIsShown() async throws {
        let served = try await ServedSession()
        for view in ["value", "table", "map"] {
            let result = try await served.run("range 1 35000", views: [view])
            let notes = result["notes"] as? [String] ?? []
            #expect(
                notes.contains { $0.contains("10000 rows left out") || $0.contains("10,000 rows left out") },
                "\(view): \(notes)")
        }
    }
}
