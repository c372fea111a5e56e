import CivilTime
import PluginKit
import Synchronization
import TrailStores

/// The result of a check.
package struct CheckOutcome: Sendable {
    var findings: [Finding]
    /// Findings that were counted but not kept, by code.
    var dropped: [String: Int] = [:]

    /// Number of kept findings.
    package var count: Int { findings.count }

    init(findings: [Finding]) { self.findings = findings }

    /// The rows that an app shows, if checked as that app.
    var shown: ReaderChecks.Shown?

    /// Checks the bytes of the file, then runs SQLite's own checks and those of formats. Stops when the task is cancelled.
    init(
        _ connection: StoreConnection, _ checks: [any StoreChecking], now: Timestamp? = nil,
        progress: ProgressReporter
    ) async throws {
        self = try await Self.run(connection, now, progress) { run in
            try SQLiteFindings.check(run)
            for kind in checks.map(\.kind) { try SchemaFindings.check(run, kind) }
            for check in checks { try check.check(run) }
        }
    }

    /// Checks only what an app would drop.
    init(
        _ connection: StoreConnection, _ kind: StoreKind, as profile: FormatProfile,
        progress: ProgressReporter
    ) async throws {
        let shown = Mutex<ReaderChecks.Shown?>(nil)
        self = try await Self.run(connection, nil, progress) { run in
            let result = try ReaderChecks(profile: profile).check(run, kind)
            shown.withLock { $0 = result }
        }
        self.shown = shown.withLock(\.self)
    }

    private static func run(
        _ connection: StoreConnection, _ now: Timestamp?, _ progress: ProgressReporter,
        _ body: @escaping @Sendable (CheckRun) throws -> Void
    ) async throws -> CheckOutcome {
        // Closing a file that this process has open for writing would drop its locks.
        let isFile =
            connection.recognition == nil && connection.url.path.hasPrefix("/")
            && connection.access == .foreign
        return try await connection.stoppableRead { db, signal in
            let files = isFile ? try FileFindings.of(connection.url) : []
            let run = CheckRun(db, of: connection.url, now: now, signal: signal, progress: progress)
            let cycles = isFile ? try FileFindings.cycles(connection.url) { try signal.check() } : []
            // SQLite would follow such pages endlessly.
            if cycles.isEmpty { try body(run) }
            var outcome = run.outcome
            outcome.findings = files + cycles + outcome.findings
            return outcome
        }
    }

    /// Runs SQLite's own checks and those of a kind of store. Stops when the task is cancelled.
    package init(
        _ connection: StoreConnection, _ kind: StoreKind, now: Timestamp? = nil, progress: ProgressReporter
    ) async throws {
        try await self.init(
            connection, FormatChecks.all.filter { $0.kind == kind }, now: now, progress: progress)
    }
}
