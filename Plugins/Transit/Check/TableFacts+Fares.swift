/// Checks of rows about agencies, fares, access to stops and booking.
extension TableFacts {
    /// Checks the identifier of an agency: it must exist, and may be empty only if there is one agency.
    mutating func noteAgency(_ table: FeedTable, _ rows: TableReader) {
        let agency = rows.text(rows.column("agency_id"))
        if !agency.isEmpty {
            // routes.txt is checked with its other facts.
            guard table != .routes, !agencies.contains(agency) else { return }
            return fault(
                .foreignKeyViolation, table, rows, "unknown agency_id `\(agency)`", field: "agency_id")
        }
        guard agencyRows > 0 else { return }
        if agencyRows > 1 {
            fault(
                .missingRequiredAgencyId, table, rows, "agency_id is missing, and there are several agencies",
                field: "agency_id", tallied: true)
        } else {
            fault(
                .missingRecommendedField, table, rows, "agency_id is missing", field: "agency_id",
                tallied: true)
        }
    }

    /// Checks `stop_access`: whether a platform is reached through its station.
    mutating func noteAccess(_ rows: TableReader, _ stop: Int, _ content: FeedContent) {
        let field = rows[rows.column("stop_access")]
        guard !field.isEmpty else { return }
        if content.stops[stop].kind != .stop {
            fault(
                .stopAccessSpecifiedForIncorrectLocation, .stops, rows,
                "stop_access is given for a \(content.stops[stop].kind.word)")
        } else if rows[rows.column("parent_station")].isEmpty {
            fault(
                .stopAccessSpecifiedForStopWithNoParentStation, .stops, rows,
                "stop_access is given for a stop without a station")
        } else if FieldParser.integer(field) == 1 {
            outsideStops.insert(stop)
        }
    }

    mutating func noteMedium(_ rows: TableReader) {
        let name = rows.text(rows.column("fare_media_name"))
        let type = rows.text(rows.column("fare_media_type"))
        if name.isEmpty, ["2", "4"].contains(type) {
            fault(
                .missingRecommendedField, .fareMedia, rows, "fare_media_name is missing",
                field: "fare_media_name")
        }
        let key = "\(name)\u{0}\(type)"
        if let line = media[key] {
            fault(.duplicateFareMedia, .fareMedia, rows, "name and type are those of line \(line)")
        } else {
            media[key] = rows.line
        }
    }

    mutating func noteProduct(_ rows: TableReader) {
        let product = rows.text(rows.column("fare_product_id"))
        let rider = rows.text(rows.column("rider_category_id"))
        guard defaultRiders.contains(rider) else { return }
        if let other = productRiders[product], other != rider {
            fault(
                .fareProductWithMultipleDefaultRiderCategories, .fareProducts, rows,
                "the product has two default rider categories, \(other) and \(rider)")
        } else {
            productRiders[product] = rider
        }
    }

    /// Checks the fields that a booking rule must and must not have, by its type.
    mutating func noteBooking(_ rows: TableReader) {
        func has(_ name: String) -> Bool { !rows[rows.column("prior_notice_" + name)].isEmpty }
        func number(_ name: String) -> Int? {
            FieldParser.integer(rows[rows.column("prior_notice_" + name)])
        }
        func fault(_ rule: FeedRule, _ text: String) { self.fault(rule, .bookingRules, rows, text) }
        func forbid(_ names: [String], _ rule: FeedRule, _ kind: String) {
            let found = names.filter(has).map { "prior_notice_" + $0 }
            if !found.isEmpty { fault(rule, "booking \(kind) has \(found.joined(separator: ", "))") }
        }
        switch FieldParser.integer(rows[rows.column("booking_type")]) {
        case 0:
            forbid(
                [
                    "duration_min", "duration_max", "last_day", "last_time", "start_day", "start_time",
                    "service_id",
                ], .forbiddenRealTimeBookingFieldValue, "in real time")
        case 1:
            forbid(
                ["last_day", "last_time", "service_id"], .forbiddenSameDayBookingFieldValue, "on the same day"
            )
            if !has("duration_min") {
                fault(
                    .missingPriorNoticeDurationMin, "booking on the same day has no prior_notice_duration_min"
                )
            }
        case 2:
            forbid(["duration_min", "duration_max"], .forbiddenPriorDayBookingFieldValue, "on a day before")
            if !has("last_day") {
                fault(.missingPriorNoticeLastDay, "booking on a day before has no prior_notice_last_day")
            }
            if !has("last_time") {
                fault(.missingPriorNoticeLastTime, "booking on a day before has no prior_notice_last_time")
            }
        default: break
        }
        if let least = number("duration_min"), let most = number("duration_max"), most < least {
            fault(
                .invalidPriorNoticeDurationMin,
                "prior_notice_duration_max is less than prior_notice_duration_min")
        }
        if has("duration_max"), has("start_day") {
            fault(
                .forbiddenPriorNoticeStartDay,
                "prior_notice_start_day and prior_notice_duration_max are both given")
        }
        if has("start_day"), !has("start_time") {
            fault(.missingPriorNoticeStartTime, "prior_notice_start_day has no prior_notice_start_time")
        }
        if has("start_time"), !has("start_day") {
            fault(.forbiddenPriorNoticeStartTime, "prior_notice_start_time has no prior_notice_start_day")
        }
        if let last = number("last_day"), let start = number("start_day"), last > start {
            fault(.priorNoticeLastDayAfterStartDay, "prior_notice_last_day is after prior_notice_start_day")
        }
    }
}
