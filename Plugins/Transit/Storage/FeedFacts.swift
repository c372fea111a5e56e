import GRDB
import PluginKit

/// The summary of a timetable.
enum FeedFacts {
    /// Counts, the span of service, agencies, the time zone.
    static func record(_ feed: Feed) throws -> PluginKit.Record {
        let counts = try feed.read { db in
            try ["stops", "routes", "patterns", "pattern_stops", "trips"].map { table in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM main.\(table)") ?? 0
            }
        }
        let frequencies = try feed.read { db in
            feed.layout.hasFrequencies
                ? try Int.fetchOne(db, sql: "SELECT count(*) FROM frequencies") ?? 0 : 0
        }
        let agencies = (feed.metadata[TransitSchema.Key.agencies] ?? "").split(separator: "\n")
        var record = PluginKit.Record([
            ("file", .text(feed.name)), ("stops", .integer(counts[0])), ("routes", .integer(counts[1])),
            ("patterns", .integer(counts[2])), ("patternStops", .integer(counts[3])),
            ("trips", .integer(counts[4])), ("frequencies", .integer(frequencies)),
            ("services", .integer(feed.calendar.count)),
            ("firstDay", Value(feed.calendar.span) { .text($0.lowerBound.text) }),
            ("lastDay", Value(feed.calendar.span) { .text($0.upperBound.text) }),
            ("latest", .text(ServiceDay.scheduled(feed.latest))),
            ("agencies", .list(agencies.map { .text(String($0)) })),
            ("timezone", .text(feed.zones.map(\.identifier).joined(separator: ", "))),
            ("zoneFrom", .text(feed.isZoneKnown ? "the feed" : "the session; the file names none")),
            ("source", Value(feed.metadata[TransitSchema.Key.source], Value.text)),
            ("madeInMemory", .list(feed.layout.made.map { .text($0) })),
        ])
        record["account"] = Value(
            feed.metadata[TransitSchema.Key.account].flatMap(SourceAccount.init(text:))
        ) { .object(AccountObject($0)) }
        if let day = feed.coverage.from { record["validFrom"] = .text(day.text) }
        if let day = feed.coverage.until { record["validUntil"] = .text(day.text) }
        if feed.skippedTransferRules > 0 {
            record["skippedTransferRules"] = .integer(feed.skippedTransferRules)
        }
        if feed.origins.count > 1 {
            record["feeds"] = .table(columns: feedColumns, cells: feeds(feed))
        }
        return record
    }

    /// The columns of a timetable's feeds.
    static let feedColumns = ["source", "prefix", "timezone", "agencies", "validFrom", "validUntil"]

    /// A row for each feed of a timetable: at least one.
    static func feeds(_ feed: Feed) -> [[Value]] {
        guard feed.origins.isEmpty else {
            return feed.origins.map {
                [
                    .text($0.source), .text($0.prefix), .text($0.zone),
                    .text($0.agencies.joined(separator: ", ")), Value($0.validFrom) { .text($0.text) },
                    Value($0.validUntil) { .text($0.text) },
                ]
            }
        }
        let agencies = (feed.metadata[TransitSchema.Key.agencies] ?? "").split(separator: "\n")
        return [
            [
                Value(feed.metadata[TransitSchema.Key.source], Value.text), .text(""),
                .text(feed.zone.identifier), .text(agencies.joined(separator: ", ")),
                Value(feed.coverage.from) { .text($0.text) }, Value(feed.coverage.until) { .text($0.text) },
            ]
        ]
    }
}
