import CivilTime
import PluginKit

/// `feed check FEED`
struct FeedCheckCommand: CommandProvider {
    private static let columns = ["severity", "code", "table", "line", "count", "text", "lenient"]

    var name: String { "feed check" }

    var command: Command {
        Command(
            name, "check a GTFS feed without importing it",
            details: """
                Reads all tables and writes nothing. Findings have the codes of the canonical GTFS \
                validator; the column `lenient` is what `feed import` does about each: the line is dropped or \
                repaired, or the feed is kept as it is. Every broken line is a finding; faults of many lines or of the whole \
                feed (unused stops, expired services, stops far from shapes) are counted and name the first example. The fields `field` \
                and `value` are the column and its text. Services are expired as of the session's clock. Fares, transfers, pathways, \
                translations, booking rules, zones and all other tables of GTFS Schedule are checked as well: types, required and \
                unknown columns, keys, references, and consistency across tables.
                """,
            .positional("feed", .inputPath, "GTFS feed: a .zip file or a folder"),
            .option(
                "severity",
                .choice(of: FindingSeverity.self) { "findings of severity \($0.rawValue) or higher" },
                default: "info",
                "minimum severity"),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "the sample feed",
                    "feed check harbour --severity warning | select severity code count",
                    after: ["feed sample"],
                    gives: """
                        severity  code                                count
                        error     invalid_row_length                      6
                        error     location_with_unexpected_stop_time     76
                        error     point_near_origin                     121
                        error     point_near_origin                       5
                        warning   missing_recommended_file                1
                        warning   stop_without_stop_time                  6
                        warning   unexpected_enum_value                   6
                        warning   unusable_trip                           1
                        """),
                .init(
                    "no feed", "expect-error E-ARCHIVE-FORMAT feed check notes.txt",
                    after: ["'no feed' | save notes.txt"]),
            ],
            searchTerms: [
                "transfers too short", "impossible transfers",
                "errors in a feed", "quality of a feed", "validate", "lint", "doctor", "gtfs",
                "gtfs validator", "mistakes in a feed", "wrong times", "wrong stops", "faulty timetable",
                "before publishing",
            ]
        ) { context, feed, severity in
            let zone = context.environment.timeZone
            let now = Int(context.clock.now.seconds.rounded(.down))
            let check = try FeedCheck(
                FeedSource(feed), today: ServiceDay.date(of: now, in: zone), progress: context.progress)
            let order = FindingSeverity.allCases
            let rank = { (finding: FeedFinding) in order.firstIndex(of: finding.severity) ?? 0 }
            let least = order.firstIndex(of: severity) ?? 0
            let shown = check.findings.enumerated().filter { rank($0.element) <= least }.sorted {
                (rank($0.element), $0.element.code, $0.offset) < (
                    rank($1.element), $1.element.code, $1.offset
                )
            }.map(\.element)
            context.tracing?.keep(
                "findings",
                from: .start(
                    [("feed", .text(feed.lastPathComponent)), ("severity", .text(severity.rawValue))],
                    why:
                        "every line of every table is checked against the rules, then the tables against each other"
                ),
                candidates: check.findings.lazy.map { $0.step(isShown: rank($0) <= least) },
                to: .end(
                    [("findings", .integer(check.findings.count)), ("listed", .integer(shown.count))],
                    why: check.unlisted > 0
                        ? "all tables are read; of the broken lines only the first are listed"
                        : "all tables are read"))
            let keys = Self.columns + ["field", "value"]
            let rows = shown.map { finding in
                Value.record(
                    Record(
                        keys: keys,
                        values: [
                            .text(finding.severity.rawValue), .text(finding.code), .text(finding.table),
                            finding.line > 0 ? .integer(finding.line) : .nothing, .integer(finding.count),
                            .text(finding.text), .text(finding.lenient), Value(finding.field, Value.text),
                            Value(finding.value, Value.text),
                        ]))
            }
            let cut = Cut(
                missing: check.unlisted,
                "only the first \(TransitSettings.listedProblems) broken lines are listed")
            return .rows(
                Rows(rows, columns: Self.columns, note: shown.isEmpty ? "nothing was found" : nil, cut: cut))
        }.deciding("feed check harbour --severity warning", after: ["feed sample"])
    }
}

extension FeedFinding {
    /// The finding as a trace step: the broken rule, and what an import does about it.
    fileprivate func step(isShown: Bool) -> TraceStep {
        .candidate(
            [
                ("severity", .text(severity.rawValue)), ("code", .text(code)), ("table", .text(table)),
                ("line", line > 0 ? .integer(line) : .nothing), ("count", .integer(count)),
                ("lenient", .text(lenient)),
            ], isShown ? .kept : .refused,
            why: isShown ? text : "\(text); below the requested severity")
    }
}
