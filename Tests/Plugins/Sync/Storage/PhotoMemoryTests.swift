import PluginTestKit
import SyncTrials
import Testing

/// What a process takes that syncs photos. `sync-bench --photos` does it with 150 on each cloud.
@Suite(.timeLimit(.minutes(10)))
struct PhotoMemoryTests {
    /// Together larger than what the process may take, and one alone as well.
    @Test(arguments: [(photos: 24, size: 4_000_000), (photos: 2, size: 60_000_000)])
    func photosAreNotInMemory(photos: Int, size: Int) throws {
        let outcome = try PhotoTrial().run(photos: photos, of: size)
        #expect(outcome.isWhole)
        #expect(outcome.staged == 0)
        #expect(outcome.above < 64 * 1024, "\(outcome.text)")
    }
}
