import Foundation
import SyncTrials

/// Kills syncing processes, and the servers under them.
struct Crashes {
    private enum Settings {
        static let seed: UInt64 = 6
        static let clientKills = 100
        static let serverKills = 10
        /// Maximum seconds that a process lives after its first acknowledgement.
        static let longest = 0.5
    }

    func run() throws -> Bool {
        let program = try SyncBench.program()
        let embedded = try CrashTrial(executable: program, longest: Settings.longest)
            .run(kills: Settings.clientKills, seed: Settings.seed)
        print("embedded cloud, the syncing process killed: \(embedded.text)")
        let objects = try objects(program)
        guard PostgresServer.isInstalled else {
            print("skipped: PostgreSQL; no server is installed")
            return embedded.isRight && objects
        }
        let server = try PostgresServer()
        let client = try CrashTrial(
            executable: program, cloud: server.address("anna"), longest: Settings.longest
        ).run(kills: Settings.clientKills, seed: Settings.seed)
        print("PostgreSQL, the syncing process killed: \(client.text)")
        let whole = try CrashTrial(
            executable: program, cloud: server.address("berta"), longest: Settings.longest
        ).run(kills: Settings.serverKills, victim: .server(server), seed: Settings.seed)
        print("PostgreSQL, the server killed: \(whole.text)")
        return embedded.isRight && objects && client.isRight && whole.isRight
    }

    private func objects(_ program: URL) throws -> Bool {
        guard S3Server.isInstalled else {
            print("skipped: S3; SeaweedFS is not installed (.ci/servers)")
            return true
        }
        let server = try S3Server()
        func trial(_ prefix: String) throws -> CrashTrial {
            try CrashTrial(
                executable: program, cloud: "s3://\(S3Server.bucket)/\(prefix)",
                environment: server.environment,
                longest: Settings.longest)
        }
        let client = try trial("anna").run(kills: Settings.clientKills, seed: Settings.seed)
        print("S3, the syncing process killed: \(client.text)")
        let whole = try trial("berta").run(
            kills: Settings.serverKills, victim: .server(server), seed: Settings.seed)
        print("S3, the server killed: \(whole.text)")
        return client.isRight && whole.isRight
    }
}
