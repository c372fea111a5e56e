import Foundation
import PluginKit
import TrailStores

/// `store check`
struct CheckStore: CommandProvider {
    let registry: StoreRegistry
    let checks: [any StoreChecking]

    var name: String { "store check" }

    var command: Command {
        Command(
            name, "check a store against SQLite's and its format's rules",
            details: """
                Runs SQLite's integrity check and the foreign keys, then checks every row against the rules of its format. \
                Each finding is a row with severity, code, table, row, the problem and its fix (field `mend`); `explain CODE` shows the details. \
                If a statement fixes it without loss, it is in the field `fix`, and `store fix` applies it to a copy. Many findings that say \
                the same are one row with their `count` and a few examples. With --as, only \
                the rows that this app would drop are listed, and why. In a container (an open one, a folder or an archive) every store is \
                checked, and references between them; errors come first. Nothing is changed.
                """,
            StoreOptions.store,
            .option("as", .choice(of: FormatProfile.Reader.self), "list what this app would drop, and why"),
            output: .rows(FindingObject.columns), effect: .reads,
            examples: [
                .init("an empty store", "store check :memory: | count", gives: "0"),
                .init("only errors", "store check :memory: | where severity == error"),
            ],
            searchTerms: [
                "invalid coordinates", "invalid values",
                "health", "inspect", "integrity", "validate", "verify", "damage", "is my database ok",
                "corrupt", "is the file damaged", "inconsistent", "faults of a database", "duplicate rows",
                "same id twice",
            ]
        ) { context, store, reader in
            let name = store
            if let container = try registry.container(name, context) {
                return try await check(container, as: reader, context)
            }
            let store: ChosenStore
            do {
                store = try registry.chosen(name, context)
            } catch let error as RutterError where Self.isDamage(error) {
                // Damage that prevents opening the store is itself a finding.
                let url = try registry.location(name ?? "", parameter: "store", context)
                let causes = try FileFindings.of(url)
                let findings = causes.isEmpty ? [SQLiteFindings.unreadable(error)] : causes
                return Self.table(CheckOutcome(findings: findings), name ?? "", nil, url, context)
            }
            let kind = try StoreKind.recognise(store.connection)
            if let reader {
                let profile = FormatProfile.of(reader)
                let outcome = try await CheckOutcome(
                    store.connection, kind, as: profile, progress: context.progress)
                return Self.table(outcome, store.name, kind, store.connection.url, as: profile, context)
            }
            let checks = checks.filter { $0.kind == kind }
            let outcome = try await CheckOutcome(
                store.connection, checks, now: context.clock.now, progress: context.progress)
            return Self.table(outcome, store.name, checks.isEmpty ? nil : kind, store.connection.url, context)
        }.deciding("store check broken.db", after: StoreExample.broken)
    }

    // MARK: Containers

    private func check(
        _ container: AppContainer, as reader: FormatProfile.Reader?, _ context: Context
    ) async throws -> Value {
        var found: [FindingObject] = []
        var findings: [Finding] = []
        var dropped: [String: Int] = [:]
        var scopes: [String] = []
        if reader == nil {
            for placed in try ContainerChecks(container: container).check() {
                found.append(
                    FindingObject(cause: FindingCause(findings: [placed.finding]), store: placed.path))
                findings.append(placed.finding)
            }
        }
        for item in container.stores {
            guard let kind = item.storeKind else { continue }
            let connection = try StoreConnection.reading(item.url)
            let outcome: CheckOutcome
            if let reader {
                let profile = FormatProfile.of(reader)
                outcome = try await CheckOutcome(connection, kind, as: profile, progress: context.progress)
                if let shown = outcome.shown {
                    scopes.append("\(profile.name) shows \(shown.shown) of \(shown.all) rows of \(item.path)")
                }
            } else {
                outcome = try await CheckOutcome(
                    connection, checks.filter { $0.kind == kind }, now: context.clock.now,
                    progress: context.progress)
            }
            found += FindingCause.causes(outcome).map {
                FindingObject(cause: $0, store: item.path, url: item.url)
            }
            findings += outcome.findings
            dropped.merge(outcome.dropped, uniquingKeysWith: +)
        }
        let order = FindingKind.Severity.allCases
        let sorted = order.flatMap { severity in found.filter { $0.finding.kind.severity == severity } }
        if scopes.isEmpty { scopes = [ContainerObject(container: container).summary] }
        var outcome = CheckOutcome(
            findings: order.flatMap { severity in findings.filter { $0.kind.severity == severity } })
        outcome.dropped = dropped
        Self.trace(outcome, container.name, context)
        return .table(
            columns: ["severity", "code", "store", "table", "row", "what"], rows: sorted.map { .object($0) },
            note: Self.summary(outcome) + ": " + scopes.joined(separator: "; "))
    }

    // MARK: Results

    /// Records the findings in the order in which the checks ran.
    private static func trace(_ outcome: CheckOutcome, _ name: String, _ context: Context) {
        context.tracing?.keep(
            "findings",
            from: .start(
                [("store", .text(name))],
                why:
                    "the bytes of the file come first, then SQLite's own checks, then every row by the rules of its format"
            ),
            candidates: outcome.findings.lazy.map { finding in
                .candidate(
                    [
                        ("severity", .text(finding.kind.severity.rawValue)),
                        ("code", .text(finding.kind.code)),
                        ("table", Value(finding.table, Value.text)),
                        ("row", Value(finding.row) { .integer(Int($0)) }),
                        ("repaired", .boolean(finding.repair != nil)),
                    ], finding.repair != nil ? .kept : .refused,
                    why: finding.what
                        + (finding.repair != nil
                            ? "; a statement fixes it without loss" : "; this needs a decision"))
            },
            to: .end(
                [("findings", .integer(outcome.findings.count))],
                why: "all checks have run: " + summary(outcome)))
    }

    private static func isDamage(_ error: RutterError) -> Bool {
        [StoreErrors.corrupt.code, StoreErrors.notADatabase.code, StoreErrors.other.code].contains(error.code)
    }

    private static func table(
        _ outcome: CheckOutcome, _ name: String, _ kind: StoreKind?, _ url: URL,
        as profile: FormatProfile? = nil, _ context: Context
    ) -> Value {
        trace(outcome, name, context)
        var scope = kind?.name ?? "SQLite's own checks only: unknown format"
        if let profile {
            scope =
                outcome.shown.map { "\(profile.name) shows \($0.shown) of \($0.all) rows" }
                ?? "\(profile.name) does not read this kind"
        }
        let rows = FindingCause.causes(outcome).map { Value.object(FindingObject(cause: $0, url: url)) }
        // Findings about the whole file have no table and no row; dropping both columns leaves room for the text.
        let isPlaced = rows.isEmpty || outcome.findings.contains { $0.table != nil }
        let columns = FindingObject.columns.filter { isPlaced || !["table", "row"].contains($0) }
        return .table(columns: columns, rows: rows, note: note(outcome, name, scope))
    }

    private static func note(_ outcome: CheckOutcome, _ name: String, _ scope: String) -> String {
        "\(summary(outcome)) in \(name) (\(scope))"
    }

    /// The number of findings of each severity.
    private static func summary(_ outcome: CheckOutcome) -> String {
        let counts = FindingKind.Severity.allCases.map { severity in
            (severity, outcome.findings.count { $0.kind.severity == severity })
        }
        let words = counts.filter { $0.1 > 0 }.map { severity, count in
            switch severity {
            case .error: "\(count, of: "error")"
            case .warning: "\(count, of: "warning")"
            case .info: "\(count) info"
            }
        }
        let summary = words.isEmpty ? "no findings" : words.joined(separator: ", ")
        let more = outcome.dropped.sorted { $0.key < $1.key }.map { "; \($0.value) more of \($0.key)" }
            .joined()
        return summary + more
    }
}
