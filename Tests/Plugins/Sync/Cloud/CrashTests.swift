import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import SyncPlugin

/// Processes that are ended at random points while they sync: what was acknowledged is there afterwards.
@Suite(.timeLimit(.minutes(10)), .enabled(if: SyncSession.hasWaypoints, "needs the plugin Waypoints"))
struct CrashTests {
    @Test func aHundredKillsOnTheEmbeddedCloud() throws { try survives(cloud: nil, kills: 100) }

    @Test(.enabled(if: PostgresServer.isInstalled, "needs Debian's package postgresql"))
    func aHundredKillsOnPostgres() throws {
        let server = try PostgresServer()
        try survives(cloud: server.address("anna"), kills: 100)
    }

    private func survives(cloud: String?, kills: Int) throws {
        let folder = try TemporaryFolder()
        let option = cloud.map { " --cloud '\($0)'" } ?? ""
        var random = Xoshiro256(seed: 5)
        _ = try rutter(folder, ["device add phone anna"], lives: nil)
        var acknowledged: Set<String> = []
        for round in 0..<kills {
            let entries = (0..<3).flatMap { number in
                [
                    "waypoint add 46.\(round),7.\(number) --label R\(round)x\(number) | get label",
                    "sync now\(option) | get pushed",
                ]
            }
            let output = try rutter(
                folder, ["device use anna"] + entries, lives: Double.random(in: 0.05...0.4, using: &random))
            acknowledged.formUnion(
                output.split(whereSeparator: \.isNewline).map(String.init).filter { $0.hasPrefix("R") })
        }
        let last = try rutter(
            folder,
            [
                "device use anna", "sync now\(option)", "device add mac desk", "sync now\(option)",
                "waypoint list | get label",
            ],
            lives: nil)
        let found = Set(last.split(whereSeparator: \.isNewline).map(String.init))
        #expect(acknowledged.count > kills / 10, "too few were acknowledged to tell")
        #expect(acknowledged.subtracting(found).isEmpty)
        let outbox = try rutter(folder, ["device use anna", "sync status | get outbox"], lives: nil)
        #expect(outbox.split(whereSeparator: \.isNewline).last == "0")
    }

    /// Runs entries; ends the process by SIGKILL after so many seconds.
    private func rutter(_ folder: TemporaryFolder, _ entries: [String], lives: Double?) throws -> String {
        let process = Process()
        process.executableURL = RutterProcess.executable
        process.arguments = ["--workspace", folder.url.appendingPathComponent("workspace").path]
        let input = folder.url.appendingPathComponent("in")
        let output = folder.url.appendingPathComponent("out")
        try Data(entries.joined(separator: "\n").utf8).write(to: input)
        try Data().write(to: output)
        process.standardInput = try FileHandle(forReadingFrom: input)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = FileHandle.nullDevice
        try process.run()
        if let lives {
            Thread.sleep(forTimeInterval: lives)
            kill(process.processIdentifier, SIGKILL)
        }
        process.waitUntilExit()
        return String(decoding: try Data(contentsOf: output), as: UTF8.self)
    }
}
