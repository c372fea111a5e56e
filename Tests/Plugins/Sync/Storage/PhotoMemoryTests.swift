import PluginTestKit
import SyncTrials
import Testing

/// The memory of a process that syncs photos. `sync-bench --photos` does it with 150 on each cloud.
@Suite(.timeLimit(.minutes(10)))
struct PhotoMemoryTests {
    /// Together larger than the allowed memory, and so is one alone.
    @Test(arguments: [(photos: 24, size: 4_000_000), (photos: 2, size: 60_000_000)])
    func photosAreNotInMemory(photos: Int, size: Int) throws {
        let outcome = try PhotoTrial().run(photos: photos, of: size)
        #expect(outcome.isWhole)
        #expect(outcome.staged == 0)
        #expect(outcome.above < 64 * 1024, "\(outcome.text)")
    }

    /// Processes end by SIGKILL in the middle of transfers, up and down.
    @Test func killsInTheMiddleOfATransferLoseNothing() throws {
        let outcome = try PhotoTrial().run(photos: 12, of: 6_000_000, kills: 10, pause: 0.15)
        #expect(outcome.isWhole)
        #expect(outcome.staged == 0)
    }

    @Test(.enabled(if: S3Server.isInstalled, "needs SeaweedFS (.ci/servers)"))
    func killsOnAnObjectStore() throws {
        let server = try S3Server()
        let outcome = try PhotoTrial(
            cloud: "s3://\(S3Server.bucket)/kills", environment: server.environment
        ).run(photos: 8, of: 6_000_000, kills: 8, pause: 0.2)
        #expect(outcome.isWhole)
        #expect(outcome.staged == 0)
    }

    @Test(.enabled(if: PostgresServer.isInstalled, "needs Debian's package postgresql"))
    func killsOnPostgres() throws {
        let server = try PostgresServer()
        let outcome = try PhotoTrial(cloud: server.address("anna"))
            .run(photos: 8, of: 6_000_000, kills: 8, pause: 0.2)
        #expect(outcome.isWhole)
        #expect(outcome.staged == 0)
    }
}
