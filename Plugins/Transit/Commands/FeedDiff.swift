import CivilTime
import Foundation
import PluginKit

/// `feed diff OLD NEW`
struct FeedDiff: CommandProvider {
    var name: String { "feed diff" }

    var command: Command {
        Command(
            name, "compare two timetables",
            details: """
                Compares two feeds (.zip files or folders) or databases by the identifiers of lines, stops and trips: what was \
                added or removed, which stops moved or were renamed, which trips have other times, stops or days. For each of \
                --days days the runs are compared by what passengers see (line, stops, times), whatever their identifiers: \
                `before` has the removed runs, `after` the added ones. Days without a difference \
                are not listed; trips that differ by identifier only are counted in a note. Nothing is imported; \
                invalid lines are skipped as in `feed import`, and a note counts them.
                """,
            .positional("old", .inputPath, "earlier feed or database"),
            .positional("new", .inputPath, "later feed or database"),
            .option("at", .localDate, "first day to compare; default: today"),
            .option("days", .integer(0...TransitSettings.mostServiceDays), default: "28", "number of days"),
            output: .rows(FeedChange.columns), effect: .reads,
            examples: [
                .init(
                    "a service that ends earlier",
                    "feed diff old.db harbour --days 3 | where what == day | select id name before after",
                    after: [
                        "feed sample", "feed import harbour --into old.db",
                        "\"\(Self.calendar)\" | save harbour/calendar.txt --force",
                    ],
                    gives: """
                        id          name      before            after
                        2026-02-07  Saturday  51 runs, 38 lost  13 runs, 0 gained
                        """),
                .init(
                    "the same feed", "feed diff harbour harbour | count", after: ["feed sample"],
                    gives: "0"),
                .init(
                    "no feed", "expect-error E-ARCHIVE-FORMAT feed diff notes.txt notes.txt",
                    after: ["'no feed' | save notes.txt"]),
            ],
            searchTerms: [
                "compare timetables", "schedule change",
                "new timetable", "what changed in the timetable", "compare", "changes", "gtfs", "version",
                "what changed", "old and new timetable",
            ]
        ) { context, old, new, from, days in
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "rutter-diff-\(getpid())-\(context.random.uuid().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // The comparison is complete whether or not the copies can be deleted.
            defer { try? FileManager.default.removeItem(at: folder) }
            let before = try Self.open(old, as: folder.appendingPathComponent("old.db"), context)
            let after = try Self.open(new, as: folder.appendingPathComponent("new.db"), context)
            let first = ServiceDay.date(
                of: Int(after.feed.moment(from, context).seconds.rounded(.down)), in: after.feed.zone)
            let difference = try FeedDifference(
                before.feed, after.feed, days: (0..<days).map { first.advanced(by: $0) })
            context.tracing?.keep(
                "differences of two timetables",
                from: .start(
                    [("first", .text(first.text)), ("days", .integer(days))],
                    why:
                        "lines, stops and trips are matched by identifier, runs of a day by line, stops and times"
                ),
                candidates: difference.steps,
                to: .end(
                    [
                        ("changes", .integer(difference.changes.count)),
                        ("renumbered", .integer(difference.renumbered)),
                    ], why: "all lines, stops, trips and days are compared"))
            var notes: [String] = []
            for (feed, name) in [(before, "old"), (after, "new")] where feed.problems > 0 {
                notes.append(
                    feed.problems == 1
                        ? "the \(name) feed has an invalid line, which is skipped"
                        : "the \(name) feed has \(feed.problems) invalid lines, which are skipped")
            }
            if difference.renumbered > 0 {
                notes.append("\(difference.renumbered) trips differ by identifier only")
            }
            if difference.changes.isEmpty { notes.append("no other differences") }
            return .table(
                columns: FeedChange.columns,
                cells: difference.changes.map {
                    [
                        .text($0.what.rawValue), .text($0.change), .text($0.id), .text($0.name),
                        Value($0.before, Value.text), Value($0.after, Value.text),
                    ]
                }, note: Rows.note(notes))
        }.deciding(
            "feed diff old.db harbour --days 3",
            after: [
                "feed sample", "feed import harbour --into old.db",
                "\"\(Self.calendar)\" | save harbour/calendar.txt --force",
            ])
    }

    /// The timetable of a file: a database is opened directly, a feed is imported into a temporary one.
    private static func open(
        _ url: URL, as copy: URL, _ context: Context
    ) throws -> (feed: Feed, problems: Int) {
        let zone = context.environment.timeZone
        if try isDatabase(url) { return (try Feed(url, isOwn: false, fallback: zone), 0) }
        let report = try FeedImport.run(url, to: copy, isLenient: true, progress: context.progress)
        return (try Feed(copy, isOwn: true, fallback: zone), report.problemCount)
    }

    private static func isDatabase(_ url: URL) throws -> Bool {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), !isFolder.boolValue
        else { return false }
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: signature.count, alignment: 16)
        defer { bytes.deallocate() }
        let count = try FeedFileBytes(url).read(into: bytes)
        return count == signature.count && bytes.elementsEqual(signature)
    }

    /// How an SQLite database begins.
    private static let signature = Array("SQLite format 3\0".utf8)

    /// A calendar of the sample feed without services on Saturdays.
    private static let calendar =
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\\n"
        + "WD,1,1,1,1,1,0,0,20260101,20261231\\nSA,0,0,0,0,0,0,0,20260101,20261231\\n"
        + "SU,0,0,0,0,0,0,1,20260101,20261231\\n"
        + "NF,0,0,0,0,1,1,0,20260101,20261231\\n"
}

extension FeedDifference {
    /// The differences, in the order of the table, then the trips that were matched under another
    /// identifier.
    fileprivate var steps: [TraceStep] {
        changes.map { change in
            .candidate(
                [
                    ("what", .text(change.what.rawValue)), ("id", .text(change.id)),
                    ("before", Value(change.before, Value.text)), ("after", Value(change.after, Value.text)),
                ], .refused, why: "\(change.change): \(change.name)")
        }
            + twins.map { old, new in
                .candidate(
                    [
                        ("what", .text("trip")), ("id", .text(new)), ("before", .text(old)),
                        ("after", .text(new)),
                    ],
                    .kept, why: "the same stops, times and days under another identifier")
            }
    }
}
