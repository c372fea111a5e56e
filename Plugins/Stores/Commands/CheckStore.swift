import PluginKit
import TrailStores

/// `store check`
struct CheckStore: CommandProvider {
    let registry: StoreRegistry
    let checks: [any StoreChecking]

    var command: Command {
        Command(
            "store check", "check a store against SQLite's and its format's rules",
            details: """
                Runs SQLite's integrity check and the foreign keys, then checks every row against the rules of its format. \
                Each finding is a row with severity, code, table, row, what is wrong and its fix (field `mend`); `explain CODE` shows the details. Nothing is changed.
                """,
            StoreOptions.store,
            output: .rows(FindingObject.columns), effect: .reads,
            examples: [
                .init("an empty store", "store check :memory: | count", gives: "0"),
                .init("only what is wrong", "store check :memory: | where severity == error"),
            ], searchTerms: ["integrity", "validate", "verify", "damage"]
        ) { context, store in
            let name = store
            let store: ChosenStore
            do {
                store = try registry.chosen(name, context)
            } catch let error as RutterError where error.code == StoreErrors.corrupt.code {
                // Damage that prevents opening the store is itself a finding.
                return Self.table(CheckOutcome(findings: [SQLiteFindings.unreadable(error)]), name ?? "", nil)
            }
            let kind = try StoreKind.recognise(store.connection)
            let checks = checks.filter { $0.kind == kind }
            let outcome = try await CheckOutcome(store.connection, checks, progress: context.progress)
            return Self.table(outcome, store.name, checks.isEmpty ? nil : kind)
        }
    }

    private static func table(_ outcome: CheckOutcome, _ name: String, _ kind: StoreKind?) -> Value {
        let scope = kind?.name ?? "SQLite's own checks only: unknown format"
        let rows = outcome.findings.map { Value.object(FindingObject(finding: $0)) }
        // Findings about the whole file have no table and no row; dropping both columns leaves room for the text.
        let isPlaced = rows.isEmpty || outcome.findings.contains { $0.table != nil }
        let columns = FindingObject.columns.filter { isPlaced || !["table", "row"].contains($0) }
        return .table(columns: columns, rows: rows, note: note(outcome, name, scope))
    }

    private static func note(_ outcome: CheckOutcome, _ name: String, _ scope: String) -> String {
        let counts = FindingKind.Severity.allCases.map { severity in
            (severity, outcome.findings.count { $0.kind.severity == severity })
        }
        let words = counts.filter { $0.1 > 0 }.map { severity, count in
            switch severity {
            case .error: "\(count) error\(count == 1 ? "" : "s")"
            case .warning: "\(count) warning\(count == 1 ? "" : "s")"
            case .info: "\(count) info"
            }
        }
        let summary = words.isEmpty ? "no findings" : words.joined(separator: ", ")
        let more = outcome.dropped.sorted { $0.key < $1.key }.map { "; \($0.value) more of \($0.key)" }
            .joined()
        return "\(summary)\(more) in \(name) (\(scope))"
    }
}
