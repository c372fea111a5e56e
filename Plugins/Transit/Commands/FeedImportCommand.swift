import Foundation
import PluginKit
import TrailStores

/// `feed import FEED`
struct FeedImportCommand: CommandProvider {
    let library: FeedLibrary

    var name: String { "feed import" }

    var command: Command {
        Command(
            name, "import GTFS feeds as the timetable",
            details: """
                Reads agency, stops, routes, trips, stop_times, calendar, calendar_dates, frequencies, shapes, \
                transfers, pathways, the days of feed_info, fares of both generations, translations, booking rules, location \
                groups and zones of service on request; other tables are ignored. An invalid line is set aside, or repaired if only a \
                part of it is invalid, with all that depends on it; the result counts such lines and lists them with their \
                table and line number. With --strict the first one ends the import, and nothing is written. A feed without a \
                required table or a time zone, or of which no trip remains, is refused unless --lenient is given. Blank times between two timepoints are \
                interpolated by distance, else evenly. `undo` restores the replaced timetable. With --into the new \
                file is opened and used. Several feeds become one timetable, each with its own time zone. Feeds that \
                use the same identifiers require a --prefix each (the first for the first feed, and so on), which is \
                prepended to the identifiers.
                """,
            .rest("feeds", .inputPath, minimum: 1, "GTFS feeds: .zip files or folders"),
            .options("prefix", .text, "prefix of a feed's identifiers; one for each feed"),
            .option(
                "into", .outputFile, "database to write; default: the workspace's own"),
            .flag("strict", "refuse the feed at its first invalid line"),
            .flag("lenient", "import also what remains without required tables"),
            .flag("force", "replace an existing database"),
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "the sample feed", "feed import harbour | select stops trips patterns interpolated",
                    after: ["feed sample"],
                    gives: """
                        stops         121
                        trips         268
                        patterns      10
                        interpolated  182
                        """),
                .init(
                    "two feeds, each with its prefix",
                    "feed import harbour harbour --prefix a: --prefix b: | select stops trips problems",
                    after: ["feed sample"],
                    gives: """
                        stops     242
                        trips     536
                        problems  0
                        """),
                .init(
                    "feeds that collide", "expect-error E-GTFS-MERGE feed import harbour harbour",
                    after: ["feed sample"],
                    gives: "harbour: the stop_id `CEN` is also in another feed"),
                .init(
                    "a table is missing", "expect-error E-GTFS-FILE feed import workspace",
                    gives: "workspace has no agency.txt"),
            ],
            searchTerms: [
                "update a timetable", "replace a timetable",
                "gtfs", "zip", "schedule", "timetable", "load a timetable", "add a timetable",
                "use my timetable", "new timetable", "city timetable", "gtfs zip", "agency data",
            ]
        ) { context, feeds, prefixes, into, strict, lenient, force in
            guard !strict || !lenient else {
                throw TransitErrors.row(
                    "--strict and --lenient cannot be combined", at: .parameter("strict"), fix: "omit one")
            }
            guard prefixes.isEmpty || prefixes.count == feeds.count else {
                throw TransitErrors.merge(
                    "there are \(feeds.count, of: "feed") and \(prefixes.count) "
                        + (prefixes.count == 1 ? "prefix" : "prefixes"),
                    at: .parameter("prefix"), fix: "pass one for each feed; '' for none")
            }
            let sources = try feeds.enumerated().map { index, url in
                (source: try FeedSource(url), prefix: prefixes.isEmpty ? "" : prefixes[index])
            }
            let database = try into ?? context.ownStore(.transit)
            let exists = FileManager.default.fileExists(atPath: database.path)
            if exists, !force {
                throw CommonErrors.fileExists(
                    into == nil
                        ? "a timetable is imported already (\(database.lastPathComponent))"
                        : "\(database.lastPathComponent) already exists",
                    at: .parameter(into == nil ? "feeds" : "into"),
                    fix: into == nil
                        ? "`feed import FEED --force` replaces it" : "replace it with --force")
            }
            let kept = try exists ? Self.keepAside(database, context) : nil
            let report: FeedImportReport
            do {
                report = try FeedImport.run(
                    sources, to: database, isLenient: !strict, needsTables: !lenient,
                    progress: context.progress)
            } catch {
                if let kept { unlink(kept.path) }
                throw error
            }
            context.tracing?.keep(
                "lines that are repaired or skipped",
                from: .start(
                    [("feeds", .integer(feeds.count)), ("strict", .boolean(strict))],
                    why: !strict
                        ? "each line is checked: an invalid one is repaired or skipped"
                        : "each line is checked: an invalid one would end the import"),
                candidates: Self.steps(report),
                to: .end(
                    [
                        ("stops", .integer(report.stops)), ("trips", .integer(report.trips)),
                        ("patterns", .integer(report.patterns)), ("problems", .integer(report.problemCount)),
                    ],
                    why: report.problemCount > report.problems.count
                        ? "all lines are read; only the first problems are listed" : "all lines are read"))
            if let kept { library.keep(kept) }
            Self.record(database, kept, context)
            if into != nil { Self.use(database, context) }
            return .record(Self.facts(report, database))
        }.deciding("feed import harbour", after: ["feed sample", Self.brokenTransfers])
    }

    /// A transfers.txt with a row that leads to an unknown stop.
    private static let brokenTransfers =
        "\"from_stop_id,to_stop_id,transfer_type\\nCEN1,CEN2,0\\nCEN1,NONE,0\\n\" | save harbour/transfers.txt --force"

    /// What was interpolated, and the lines that were repaired or skipped.
    private static func steps(_ report: FeedImportReport) -> [TraceStep] {
        let filled: TraceStep? =
            report.interpolated > 0
            ? .candidate(
                [("table", .text("stop_times")), ("count", .integer(report.interpolated))], .kept,
                why: "blank times between two timepoints: interpolated by distance, else evenly") : nil
        return [filled].compactMap(\.self)
            + report.problems.map { problem in
                .candidate(
                    [
                        ("table", .text(problem.table)),
                        ("line", problem.line > 0 ? .integer(problem.line) : .nothing),
                        ("does", .text(problem.outcome.rawValue)),
                    ], problem.outcome == .dropped ? .refused : .kept, why: problem.text)
            }
    }

    /// A hard link to the replaced database, so that `undo` can restore it.
    private static func keepAside(_ database: URL, _ context: Context) throws -> URL {
        let name = TemporaryFiles.name(for: database, "replaced", tag: context.random.uuid().uuidString)
        let kept = database.deletingLastPathComponent().appendingPathComponent(name)
        guard link(database.path, kept.path) == 0 else {
            throw CommonErrors.fileAccess(
                "\(database.lastPathComponent) cannot be saved for undo: \(String(cString: strerror(errno)))")
        }
        return kept
    }

    /// Uses a timetable, which is opened unless it is open already.
    private static func use(_ url: URL, _ context: Context) {
        if let known = context.stores.entries.first(where: { $0.url.path == url.path }) {
            _ = context.stores.use(known.name)
            return
        }
        context.stores.add(
            OpenStores.Entry(
                name: context.stores.freeName(for: url), kind: .transit, url: url, isWritable: false))
    }

    private static func record(_ database: URL, _ kept: URL?, _ context: Context) {
        let name = database.lastPathComponent
        context.journal.record("imported \(name)") {
            let isDone = kept.map { rename($0.path, database.path) == 0 } ?? (unlink(database.path) == 0)
            guard isDone else { throw CommonErrors.fileAccess("the import of \(name) cannot be undone") }
            let opened = context.stores.entries.first { $0.url.path == database.path }
            if kept == nil, let opened { _ = context.stores.remove(opened.name) }
        }
    }

    static func facts(_ report: FeedImportReport, _ database: URL) -> Record {
        var record = Record([
            ("stops", .integer(report.stops)), ("routes", .integer(report.routes)),
            ("trips", .integer(report.trips)), ("patterns", .integer(report.patterns)),
            ("stopTimes", .integer(report.stopTimes)), ("interpolated", .integer(report.interpolated)),
            ("services", .integer(report.services)), ("frequencies", .integer(report.frequencies)),
            ("timezone", .text(report.zone)), ("tripsWithoutTimes", .integer(report.tripsWithoutTimes)),
            ("flexibleTrips", .integer(report.flexibleTrips)),
            ("file", .text(database.lastPathComponent)), ("problems", .integer(report.problemCount)),
        ])
        if report.skippedTransferRules > 0 {
            record["skippedTransferRules"] = .integer(report.skippedTransferRules)
        }
        record["account"] = .object(AccountObject(report.account))
        if report.idle { record["note"] = .text("no service runs on any day: boards are empty") }
        if !report.problems.isEmpty {
            let first = report.problems.prefix(TransitSettings.listedReasons).map { problem in
                problem.table + (problem.line > 0 ? ", line \(problem.line)" : "")
                    + " \(problem.outcome.rawValue): \(problem.text)"
            }
            let rest = report.problemCount - first.count
            record["setAside"] = .text(
                (first + (rest > 0 ? ["\(rest) more: get dropped"] : [])).joined(separator: "\n"))
            record["dropped"] = .table(
                columns: ["table", "line", "problem", "outcome"],
                cells: report.problems.map {
                    [
                        .text($0.table), $0.line > 0 ? .integer($0.line) : .nothing, .text($0.text),
                        .text($0.outcome.rawValue),
                    ]
                })
        }
        return record
    }
}
