import Foundation
import GRDB
import PluginKit
import TrailStores

/// `store fix`
struct FixStore: CommandProvider {
    let registry: StoreRegistry

    private static let columns = ["table", "key", "change", "field", "first", "second"]

    var name: String { "store fix" }

    var command: Command {
        Command(
            name, "apply safe fixes to a copy and show the difference",
            details: """
                Applies the statements in the field `fix` of findings to a copy of their store, in one transaction: of the findings in the \
                pipe, or else of all findings of `store check`, or those with a code. Findings without such a statement need a decision. \
                Returns the differences between the store and its copy, for review; the store itself is not changed. The copy is then \
                checked: the note says what remains in it.
                """,
            StoreOptions.store,
            .option("code", .text, "only findings of this code"),
            .requiredOption("out", .outputFile, "file to create"),
            input: .optional(.rows(FindingObject.columns)), output: .rows(Self.columns), effect: .changes,
            examples: [
                .init(
                    "an intact store", "store fix copy.db --out fixed.db | count",
                    after: ["store copy :memory: copy.db"], gives: "0")
            ],
            searchTerms: [
                "mend", "correct", "repair", "patch", "repair database", "broken store", "repair safely",
                "clean up",
            ]
        ) { input, context, name, code, target in
            let store: ChosenStore
            let found: [Finding]
            if let findings = try Self.findings(input) {
                guard let url = findings.first?.url, findings.allSatisfy({ $0.url == url }) else {
                    throw CommonErrors.inputKind(
                        "the findings belong to several stores, or to none",
                        fix: "store check STORE | where code == … | store fix --out COPY")
                }
                let isOwn = StoreRegistry.isOwn(url, context)
                store = ChosenStore(
                    name: url.lastPathComponent,
                    connection: try StoreConnection.reading(url, access: isOwn ? .ownReading : .foreign))
                found = findings.flatMap(\.cause.findings)
            } else {
                store = try registry.chosen(name, context)
                let kind = try StoreKind.recognise(store.connection)
                let outcome = try await CheckOutcome(
                    store.connection, kind, now: context.clock.now, progress: context.progress)
                found = outcome.findings
            }
            guard store.connection.recognition == nil else {
                throw StoreErrors.readOnly("\(store.name) contains documents, which are text files")
            }
            var seen: Set<String> = []
            let statements = found.filter { code == nil || $0.kind.code == code }.compactMap(\.repair)
                .filter { seen.insert($0).inserted }
            context.tracing?.keep(
                "findings and their fixes",
                from: .start(
                    [("findings", .integer(found.count)), ("code", Value(code, Value.text))],
                    why: "only findings with a lossless statement are fixed, each statement once"),
                candidates: found.lazy.map { Self.step($0, isWanted: code == nil || $0.kind.code == code) },
                to: .end(
                    [("fixes", .integer(statements.count))],
                    why: "the statements are applied to a copy, in one transaction"))
            _ = try await StoreCopy.copy(
                store.connection, to: target, parameter: "out", progress: context.progress)
            do {
                try await Self.apply(statements, to: target)
                return try await difference(store, target, statements.count, context)
            } catch {
                FileManager.default.discard(target)
                throw error
            }
        }.deciding("store fix broken.db --out fixed.db", after: StoreExample.broken)
    }

    private static func step(_ finding: Finding, isWanted: Bool) -> TraceStep {
        .candidate(
            [
                ("code", .text(finding.kind.code)), ("table", Value(finding.table, Value.text)),
                ("row", Value(finding.row) { .integer(Int($0)) }),
                ("statement", Value(finding.repair, Value.text)),
            ], isWanted && finding.repair != nil ? .kept : .refused,
            why: isWanted
                ? finding.repair == nil
                    ? "no statement fixes it without loss: this needs a decision" : finding.kind.fix
                : "its code was not selected")
    }

    private static func findings(_ input: Value) throws -> [FindingObject]? {
        if case .nothing = input { return nil }
        let values = try input.asRows?.collect() ?? [input]
        return try values.map { value in
            guard case .object(let object) = value, let finding = object as? FindingObject else {
                throw CommonErrors.inputKind(
                    "`store fix` requires findings of `store check`, not a \(value.kindName)",
                    fix: "store check STORE | where code == … | store fix --out COPY")
            }
            return finding
        }
    }

    /// Runs the statements of findings on a copy, all or none.
    static func apply(_ statements: [String], to url: URL) async throws {
        let copy = try StoreConnection(url, access: .foreignWritable)
        try await copy.stoppableWrite { db, signal in
            for statement in statements {
                try signal.check()
                try db.execute(sql: statement)
            }
        }
    }

    private func difference(
        _ store: ChosenStore, _ target: URL, _ count: Int, _ context: Context
    ) async throws -> Value {
        let fixed = try StoreConnection.reading(target)
        let difference = try await StoreComparison(store.connection, fixed).run(progress: context.progress)
        let report = DifferenceReport(
            difference: difference, first: store.name, second: target.lastPathComponent)
        guard case .rows(var rows) = report.table(Self.columns) else { return report.table(Self.columns) }
        let applied = "\(count, of: "fix", plural: "fixes") applied in \(target.lastPathComponent)"
        let kind = try StoreKind.recognise(fixed)
        let outcome = try await CheckOutcome(
            fixed, kind, now: context.clock.now, progress: context.progress)
        rows.note = [applied, Self.remaining(outcome), rows.note].compactMap(\.self).joined(separator: "\n")
        return .rows(rows)
    }

    /// What a check of the copy still finds, by code.
    private static func remaining(_ outcome: CheckOutcome) -> String {
        var counts = outcome.dropped
        for finding in outcome.findings { counts[finding.kind.code, default: 0] += 1 }
        if counts.isEmpty { return "checked again: no findings remain" }
        let total = counts.values.reduce(0, +)
        let codes = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        let fixable = outcome.findings.count { $0.repair != nil }
        let more = fixable > 0 ? "; \(fixable) of them can be fixed" : "; these need a decision"
        return "checked again: \(total, of: "finding") \(total == 1 ? "remains" : "remain") ("
            + codes.joined(separator: ", ") + ")" + more
    }
}
