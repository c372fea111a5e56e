import Foundation
import PluginKit
import TrailStores

/// `transit import FEED`
struct ImportFeed: CommandProvider {
    let library: FeedLibrary

    var command: Command {
        Command(
            "transit import", "makes a timetable of a GTFS feed",
            details: """
                Reads agency, stops, routes, trips, stop_times, calendar, calendar_dates and frequencies; other tables are left \
                alone. A line that is wrong ends the import with its table and number, and nothing is written; --lenient goes \
                on without it. Blank times between two timepoints are worked out by distance, else evenly. `undo` brings back \
                what was replaced. With --into the file is opened and used.
                """,
            .positional("feed", .inputPath, "a GTFS feed: a .zip file or a folder"),
            .option(
                "into", .outputFile, "the database to write; by default your own, which commands work on"),
            .flag("lenient", "goes on without lines that are wrong, and lists them"),
            .flag("force", "replaces a database that is there"),
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "the sample feed", "transit import harbour | select stops trips patterns interpolated",
                    after: ["transit sample"],
                    gives: """
                        stops         121
                        trips         268
                        patterns      10
                        interpolated  182
                        """),
                .init(
                    "a table is missing", "expect-error E-GTFS-FILE transit import workspace",
                    gives: "workspace has no agency.txt"),
            ], searchTerms: ["gtfs", "zip", "schedule", "timetable"]
        ) { context, feed, into, lenient, force in
            let database = try into ?? context.ownStore(.transit)
            let exists = FileManager.default.fileExists(atPath: database.path)
            if exists, !force {
                throw CommonErrors.fileExists(
                    "\(database.lastPathComponent) exists already",
                    at: .parameter(into == nil ? "feed" : "into"),
                    fix: "replace it with --force")
            }
            let source = try FeedSource(feed)
            let kept = try exists ? Self.keepAside(database, context) : nil
            let report: ImportReport
            do {
                report = try FeedImport.run(
                    source, to: database, isLenient: lenient, progress: context.progress)
            } catch {
                if let kept { unlink(kept.path) }
                throw error
            }
            if let kept { library.keep(kept) }
            Self.record(database, kept, context)
            if into != nil { FeedOpening.use(database, context) }
            return .record(Self.facts(report, database))
        }
    }

    /// A second name for the database that is replaced, so that `undo` can bring it back.
    private static func keepAside(_ database: URL, _ context: Context) throws -> URL {
        let name = ".\(database.lastPathComponent).\(context.random.uuid().uuidString).replaced"
        let kept = database.deletingLastPathComponent().appendingPathComponent(name)
        guard link(database.path, kept.path) == 0 else {
            throw CommonErrors.fileAccess(
                "\(database.lastPathComponent) cannot be kept for undo: \(String(cString: strerror(errno)))")
        }
        return kept
    }

    private static func record(_ database: URL, _ kept: URL?, _ context: Context) {
        let name = database.lastPathComponent
        context.journal.record("imported \(name)") {
            let isDone = kept.map { rename($0.path, database.path) == 0 } ?? (unlink(database.path) == 0)
            guard isDone else { throw CommonErrors.fileAccess("\(name) cannot be taken back") }
            let opened = context.stores.entries.first { $0.url.path == database.path }
            if kept == nil, let opened { _ = context.stores.remove(opened.name) }
        }
    }

    static func facts(_ report: ImportReport, _ database: URL) -> Record {
        var record = Record([
            ("stops", .integer(report.stops)), ("routes", .integer(report.routes)),
            ("trips", .integer(report.trips)), ("patterns", .integer(report.patterns)),
            ("stopTimes", .integer(report.stopTimes)), ("interpolated", .integer(report.interpolated)),
            ("services", .integer(report.services)), ("frequencies", .integer(report.frequencies)),
            ("timezone", .text(report.zone)), ("tripsWithoutTimes", .integer(report.tripsWithoutTimes)),
            ("file", .text(database.lastPathComponent)), ("problems", .integer(report.problemCount)),
        ])
        if !report.problems.isEmpty {
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
