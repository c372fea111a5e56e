import PluginTestKit
import StoreTrials
import Testing

/// The beginning of the hunt that `stores-bench --mutations` runs to its end.
@Suite(.enabled(if: SQLiteShell.isThere, "needs sqlite3"), .timeLimit(.minutes(10)))
struct MutationTests {
    @Test func damagedStoresAreRepairedIntoSoundOnes() async throws {
        let outcome = try await MutationTrial(seed: 1, measuresTime: false).run(0..<200)
        #expect(outcome.violations.isEmpty, "\(outcome.violations.joined(separator: "\n"))")
        #expect(outcome.trials == 200 && outcome.repaired > 166, "\(outcome.repaired)")
    }
}
