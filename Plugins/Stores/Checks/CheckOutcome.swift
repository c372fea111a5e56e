import PluginKit
import TrailStores

/// The result of a check.
package struct CheckOutcome: Sendable {
    var findings: [Finding]
    /// Findings that were counted but not kept, by code.
    var dropped: [String: Int] = [:]

    /// How many findings were kept.
    package var count: Int { findings.count }

    init(findings: [Finding]) { self.findings = findings }

    /// Runs SQLite's own checks and those of formats. Stops when the task is cancelled.
    init(
        _ connection: StoreConnection, _ checks: [any StoreChecking], progress: ProgressReporter
    ) async throws {
        self = try await connection.stoppableRead { db, signal in
            let run = CheckRun(db, of: connection.url, signal: signal, progress: progress)
            try SQLiteFindings.check(run)
            for check in checks { try check.check(run) }
            return run.outcome
        }
    }

    /// Runs SQLite's own checks and those of a kind of store. Stops when the task is cancelled.
    package init(_ connection: StoreConnection, _ kind: StoreKind, progress: ProgressReporter) async throws {
        try await self.init(connection, FormatChecks.all.filter { $0.kind == kind }, progress: progress)
    }
}
