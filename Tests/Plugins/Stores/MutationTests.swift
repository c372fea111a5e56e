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

    /// The repair recovers what a carver and SQLite find, and what it says of its losses is true.
    @Test func everyReadableRowIsRecoveredAndLossesAreCounted() async throws {
        let outcome = try await RecoveryTrial(seed: 5).run(0..<300)
        #expect(outcome.violations.isEmpty, "\(outcome.violations.joined(separator: "\n"))")
        // The trials are about something: some stores lose rows, some do not, and of some the loss is known exactly.
        #expect(outcome.losses > 60 && outcome.complete > 60 && outcome.exact > 20, "\(outcome)")
    }
}
