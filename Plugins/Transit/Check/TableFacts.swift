import CivilTime
import Geodesy

/// What is kept of the tables that an import does not read, to check them together.
struct TableFacts {
    struct Transfer {
        var line: Int
        var from: Int?
        var to: Int?
        var type: Int
        var trips: [(trip: Int, route: Int?, stop: Int?)]
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
        var short: String
        var long: String
        var description: String
        var color: String
        var textColor: String
        var agency: String
    }

    struct Timeframe {
        var line: Int
        var group: String
        var service: String
        var start: Int
        var end: Int
    }

    var zones = KeyTable()
    /// Stops that have a zone, and a level.
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
    var usesZones = false
    var timeframes: [Timeframe] = []
    /// Faults of single rows: rule, table, line, text.
    var faults: [(rule: FeedRule, table: FeedTable, line: Int, text: String)] = []

    /// Keeps what a row says.
    mutating func note(_ table: FeedTable, _ rows: TableReader, _ content: FeedContent) {
        func text(_ name: String) -> String { rows.text(rows.column(name)) }
        func bytes(_ name: String) -> FieldBytes { rows[rows.column(name)] }
        func number(_ name: String) -> Int? { FieldParser.integer(bytes(name)) }
        switch table {
        case .agency:
            agencies.insert(text("agency_id"))
            if !text("agency_lang").isEmpty { languages.insert(text("agency_lang").lowercased()) }
        case .stops:
            guard let stop = content.stopIDs.find(bytes("stop_id")) else { return }
            if !bytes("zone_id").isEmpty {
                _ = zones.add(bytes("zone_id"))
                zoned.insert(stop)
            }
            if !bytes("level_id").isEmpty { leveled.insert(stop) }
            if !text("stop_desc").isEmpty, text("stop_desc") == text("stop_name") {
                fault(.sameStopDescription, table, rows, "stop_desc is the same as stop_name")
            }
            if text("stop_name").isEmpty, content.stops[stop].kind.rawValue <= 2 {
                fault(.missingStopName, table, rows, "stop_name is missing")
            }
            if text("parent_station").isEmpty, content.stops[stop].kind.rawValue > 1 {
                fault(.locationWithoutParent, table, rows, "the location has no parent_station")
            }
            if text("parent_station").isEmpty, content.stops[stop].kind == .stop,
                !text("platform_code").isEmpty
            {
                fault(.platformWithoutParent, table, rows, "a platform has no parent_station")
            }
        case .routes:
            routes.append(
                RouteFacts(
                    line: rows.line, short: text("route_short_name"), long: text("route_long_name"),
                    description: text("route_desc"), color: text("route_color"),
                    textColor: text("route_text_color"),
                    agency: text("agency_id")))
        case .transfers:
            func stop(_ name: String) -> Int? { content.stopIDs.find(bytes(name)) }
            let type = number("transfer_type") ?? 0
            if type <= 3 {
                for name in ["from_stop_id", "to_stop_id"] where bytes(name).isEmpty {
                    fault(.missingField, table, rows, "\(name) is missing")
                }
            }
            let trips = ["from", "to"].compactMap { end -> (trip: Int, route: Int?, stop: Int?)? in
                content.tripIDs.find(bytes("\(end)_trip_id")).map {
                    ($0, content.routeIDs.find(bytes("\(end)_route_id")), stop("\(end)_stop_id"))
                }
            }
            transfers.append(
                Transfer(
                    line: rows.line, from: stop("from_stop_id"), to: stop("to_stop_id"), type: type,
                    trips: trips))
        case .pathways:
            guard let from = content.stopIDs.find(bytes("from_stop_id")),
                let to = content.stopIDs.find(bytes("to_stop_id"))
            else { return }
            pathways.append(
                Pathway(
                    line: rows.line, from: from, to: to, mode: number("pathway_mode") ?? 0,
                    isBothWays: number("is_bidirectional") == 1))
        case .fareRules:
            if ["origin_id", "destination_id", "contains_id"].contains(where: { !bytes($0).isEmpty }) {
                usesZones = true
            }
        case .attributions:
            if !["is_producer", "is_operator", "is_authority"].contains(where: { number($0) == 1 }) {
                fault(.attributionWithoutRole, table, rows, "the organization has no role")
            }
        case .translations: noteTranslation(rows)
        case .feedInfo: noteFeed(rows)
        case .fareTransferRules: noteFareTransfer(rows)
        case .timeframes: noteTimeframe(rows)
        default: break
        }
    }

    private mutating func fault(_ rule: FeedRule, _ table: FeedTable, _ rows: TableReader, _ text: String) {
        faults.append((rule, table, rows.line, text))
    }

    private mutating func noteTranslation(_ rows: TableReader) {
        func text(_ name: String) -> String { rows.text(rows.column(name)) }
        let known = [
            "agency", "stops", "routes", "trips", "stop_times", "feed_info", "pathways", "levels",
            "attributions",
        ]
        let name = text("table_name")
        if !name.isEmpty, !known.contains(name) {
            fault(.translationTable, .translations, rows, "unknown table_name `\(name)`")
        }
        let (record, value) = (text("record_id"), text("field_value"))
        if name == "feed_info" ? !record.isEmpty || !value.isEmpty : !record.isEmpty && !value.isEmpty {
            fault(
                .translationValue, .translations, rows,
                "a translation has a record_id or a field_value, not both")
        } else if name != "feed_info", record.isEmpty, value.isEmpty {
            fault(.missingField, .translations, rows, "record_id is missing")
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
            fault(.fareLimitMissing, table, rows, "duration_limit_type has no duration_limit")
        }
        if !limit.isEmpty, type.isEmpty {
            fault(.fareLimitTypeMissing, table, rows, "duration_limit has no duration_limit_type")
        }
        let (from, to, count) = (text("from_leg_group_id"), text("to_leg_group_id"), text("transfer_count"))
        if !from.isEmpty, from == to {
            if count.isEmpty {
                fault(.fareCountMissing, table, rows, "transfers within a leg group have no transfer_count")
            } else if Int(count).map({ $0 < -1 || $0 == 0 }) ?? true {
                fault(.fareCountInvalid, table, rows, "invalid transfer_count `\(count)`")
            }
        } else if !count.isEmpty {
            fault(.fareCountForbidden, table, rows, "transfer_count stands between different leg groups")
        }
    }

    private mutating func noteTimeframe(_ rows: TableReader) {
        func text(_ name: String) -> String { rows.text(rows.column(name)) }
        let (start, end) = (text("start_time"), text("end_time"))
        if start.isEmpty != end.isEmpty {
            fault(.timeframeHalf, .timeframes, rows, "only one of start_time and end_time is given")
            return
        }
        let (from, to) = (
            FieldParser.time(rows[rows.column("start_time")]) ?? 0,
            FieldParser.time(rows[rows.column("end_time")]) ?? 86_400
        )
        if max(from, to) > 86_400 {
            fault(.timeframeLate, .timeframes, rows, "a time frame goes on after 24:00:00")
        }
        timeframes.append(
            Timeframe(
                line: rows.line, group: text("timeframe_group_id"), service: text("service_id"), start: from,
                end: to))
    }
}
