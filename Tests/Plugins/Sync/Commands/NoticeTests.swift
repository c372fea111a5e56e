import Foundation
import PluginTestKit
import SyncTrials
import TerminalTestKit
import Testing

@testable import SyncPlugin

/// A change pushed by one process is reported at the prompt of another that waits.
@Suite(.enabled(if: SyncSession.hasWaypoints, "needs the plugin Waypoints"), .timeLimit(.minutes(10)))
struct NoticeTests {
    @Test func onTheEmbeddedCloud() async throws {
        let folder = try TemporaryFolder()
        try await shows(cloud: folder.url.appendingPathComponent("cloud.db").path)
    }

    @Test(.enabled(if: PostgresServer.isInstalled, "needs Debian's package postgresql"))
    func onPostgres() async throws {
        let server = try PostgresServer()
        try await shows(cloud: server.address("anna"))
        // The channel is private.
        #expect(try server.psql("berta", "SELECT channel FROM rutter.zones").isEmpty)
    }

    private func shows(cloud: String) async throws {
        let home = try TemporaryFolder()
        let variables = ["HOME": home.url.path, "TERM": "xterm-256color", "LANG": "C.UTF-8", "NO_COLOR": "1"]
        let terminal = try PseudoTerminal(
            RutterProcess.executable.path, ["--seed", "1", "--clock", "2026-02-06T08:00:00Z"],
            environment: variables, columns: 100)
        try await terminal.waitFor("rutter> ")
        terminal.send("device add phone anna | get name\r")
        try await terminal.waitFor("anna")
        try await terminal.waitFor("rutter> ")
        terminal.send("sync subscribe --cloud '\(cloud)'\r")
        try await terminal.waitFor("watching the cloud, now at change 0")
        try await terminal.waitFor("rutter> ")
        // The user is typing and has not entered anything.
        terminal.send("waypoint li")
        let other = try RutterProcess.run(
            ["--workspace", home.url.appendingPathComponent("other").path],
            input:
                "device add mac desk\nwaypoint add 46.5,7.9 --label Hut\nsync --cloud '\(cloud)' | get pushed\n"
        )
        #expect(other.output.hasSuffix("1\n"), "\(other.errors)")
        try await terminal.waitFor("the cloud has new changes for anna: sync pull")
        // The typed text is below it, and can be continued.
        terminal.send("st | count\r")
        try await terminal.waitFor("0\r\n")
        try await terminal.waitFor("rutter> ")
        terminal.send("sync --cloud '\(cloud)' | get pulled\r")
        try await terminal.waitFor("1\r\n")
        try await terminal.waitFor("rutter> ")
        // The device's own pushes are not reported.
        terminal.send("waypoint edit Hut --note mine | get note\r")
        try await terminal.waitFor("mine\r\n")
        terminal.send("sync --cloud '\(cloud)' | get pushed\r")
        try await terminal.waitFor("1\r\n")
        let shown = terminal.transcript.components(separatedBy: "new changes").count
        // The next notice is that of the other's next change.
        let again = try RutterProcess.run(
            ["--workspace", home.url.appendingPathComponent("other").path],
            input:
                "device use desk\nwaypoint add 46.6,7.9 --label Pass\nsync --cloud '\(cloud)' | get pushed\n"
        )
        #expect(again.output.hasSuffix("1\n"), "\(again.errors)")
        try await terminal.waitFor("new changes for anna: sync pull")
        #expect(terminal.transcript.components(separatedBy: "new changes").count == shown + 1)
        terminal.send("\u{04}")
        #expect(try await terminal.waitForExit() == 0)
    }
}
