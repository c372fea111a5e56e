import Foundation
import PluginTestKit
import SyncTrials
import Testing

/// Processes that are killed at random times while they sync: everything acknowledged still exists
/// afterwards. A few of each kind; `sync-bench --crashes` kills a hundred times.
@Suite(.enabled(if: SyncSession.hasWaypoints, "needs the plugin Waypoints"))
struct CrashTests {
    private enum Settings {
        static let kills = 5
        /// Seconds that a process lives at most after its first acknowledgement.
        static let longest = 0.8
    }

    @Test func onTheEmbeddedCloud() throws {
        let outcome = try CrashTrial(longest: Settings.longest).run(kills: Settings.kills, seed: 5)
        #expect(outcome.isRight, "\(outcome.text)")
        #expect(outcome.acknowledged >= Settings.kills)
        #expect(outcome.atWork > 0)
    }

    @Test(.enabled(if: S3Server.isInstalled, "needs SeaweedFS (.ci/servers)"))
    func onS3() throws {
        let server = try S3Server()
        func trial(_ prefix: String) throws -> CrashTrial {
            try CrashTrial(
                cloud: "s3://\(S3Server.bucket)/\(prefix)", environment: server.environment,
                longest: Settings.longest)
        }
        let client = try trial("anna").run(kills: Settings.kills, seed: 6)
        #expect(client.isRight, "\(client.text)")
        let whole = try trial("berta").run(kills: 2, victim: .server(server), seed: 7)
        #expect(whole.isRight, "\(whole.text)")
        #expect(whole.acknowledged > 0)
    }

    @Test(.enabled(if: PostgresServer.isInstalled, "needs Debian's package postgresql"))
    func onPostgres() throws {
        let server = try PostgresServer()
        let client = try CrashTrial(cloud: server.address("anna"), longest: Settings.longest)
            .run(kills: Settings.kills, seed: 6)
        #expect(client.isRight, "\(client.text)")
        let whole = try CrashTrial(cloud: server.address("berta"), longest: Settings.longest)
            .run(kills: 2, victim: .server(server), seed: 7)
        #expect(whole.isRight, "\(whole.text)")
        #expect(whole.acknowledged > 0)
    }

    @Test(.enabled(if: PostgresServer.isInstalled, "needs Debian's package postgresql"))
    func besideAFrozenPeerOnPostgres() throws {
        let folder = try TemporaryFolder()
        #expect(try ServerTrial(folder: folder.url).besideFrozen().lost == 0)
    }
}
