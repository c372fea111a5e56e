/// The types of columns (GTFS Schedule reference, *Field Types*).
enum FieldKind: Sendable {
    case text, url, email, language, color, currency, timezone, date, time
    case number(ClosedRange<Double>)
    case integer(ClosedRange<Int>)
    case choice(ClosedRange<Int>)
    /// The identifier of a row of another table.
    case reference(FeedTable)
    /// A fare zone of stops.txt.
    case zone
    /// A network of networks.txt or of routes.txt.
    case network
    /// A type of routes.txt that the reference lists, without the extended ones.
    case routeType
    /// A number with the decimals of a currency in another column.
    case amount(currency: String)
    /// Checked by the import.
    case imported
}

/// A column of a table.
struct ColumnRule: Sendable {
    enum Requirement: Sendable {
        case required, recommended, optional
        /// The column is required, its values are optional.
        case column
    }

    let name: String
    let kind: FieldKind
    let requirement: Requirement

    init(_ name: String, _ kind: FieldKind = .text, _ requirement: Requirement = .optional) {
        (self.name, self.kind, self.requirement) = (name, kind, requirement)
    }
}

/// A table of GTFS Schedule: its columns and its primary key.
struct TableRule: Sendable {
    let table: FeedTable
    let key: [String]
    let columns: [ColumnRule]

    init(_ table: FeedTable, key: [String] = [], _ columns: [ColumnRule]) {
        (self.table, self.key, self.columns) = (table, key, columns)
    }

    /// Whether rows are read with those of the other tables: the two largest have their own checks.
    var hasFields: Bool { table != .stopTimes && table != .shapes }

    /// Texts for passengers, which should be in mixed case.
    static let namesForPeople: [FeedTable: Set<String>] = [
        .agency: ["agency_name"], .stops: ["stop_name"], .levels: ["level_name"],
        .routes: ["route_short_name", "route_long_name", "route_desc"],
        .trips: ["trip_headsign", "trip_short_name"], .networks: ["network_name"],
        .bookingRules: ["message", "pickup_message", "drop_off_message"],
        .pathways: ["signposted_as", "reversed_signposted_as"],
        .locationGroups: ["location_group_name"],
    ]

    /// Whether a column holds an identifier, which should be printable ASCII.
    static func isIdentifier(_ column: String, of table: FeedTable) -> Bool {
        if column == "parent_station" { return true }
        guard column.hasSuffix("_id"), column != "direction_id" else { return false }
        switch table {
        case .frequencies, .locationGroupStops, .translations: return false
        case .timeframes: return column != "service_id"
        case .bookingRules: return column != "prior_notice_service_id"
        default: return true
        }
    }

    private typealias C = ColumnRule
    private static let whole = 0...999_999_999
    private static let positive = 0.0...1e9

    private static func imported(_ names: String) -> [ColumnRule] {
        names.split(separator: " ").map { C(String($0), .imported) }
    }

    /// The tables, each after those that it refers to, with the columns of the reference as of 2025.
    static let all: [TableRule] = [
        TableRule(
            .agency, key: ["agency_id"],
            imported("agency_id agency_name agency_timezone") + [
                C("agency_url", .url, .required), C("agency_lang", .language), C("agency_phone"),
                C("agency_fare_url", .url), C("agency_email", .email), C("cemv_support", .choice(0...2)),
            ]),
        TableRule(
            .levels, key: ["level_id"],
            [
                C("level_id", .text, .required), C("level_index", .number(-1e4...1e4), .required),
                C("level_name"),
            ]),
        TableRule(
            .stops,
            imported(
                "stop_id stop_code stop_name stop_desc stop_lat stop_lon location_type parent_station platform_code"
            ) + [
                C("tts_stop_name"), C("zone_id"), C("stop_url", .url), C("stop_timezone", .timezone),
                C("wheelchair_boarding", .choice(0...2)), C("level_id", .reference(.levels)),
                C("stop_access", .choice(0...1)),
            ]),
        TableRule(
            .routes,
            imported("route_id route_short_name route_long_name") + [
                C("route_type", .routeType), C("agency_id"), C("route_desc"), C("route_url", .url),
                C("route_color", .color),
                C("route_text_color", .color), C("route_sort_order", .integer(whole)),
                C("continuous_pickup", .choice(0...3)), C("continuous_drop_off", .choice(0...3)),
                C("network_id"),
                C("cemv_support", .choice(0...2)),
            ]),
        TableRule(
            .calendar,
            imported(
                "service_id monday tuesday wednesday thursday friday saturday sunday start_date end_date")),
        TableRule(.calendarDates, imported("service_id date exception_type")),
        TableRule(
            .trips,
            imported("route_id service_id trip_id trip_headsign trip_short_name block_id shape_id") + [
                C("direction_id", .choice(0...1)), C("wheelchair_accessible", .choice(0...2)),
                C("bikes_allowed", .choice(0...2)), C("cars_allowed", .choice(0...2)),
                C("safe_duration_factor", .number(positive)), C("safe_duration_offset", .number(-1e9...1e9)),
            ]),
        TableRule(
            .frequencies,
            imported("trip_id start_time end_time headway_secs") + [
                C("exact_times", .choice(0...1))
            ]),
        TableRule(
            .shapes, imported("shape_id shape_pt_lat shape_pt_lon shape_pt_sequence shape_dist_traveled")),
        TableRule(
            .stopTimes,
            imported(
                """
                trip_id arrival_time departure_time stop_id location_group_id location_id stop_sequence stop_headsign \
                start_pickup_drop_off_window end_pickup_drop_off_window pickup_type drop_off_type continuous_pickup \
                continuous_drop_off shape_dist_traveled timepoint pickup_booking_rule_id drop_off_booking_rule_id \
                mean_duration_factor mean_duration_offset safe_duration_factor safe_duration_offset
                """)),
        TableRule(
            .transfers,
            key: [
                "from_stop_id", "to_stop_id", "from_trip_id", "to_trip_id", "from_route_id", "to_route_id",
            ],
            [
                C("from_stop_id", .reference(.stops)), C("to_stop_id", .reference(.stops)),
                C("from_route_id", .reference(.routes)), C("to_route_id", .reference(.routes)),
                C("from_trip_id", .reference(.trips)), C("to_trip_id", .reference(.trips)),
                C("transfer_type", .choice(0...5), .column), C("min_transfer_time", .integer(whole)),
            ]),
        TableRule(
            .pathways, key: ["pathway_id"],
            [
                C("pathway_id", .text, .required), C("from_stop_id", .reference(.stops), .required),
                C("to_stop_id", .reference(.stops), .required), C("pathway_mode", .choice(1...7), .required),
                C("is_bidirectional", .choice(0...1), .required), C("length", .number(positive)),
                C("traversal_time", .integer(1...999_999_999)),
                C("stair_count", .integer(-999_999_999...999_999_999)),
                C("max_slope", .number(-1e3...1e3)), C("min_width", .number(positive)), C("signposted_as"),
                C("reversed_signposted_as"),
            ]),
        TableRule(
            .fareAttributes, key: ["fare_id"],
            [
                C("fare_id", .text, .required), C("price", .number(positive), .required),
                C("currency_type", .currency, .required), C("payment_method", .choice(0...1), .required),
                C("transfers", .choice(0...2)), C("agency_id"), C("transfer_duration", .integer(whole)),
            ]),
        TableRule(
            .fareRules,
            [
                C("fare_id", .reference(.fareAttributes), .required), C("route_id", .reference(.routes)),
                C("origin_id", .zone), C("destination_id", .zone), C("contains_id", .zone),
            ]),
        TableRule(.areas, key: ["area_id"], [C("area_id", .text, .required), C("area_name")]),
        TableRule(
            .stopAreas, key: ["area_id", "stop_id"],
            [
                C("area_id", .reference(.areas), .required), C("stop_id", .reference(.stops), .required),
            ]),
        TableRule(.networks, key: ["network_id"], [C("network_id", .text, .required), C("network_name")]),
        TableRule(
            .routeNetworks, key: ["route_id"],
            [
                C("network_id", .reference(.networks), .required),
                C("route_id", .reference(.routes), .required),
            ]),
        TableRule(
            .timeframes, key: ["timeframe_group_id", "start_time", "end_time", "service_id"],
            [
                C("timeframe_group_id", .text, .required), C("start_time", .time), C("end_time", .time),
                C("service_id", .reference(.calendar), .required),
            ]),
        TableRule(
            .riderCategories, key: ["rider_category_id"],
            [
                C("rider_category_id", .text, .required), C("rider_category_name", .text, .required),
                C("is_default_fare_category", .choice(0...1), .column), C("eligibility_url", .url),
            ]),
        TableRule(
            .fareMedia, key: ["fare_media_id"],
            [
                C("fare_media_id", .text, .required), C("fare_media_name"),
                C("fare_media_type", .choice(0...4), .required),
            ]),
        TableRule(
            .fareProducts, key: ["fare_product_id", "fare_media_id", "rider_category_id"],
            [
                C("fare_product_id", .text, .required), C("fare_product_name"),
                C("rider_category_id", .reference(.riderCategories)),
                C("fare_media_id", .reference(.fareMedia)),
                C("amount", .amount(currency: "currency"), .required), C("currency", .currency, .required),
            ]),
        TableRule(
            .fareLegRules,
            key: [
                "network_id", "from_area_id", "to_area_id", "from_timeframe_group_id",
                "to_timeframe_group_id",
                "fare_product_id",
            ],
            [
                C("leg_group_id"), C("network_id", .network), C("from_area_id", .reference(.areas)),
                C("to_area_id", .reference(.areas)), C("from_timeframe_group_id", .reference(.timeframes)),
                C("to_timeframe_group_id", .reference(.timeframes)),
                C("fare_product_id", .reference(.fareProducts), .required),
                C("rule_priority", .integer(whole)),
            ]),
        TableRule(
            .fareLegJoinRules,
            [
                C("from_network_id", .network, .required), C("to_network_id", .network, .required),
                C("from_stop_id", .reference(.stops)), C("to_stop_id", .reference(.stops)),
            ]),
        TableRule(
            .fareTransferRules,
            key: [
                "from_leg_group_id", "to_leg_group_id", "fare_product_id", "transfer_count", "duration_limit",
            ],
            [
                C("from_leg_group_id", .reference(.fareLegRules)),
                C("to_leg_group_id", .reference(.fareLegRules)),
                C("transfer_count"), C("duration_limit", .integer(1...999_999_999)),
                C("duration_limit_type", .choice(0...3)), C("fare_transfer_type", .choice(0...2), .required),
                C("fare_product_id", .reference(.fareProducts)),
            ]),
        TableRule(
            .bookingRules, key: ["booking_rule_id"],
            [
                C("booking_rule_id", .text, .required), C("booking_type", .choice(0...2), .required),
                C("prior_notice_duration_min", .integer(whole)),
                C("prior_notice_duration_max", .integer(whole)),
                C("prior_notice_last_day", .integer(whole)), C("prior_notice_last_time", .time),
                C("prior_notice_start_day", .integer(whole)), C("prior_notice_start_time", .time),
                C("prior_notice_service_id", .reference(.calendar)), C("message"), C("pickup_message"),
                C("drop_off_message"), C("phone_number"), C("info_url", .url), C("booking_url", .url),
            ]),
        TableRule(
            .locationGroups, key: ["location_group_id"],
            [
                C("location_group_id", .text, .required), C("location_group_name"),
            ]),
        TableRule(
            .locationGroupStops, key: ["location_group_id", "stop_id"],
            [
                C("location_group_id", .reference(.locationGroups), .required),
                C("stop_id", .reference(.stops), .required),
            ]),
        TableRule(
            .feedInfo,
            [
                C("feed_publisher_name", .text, .required), C("feed_publisher_url", .url, .required),
                C("feed_lang", .language, .required), C("default_lang", .language),
                C("feed_start_date", .date, .recommended), C("feed_end_date", .date, .recommended),
                C("feed_version", .text, .recommended), C("feed_contact_email", .email),
                C("feed_contact_url", .url),
            ]),
        TableRule(
            .attributions, key: ["attribution_id"],
            [
                C("attribution_id"), C("agency_id"), C("route_id", .reference(.routes)),
                C("trip_id", .reference(.trips)), C("organization_name", .text, .required),
                C("is_producer", .choice(0...1)), C("is_operator", .choice(0...1)),
                C("is_authority", .choice(0...1)), C("attribution_url", .url), C("attribution_email", .email),
                C("attribution_phone"),
            ]),
        TableRule(
            .translations,
            [
                C("table_name", .text, .required), C("field_name", .text, .required),
                C("language", .language, .required), C("translation", .text, .required), C("record_id"),
                C("record_sub_id"), C("field_value"),
            ]),
    ]
}
