/// How serious a finding is.
enum FindingSeverity: String, Sendable, CaseIterable { case error, warning, info }

/// A rule of the canonical validator (https://gtfs-validator.mobilitydata.org/rules.html), by its code.
enum FeedRule: String, Sendable, CaseIterable {
    case csvParsingFailed = "csv_parsing_failed"
    case duplicateColumn = "duplicated_column"
    case duplicateKey = "duplicate_key"
    case foreignKey = "foreign_key_violation"
    case invalidCharacter = "invalid_character"
    case invalidDate = "invalid_date"
    case invalidFloat = "invalid_float"
    case invalidInteger = "invalid_integer"
    case invalidRowLength = "invalid_row_length"
    case invalidTime = "invalid_time"
    case invalidTimezone = "invalid_timezone"
    case inconsistentTimezone = "inconsistent_agency_timezone"
    case locationWithStopTime = "location_with_unexpected_stop_time"
    case missingColumn = "missing_required_column"
    case missingField = "missing_required_field"
    case missingFile = "missing_required_file"
    case missingCalendars = "missing_calendar_and_calendar_date_files"
    case missingTripEdge = "missing_trip_edge"
    case overlappingFrequency = "overlapping_frequency"
    case pointNearOrigin = "point_near_origin"
    case rangeOutOfOrder = "start_and_end_range_out_of_order"
    case singleShapePoint = "single_shape_point"
    case stationWithParent = "station_with_parent_station"
    case timeTravel = "stop_time_with_arrival_before_previous_departure_time"
    case unexpectedEnum = "unexpected_enum_value"
    case whitespace = "leading_or_trailing_whitespaces"
    case wrongParent = "wrong_parent_location_type"
    case duplicateRouteName = "duplicate_route_name"
    case expiredCalendar = "expired_calendar"
    case fastTravel = "fast_travel_between_consecutive_stops"
    case missingFeedInfo = "missing_recommended_file"
    case stopWithoutStopTime = "stop_without_stop_time"
    case unusableTrip = "unusable_trip"
    case unusedShape = "unused_shape"
    case unusedTrip = "unused_trip"
    case invalidURL = "invalid_url"
    case invalidEmail = "invalid_email"
    case invalidLanguage = "invalid_language_code"
    case invalidColor = "invalid_color"
    case invalidCurrency = "invalid_currency"
    case numberOutOfRange = "number_out_of_range"
    case emptyFile = "empty_file"
    case missingStopName = "missing_stop_name"
    case locationWithoutParent = "location_without_parent_station"
    case routeWithoutNames = "route_both_short_and_long_name_missing"
    case transferLocation = "transfer_with_invalid_stop_location_type"
    case transferTripRoute = "transfer_with_invalid_trip_and_route"
    case transferTripStop = "transfer_with_invalid_trip_and_stop"
    case pathwayToStation = "pathway_to_wrong_location_type"
    case pathwayToPlatform = "pathway_to_platform_with_boarding_areas"
    case pathwayUnreachable = "pathway_unreachable_location"
    case exitGateBothWays = "bidirectional_exit_gate"
    case missingLevel = "missing_level_id"
    case fareLimitMissing = "fare_transfer_rule_duration_limit_type_without_duration_limit"
    case fareLimitTypeMissing = "fare_transfer_rule_duration_limit_without_type"
    case fareCountMissing = "fare_transfer_rule_without_transfer_count"
    case fareCountInvalid = "fare_transfer_rule_invalid_transfer_count"
    case fareCountForbidden = "fare_transfer_rule_with_forbidden_transfer_count"
    case timeframeHalf = "timeframe_only_start_or_end_time_specified"
    case timeframeLate = "timeframe_start_or_end_time_greater_than_twenty_four_hours"
    case timeframeOverlap = "timeframe_overlap"
    case translationValue = "translation_unexpected_value"
    case blockOverlap = "block_trips_with_overlapping_stop_times"
    case missingRecommendedField = "missing_recommended_field"
    case sameStopDescription = "same_name_and_description_for_stop"
    case sameRouteDescription = "same_name_and_description_for_route"
    case routeShortNameLong = "route_short_name_too_long"
    case routeNameRepeated = "route_long_name_contains_short_name"
    case routeContrast = "route_color_contrast"
    case unusedRoute = "unused_route"
    case transferTooFar = "transfer_distance_too_large"
    case pathwayLoop = "pathway_loop"
    case pathwayDangling = "pathway_dangling_generic_node"
    case attributionWithoutRole = "attribution_without_role"
    case translationTable = "translation_unknown_table_name"
    case inconsistentLanguage = "inconsistent_agency_lang"
    case moreThanOne = "more_than_one_entity"
    case missingFeedDate = "missing_feed_info_date"
    case feedEnds7 = "feed_expiration_date7_days"
    case feedEnds30 = "feed_expiration_date30_days"
    case missingContact = "missing_feed_contact_email_and_url"
    case languageMismatch = "feed_info_lang_and_agency_lang_mismatch"
    case unknownFile = "unknown_file"
    case unknownColumn = "unknown_column"
    case stopWithoutZone = "stop_without_zone_id"
    case platformWithoutParent = "platform_without_parent_station"
    case unusedStation = "unused_station"
    case transferFar = "transfer_distance_above_2_km"

    /// The severity that the canonical validator gives it.
    var severity: FindingSeverity {
        switch self {
        case .duplicateRouteName, .expiredCalendar, .fastTravel, .missingFeedInfo, .stopWithoutStopTime,
            .unusableTrip,
            .unusedShape, .unusedTrip, .singleShapePoint, .unexpectedEnum, .whitespace,
            .missingRecommendedField,
            .sameStopDescription, .sameRouteDescription, .routeShortNameLong, .routeNameRepeated,
            .routeContrast,
            .unusedRoute, .transferTooFar, .pathwayLoop, .pathwayDangling, .attributionWithoutRole,
            .translationTable, .inconsistentLanguage, .moreThanOne, .missingFeedDate, .feedEnds7, .feedEnds30,
            .missingContact, .languageMismatch:
            .warning
        case .unknownFile, .unknownColumn, .stopWithoutZone, .platformWithoutParent, .unusedStation,
            .transferFar:
            .info
        default: .error
        }
    }
}

/// The rule that a problem of an import breaks. The reader words its problems for people; this is the one place that relates
/// the wording to codes, and a test holds every wording to it.
enum ProblemRule {
    private static let dates: Set<String> = ["date", "start_date", "end_date"]
    private static let times: Set<String> = ["arrival_time", "departure_time", "start_time", "end_time"]
    private static let floats: Set<String> = ["stop_lat", "stop_lon", "shape_pt_lat", "shape_pt_lon"]
    private static let enums: Set<String> = [
        "location_type", "exception_type", "pickup_type", "drop_off_type", "monday", "tuesday", "wednesday",
        "thursday",
        "friday",
        "saturday", "sunday",
    ]
    /// Wordings that stand for one rule each.
    private static let wordings: [(part: String, rule: FeedRule)] = [
        ("the period overlaps", .overlappingFrequency), ("duplicate", .duplicateKey),
        ("unknown time zone", .invalidTimezone),
        ("no agency has a time zone", .invalidTimezone), ("the time zone is missing", .missingField),
        ("is not that of the other agencies", .inconsistentTimezone), ("unknown parent_station", .foreignKey),
        ("a station has no parent_station", .stationWithParent), ("parent_station ", .wrongParent),
        ("neither calendar.txt nor", .missingCalendars), (" has no ", .missingFile),
        ("is repeated", .duplicateColumn),
        ("the column ", .missingColumn), ("more values than columns", .invalidRowLength),
        ("no trip can stop there", .locationWithStopTime),
        ("first and the last stop of a trip require", .missingTripEdge),
        (" lost ", .missingTripEdge), ("time goes backwards", .timeTravel),
        ("is before start_", .rangeOutOfOrder),
        ("is before start", .rangeOutOfOrder), ("only one point", .singleShapePoint),
        ("not UTF-8", .invalidCharacter),
        ("control characters around", .whitespace), ("not HH:MM:SS", .invalidTime),
        (" is empty", .missingField),
        (" is missing", .missingField),
    ]

    /// The rule of a problem; `nil` if the canonical validator has none.
    static func rule(_ text: String) -> FeedRule? {
        for prefix in ["invalid ", "unknown "]
        where text.hasPrefix(prefix) && !text.hasPrefix("unknown time zone") {
            if prefix == "unknown " { return .foreignKey }
            let column = String(text.dropFirst(prefix.count).prefix { $0 != " " })
            if dates.contains(column) { return .invalidDate }
            if times.contains(column) { return .invalidTime }
            if floats.contains(column) { return .invalidFloat }
            if enums.contains(column) { return .unexpectedEnum }
            return column.contains("_") ? .invalidInteger : nil
        }
        if let found = wordings.first(where: { text.contains($0.part) }) { return found.rule }
        // Damaged records are worded by the CSV reader.
        return text.contains(", line ") ? .csvParsingFailed : nil
    }

    /// The column and the value that a problem names: the word before a value in backquotes.
    static func field(_ text: String) -> (field: String?, value: String?) {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        guard parts.count >= 3 else {
            let first = text.prefix { $0 != " " }
            return (first.contains("_") ? String(first) : nil, nil)
        }
        let words = parts[0].split(separator: " ").filter { $0 != "is" }
        return (words.last.flatMap { $0.contains("_") ? String($0) : nil }, String(parts[1]))
    }
}
