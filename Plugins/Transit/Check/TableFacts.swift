import CivilTime
import Foundation
import Geodesy

/// Facts from the tables and columns that an import does not read, for checks across tables.
struct TableFacts {
    struct Transfer {
        var line: Int
        var from: Int?
        var to: Int?
        var type: Int
        /// The trips that it names as from and to.
        var trips: [End]
        /// Whether it is an in-seat transfer.
        var isInSeat: Bool { type == 4 || type == 5 }

        struct End {
            var trip: Int
            var route: Int?
            var stop: Int?
            var isFrom: Bool
        }
    }

    struct Pathway {
        var line: Int
        var from: Int
        var to: Int
        var mode: Int
        var isBothWays: Bool
    }

    struct RouteFacts {
        var line: Int
        var id: String
        var type: String
        var short: String
        var long: String
        var description: String
        var color: String
        var textColor: String
        var agency: String
        var url: String
    }

    /// A translation of one row of a table.
    struct Translation {
        var line: Int
        var table: FeedTable
        var record: String
        var subRecord: String
    }

    struct Timeframe {
        var line: Int
        var group: String
        var service: String
        var start: Int
        var end: Int
    }

    var zones = KeyTable()
    /// Whether routes.txt has a column of networks, and the networks in it.
    var hasNetworkColumn = false
    var networks = KeyTable()
    /// The lines of agencies without an identifier, and the number of all agencies.
    var namelessAgencies: [Int] = []
    var agencyRows = 0
    var agencyURLs: Set<String> = []
    var routeURLs: Set<String> = []
    /// Routes with continuous boarding.
    var continuousRoutes: Set<Int> = []
    /// URLs of stops with the line of the first stop that has each.
    var stopURLs: [(line: Int, url: String)] = []
    /// Stops that are not reached through their station (`stop_access` 1).
    var outsideStops: Set<Int> = []
    var translations: [Translation] = []
    var media: [String: Int] = [:]
    /// Default rider categories, and the first of them that each fare product has.
    var defaultRiders: Set<String> = []
    var productRiders: [String: String] = [:]
    /// Stops that have a zone, and those that have a level.
    var zoned: Set<Int> = []
    var leveled: Set<Int> = []
    var transfers: [Transfer] = []
    var pathways: [Pathway] = []
    var routes: [RouteFacts] = []
    var agencies: Set<String> = []
    var languages: Set<String> = []
    var feedLanguage: String?
    var feedRows = 0
    var feedStart: (date: CivilDate?, text: String) = (nil, "")
    var feedEnd: (date: CivilDate?, text: String) = (nil, "")
    var hasContact = false
    /// Stops of groups at which a trip may call by the group's identifier.
    var groupedStops: Set<Int> = []
    /// Routes whose fares depend on zones.
    var zonedRoutes: Set<Int> = []
    var timeframes: [Timeframe] = []
    /// Faults of single rows: rule, table, line, text.
    var faults: [Fault] = []

    /// A fault of a row in a column; there may be many.
    struct Fault {
        var rule: FeedRule
        var table: FeedTable
        var line: Int
        var text: String
        var field: String?
        var isTallied = false
    }

    /// Records the facts of a row.
    mutating func note(_ table: FeedTable, _ rows: TableReader, _ content: FeedContent) {
        let row = FactRow(rows, content)
        switch table {
        case .agency: noteAgencyRow(row)
        case .stops: noteStop(row)
        case .routes: noteRoute(row)
        case .transfers: noteTransfer(row)
        case .pathways: notePathway(row)
        case .trips: noteTrip(row)
        case .frequencies: noteFrequency(row)
        case .calendar: noteWeek(row)
        case .attributions: noteAttribution(row)
        case .locationGroupStops: if let stop = row.stop("stop_id") { groupedStops.insert(stop) }
        case .fareAttributes: noteAgency(table, rows)
        case .fareMedia: noteMedium(rows)
        case .riderCategories:
            if row.number("is_default_fare_category") == 1 {
                defaultRiders.insert(row.text("rider_category_id"))
            }
        case .fareProducts: noteProduct(rows)
        case .fareLegJoinRules: noteLegJoin(row)
        case .fareRules: noteFareRule(row)
        case .fareTransferRules: noteFareTransfer(rows)
        case .bookingRules: noteBooking(rows)
        case .timeframes: noteTimeframe(rows)
        case .translations: noteTranslation(rows)
        case .feedInfo: noteFeed(rows)
        case .areas, .calendarDates, .fareLegRules, .levels, .locationGroups, .networks, .routeNetworks,
            .shapes, .stopAreas, .stopTimes:
            break
        }
    }

    mutating func fault(
        _ rule: FeedRule, _ table: FeedTable, _ rows: TableReader, _ text: String, field: String? = nil,
        tallied: Bool = false
    ) {
        faults.append(
            Fault(rule: rule, table: table, line: rows.line, text: text, field: field, isTallied: tallied))
    }

    /// Checks the identifiers of a translated row, by the number of keys of its table.
    private mutating func noteTranslation(_ rows: TableReader) {
        func text(_ name: String) -> String { rows.text(rows.column(name)) }
        let name = text("table_name")
        guard !name.isEmpty else { return }
        let (record, sub, value) = (text("record_id"), text("record_sub_id"), text("field_value"))
        guard let table = FeedTable(rawValue: name + ".txt") else {
            return fault(.translationUnknownTableName, .translations, rows, "unknown table_name `\(name)`")
        }
        let keys = Self.translationKeys(table)
        // The subject of a translation of feed_info is unambiguous.
        let isWhole = keys == 0
        func forbidden(_ column: String) {
            fault(
                .translationUnexpectedValue, .translations, rows, "\(column) must be empty here",
                field: column)
        }
        if !value.isEmpty {
            if isWhole { forbidden("field_value") }
            if !record.isEmpty { forbidden("record_id") }
            if !sub.isEmpty { forbidden("record_sub_id") }
            return translations.append(
                Translation(line: rows.line, table: table, record: "", subRecord: ""))
        }
        if isWhole ? !record.isEmpty : record.isEmpty {
            if isWhole { return forbidden("record_id") }
            return fault(
                .missingRequiredField, .translations, rows, "record_id is missing", field: "record_id")
        }
        if keys < 2 ? !sub.isEmpty : sub.isEmpty {
            if keys < 2 { return forbidden("record_sub_id") }
            return fault(
                .missingRequiredField, .translations, rows, "record_sub_id is missing", field: "record_sub_id"
            )
        }
        translations.append(Translation(line: rows.line, table: table, record: record, subRecord: sub))
    }

    /// The number of identifiers of a row of a table in translations.txt.
    static func translationKeys(_ table: FeedTable) -> Int {
        switch table {
        case .feedInfo: 0
        case .stopTimes: 2
        case .frequencies, .calendarDates, .shapes, .transfers: 2
        default: 1
        }
    }

    private mutating func noteFeed(_ rows: TableReader) {
        feedRows += 1
        guard feedRows == 1 else { return }
        func date(_ name: String) -> (CivilDate?, String) {
            (FieldParser.date(rows[rows.column(name)]), rows.text(rows.column(name)))
        }
        feedStart = date("feed_start_date")
        feedEnd = date("feed_end_date")
        feedLanguage = rows.optionalText(rows.column("feed_lang"))?.lowercased()
        hasContact = ["feed_contact_email", "feed_contact_url"].contains { !rows[rows.column($0)].isEmpty }
    }

    private mutating func noteFareTransfer(_ rows: TableReader) {
        func text(_ name: String) -> String { rows.text(rows.column(name)) }
        let table = FeedTable.fareTransferRules
        let (limit, type) = (text("duration_limit"), text("duration_limit_type"))
        if limit.isEmpty, !type.isEmpty {
            fault(
                .fareTransferRuleDurationLimitTypeWithoutDurationLimit, table, rows,
                "duration_limit_type has no duration_limit")
        }
        if !limit.isEmpty, type.isEmpty {
            fault(
                .fareTransferRuleDurationLimitWithoutType, table, rows,
                "duration_limit has no duration_limit_type")
        }
        let (from, to, count) = (text("from_leg_group_id"), text("to_leg_group_id"), text("transfer_count"))
        if !from.isEmpty, from == to {
            if count.isEmpty {
                fault(
                    .fareTransferRuleWithoutTransferCount, table, rows,
                    "transfers within a leg group have no transfer_count")
            } else if Int(count).map({ $0 < -1 || $0 == 0 }) ?? true {
                fault(.fareTransferRuleInvalidTransferCount, table, rows, "invalid transfer_count `\(count)`")
            }
        } else if !count.isEmpty {
            fault(
                .fareTransferRuleWithForbiddenTransferCount, table, rows,
                "transfer_count is given for different leg groups")
        }
    }

    private mutating func noteTimeframe(_ rows: TableReader) {
        func text(_ name: String) -> String { rows.text(rows.column(name)) }
        let (start, end) = (text("start_time"), text("end_time"))
        if start.isEmpty != end.isEmpty {
            fault(
                .timeframeOnlyStartOrEndTimeSpecified, .timeframes, rows,
                "only one of start_time and end_time is given")
            return
        }
        let (from, to) = (
            FieldParser.time(rows[rows.column("start_time")]) ?? 0,
            FieldParser.time(rows[rows.column("end_time")]) ?? 86_400
        )
        if from == to {
            fault(.startAndEndRangeEqual, .timeframes, rows, "start_time and end_time are equal")
        }
        if from > to {
            fault(.startAndEndRangeOutOfOrder, .timeframes, rows, "end_time is before start_time")
        }
        if max(from, to) > 86_400 {
            fault(
                .timeframeStartOrEndTimeGreaterThanTwentyFourHours, .timeframes, rows,
                "a time frame ends after 24:00:00")
        }
        timeframes.append(
            Timeframe(
                line: rows.line, group: text("timeframe_group_id"), service: text("service_id"), start: from,
                end: to))
    }
}
