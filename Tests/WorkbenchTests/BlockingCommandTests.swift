import Foundation
import PluginKit
import PluginTestKit
import Synchronization
import Testing
import Workbench

/// Commands that block must not stop what else runs in the process.
@Suite struct BlockingCommandTests {
    /// More commands than the machine has cores block until a task of the shared pool releases them.
    @Test(.timeLimit(.minutes(10))) func blockedCommandsLeaveThePoolFree() async throws {
        let gate = Gate()
        let count = ProcessInfo.processInfo.activeProcessorCount * 2 + 2
        let results = try await withThrowingTaskGroup(of: Bool.self) { group in
            let executor = CommandExecutor()
            for _ in 0..<count {
                group.addTask {
                    let test = try TestSession(plugins: { [GatePlugin(gate: gate)] }, executor: executor)
                    return await test.session.run("gate wait").failure == nil
                }
            }
            while gate.waiting < count { try await Task.sleep(for: .milliseconds(5)) }
            gate.open(count)
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results == Array(repeating: true, count: count))
    }
}

private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let arrived = Atomic(0)

    var waiting: Int { arrived.load(ordering: .relaxed) }

    func wait() {
        arrived.wrappingAdd(1, ordering: .relaxed)
        semaphore.wait()
    }

    func open(_ count: Int) { for _ in 0..<count { semaphore.signal() } }
}

private struct GatePlugin: Plugin {
    let name = "gate"
    let summary = "a command that blocks"
    let version = "1.0"
    let gate: Gate

    var commands: [any CommandProvider] {
        [
            Command(
                "gate wait", "block until the gate opens", output: .nothing, effect: .pure,
                examples: []
            ) { [gate] _ in
                gate.wait()
                return .nothing
            }
        ]
    }
}
