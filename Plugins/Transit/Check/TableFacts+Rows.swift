import CivilTime
import Foundation

/// A row of a table with its fields by name.
struct FactRow {
    let rows: TableReader
    let content: FeedContent

    init(_ rows: TableReader, _ content: FeedContent) { (self.rows, self.content) = (rows, content) }

    func text(_ name: String) -> String { rows.text(rows.column(name)) }
    func bytes(_ name: String) -> FieldBytes { rows[rows.column(name)] }
    func number(_ name: String) -> Int? { FieldParser.integer(bytes(name)) }
    func isEmpty(_ name: String) -> Bool { bytes(name).isEmpty }
    func stop(_ name: String) -> Int? { content.stopIDs.find(bytes(name)) }
    func route(_ name: String) -> Int? { content.routeIDs.find(bytes(name)) }
}

/// Facts and faults of rows, by table.
extension TableFacts {
    mutating func noteAgencyRow(_ row: FactRow) {
        agencies.insert(row.text("agency_id"))
        agencyRows += 1
        if row.isEmpty("agency_id") { namelessAgencies.append(row.rows.line) }
        if !row.isEmpty("agency_url") { agencyURLs.insert(row.text("agency_url").lowercased()) }
        if !row.isEmpty("agency_lang") { languages.insert(row.text("agency_lang").lowercased()) }
    }

    mutating func noteStop(_ row: FactRow) {
        guard let stop = row.stop("stop_id") else { return }
        let (rows, kind) = (row.rows, row.content.stops[stop].kind)
        if !row.isEmpty("zone_id") {
            _ = zones.add(row.bytes("zone_id"))
            zoned.insert(stop)
        }
        if !row.isEmpty("level_id") { leveled.insert(stop) }
        if !row.isEmpty("stop_url") { stopURLs.append((rows.line, row.text("stop_url").lowercased())) }
        noteAccess(rows, stop, row.content)
        if !row.isEmpty("stop_desc"), row.text("stop_desc") == row.text("stop_name") {
            fault(.sameNameAndDescriptionForStop, .stops, rows, "stop_desc is the same as stop_name")
        }
        if row.isEmpty("stop_name"), kind.rawValue <= 2 {
            fault(.missingStopName, .stops, rows, "stop_name is missing")
        }
        guard row.isEmpty("parent_station") else { return }
        if kind.rawValue > 1 {
            fault(.locationWithoutParentStation, .stops, rows, "the location has no parent_station")
        }
        if kind == .stop, !row.isEmpty("platform_code") {
            fault(
                .platformWithoutParentStation, .stops, rows, "a platform has no parent_station",
                tallied: true)
        }
    }

    mutating func noteRoute(_ row: FactRow) {
        if !row.isEmpty("route_url") { routeURLs.insert(row.text("route_url").lowercased()) }
        if !row.isEmpty("network_id") { _ = networks.add(row.bytes("network_id")) }
        noteAgency(.routes, row.rows)
        routes.append(
            RouteFacts(
                line: row.rows.line, id: row.text("route_id"), type: row.text("route_type"),
                short: row.text("route_short_name"), long: row.text("route_long_name"),
                description: row.text("route_desc"), color: row.text("route_color"),
                textColor: row.text("route_text_color"), agency: row.text("agency_id"),
                url: row.text("route_url").lowercased()))
        let isContinuous = ["continuous_pickup", "continuous_drop_off"].contains {
            [0, 2, 3].contains(row.number($0) ?? 1)
        }
        if isContinuous, let route = row.route("route_id") { continuousRoutes.insert(route) }
    }

    mutating func noteTransfer(_ row: FactRow) {
        let type = row.number("transfer_type") ?? 0
        if type <= 3 {
            for name in ["from_stop_id", "to_stop_id"] where row.isEmpty(name) {
                fault(.missingRequiredField, .transfers, row.rows, "\(name) is missing")
            }
        }
        if type == 4 || type == 5 {
            for name in ["from_trip_id", "to_trip_id"] where row.isEmpty(name) {
                fault(.missingRequiredField, .transfers, row.rows, "\(name) is missing")
            }
        }
        let trips = ["from", "to"].compactMap { end -> Transfer.End? in
            row.content.tripIDs.find(row.bytes("\(end)_trip_id")).map {
                Transfer.End(
                    trip: $0, route: row.route("\(end)_route_id"), stop: row.stop("\(end)_stop_id"),
                    isFrom: end == "from")
            }
        }
        transfers.append(
            Transfer(
                line: row.rows.line, from: row.stop("from_stop_id"), to: row.stop("to_stop_id"), type: type,
                trips: trips))
    }

    mutating func notePathway(_ row: FactRow) {
        guard let from = row.stop("from_stop_id"), let to = row.stop("to_stop_id") else { return }
        pathways.append(
            Pathway(
                line: row.rows.line, from: from, to: to, mode: row.number("pathway_mode") ?? 0,
                isBothWays: row.number("is_bidirectional") == 1))
    }

    mutating func noteTrip(_ row: FactRow) {
        guard let route = row.route("route_id"), row.content.routes[route].type == 4,
            ![1, 2].contains(row.number("bikes_allowed") ?? 0)
        else { return }
        fault(
            .missingBikeAllowance, .trips, row.rows, "bikes_allowed is missing for a trip by ferry",
            tallied: true)
    }

    mutating func noteFrequency(_ row: FactRow) {
        guard let start = FieldParser.time(row.bytes("start_time")),
            start == FieldParser.time(row.bytes("end_time"))
        else { return }
        fault(.startAndEndRangeEqual, .frequencies, row.rows, "start_time and end_time are equal")
    }

    mutating func noteWeek(_ row: FactRow) {
        guard FeedReader.weekdays.allSatisfy({ row.number($0) == 0 }) else { return }
        fault(
            .serviceHasNoActiveDayOfTheWeek, .calendar, row.rows, "the service runs on no weekday",
            tallied: true)
    }

    mutating func noteAttribution(_ row: FactRow) {
        if !["is_producer", "is_operator", "is_authority"].contains(where: { row.number($0) == 1 }) {
            fault(.attributionWithoutRole, .attributions, row.rows, "the organization has no role")
        }
        if !row.isEmpty("agency_id") { noteAgency(.attributions, row.rows) }
    }

    mutating func noteLegJoin(_ row: FactRow) {
        guard row.isEmpty("from_stop_id") != row.isEmpty("to_stop_id") else { return }
        let missing = row.isEmpty("from_stop_id") ? "from_stop_id" : "to_stop_id"
        fault(.missingRequiredField, .fareLegJoinRules, row.rows, "\(missing) is missing")
    }

    mutating func noteFareRule(_ row: FactRow) {
        guard ["origin_id", "destination_id", "contains_id"].contains(where: { !row.isEmpty($0) }),
            let route = row.route("route_id")
        else { return }
        zonedRoutes.insert(route)
    }
}
