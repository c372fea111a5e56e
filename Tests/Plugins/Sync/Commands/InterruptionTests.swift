import Foundation
import GRDB
import PluginTestKit
import Testing

@testable import SyncPlugin

/// Cancelled syncs, and concurrent ones.
@Suite(.enabled(if: SyncSession.hasWaypoints, "needs the plugin Waypoints"))
struct InterruptionTests {
    /// Ctrl-C ends the pause between two attempts, which takes real time where the clock does.
    @Test func anInterruptStopsBetweenAttempts() throws {
        let home = try TemporaryFolder()
        let process = Process()
        let output = home.url.appendingPathComponent("out")
        try Data().write(to: output)
        process.executableURL = RutterProcess.executable
        process.arguments = [
            "--workspace", home.url.appendingPathComponent("w").path, "-c",
            "device add phone anna; waypoint add 46.5,7.9 --label Hut; "
                + "sync --cloud postgres://anna@127.0.0.1:1/none",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: output)
        try process.run()
        let lock = home.url.appendingPathComponent("w/devices/anna/sync.lock")
        for _ in 0..<1_000 where !FileManager.default.fileExists(atPath: lock.path) {
            Thread.sleep(forTimeInterval: 0.02)
        }
        Thread.sleep(forTimeInterval: 0.3)
        process.interrupt()
        process.waitUntilExit()
        // After all four attempts it would be 1.
        #expect(process.terminationStatus == 130)
        let status = try RutterProcess.run(
            ["--workspace", home.url.appendingPathComponent("w").path],
            input: "device use anna\nsync status | get outbox\nsync | get pushed\n")
        #expect(status.output.hasSuffix("1\n1\n"), "\(status.output) \(status.errors)")
    }

    @Test func oneSyncAtATime() async throws {
        let test = try SyncSession.make()
        try await test.value("device add phone anna")
        try await test.value("waypoint add 46.5,7.9 --label Hut")
        let lock = try DeviceLock(test.folder.url.appendingPathComponent("workspace/devices/anna"))
        #expect(await test.result("sync").failure?.code == "E-SYNC-REFUSED")
        lock.release()
        #expect(await test.run("sync | get pushed") == "1")
    }

    /// Operation numbers used by another process in the meantime are not reused.
    @Test func whatAnotherProcessWroteIsRead() async throws {
        let test = try SyncSession.make()
        try await test.value("device add phone anna")
        #expect(await test.run("sync | get pushed") == "0")
        let file = test.folder.url.appendingPathComponent("workspace/devices/anna/sync.db")
        let other = try DatabaseQueue(path: file.path)
        try await other.write { try $0.execute(sql: "UPDATE header SET next_operation = 40") }
        try await test.value("waypoint add 46.5,7.9 --label Hut")
        #expect(await test.run("sync | get pushed") == "1")
        let next = try await other.read { try Int.fetchOne($0, sql: "SELECT next_operation FROM header") }
        #expect(next == 41)
    }
}
