/// A fare of fare_attributes.txt or a product of fare_products.txt.
struct FareRow: Hashable {
    /// `fare_id` or `fare_product_id`.
    var id: String
    var name: String?
    /// As written in the feed, so that no digit is made up.
    var amount: String
    /// ISO 4217.
    var currency: String
    /// How and by whom it is paid, and changes: `pay on board, 1 transfer within 1h30min`.
    var terms: String?
    /// The agency on whose lines alone it is valid.
    var agency: String?
    /// How often one may change with it, −1 for any number; `nil` if unknown.
    var transfers: Int?
    /// Seconds after which no further ride may begin.
    var duration: Int?
    /// Whether any rider may buy it: it is for no category of riders, or for that of riders without another.
    var isForAnyone = true
    /// The name of the card, app or the like that it is bought with; `nil` for any.
    var medium: String?
    /// The index of its feed.
    var feed: Int32 = 0

    /// A product that a rule names and the feed does not have: its price is unknown.
    static func missing(_ id: String) -> FareRow {
        FareRow(id: id, amount: "", currency: "", terms: "not in the feed")
    }
}

/// A rule of fare_rules.txt or fare_leg_rules.txt; `nil` where it names nothing.
struct FareRuleRow: Hashable {
    /// The fare's index.
    var fare: Int32
    var kind: FareKind
    /// The index of its route, −1 for any.
    var route: Int32 = -1
    var network: String?
    var origin: String?
    var destination: String?
    /// `contains_id`: a zone that the ride passes.
    var contains: String?
    /// `rule_priority`; `nil` if the feed does not rank its rules.
    var priority: Int?
    /// The times at which it is valid, in words.
    var times: String?
    /// `leg_group_id`, which rules for transfers name.
    var group: String?
    /// `from_timeframe_group_id` and `to_timeframe_group_id`.
    var departs: String?
    var arrives: String?
}

/// A row of timeframes.txt.
struct FareFrameRow: Hashable {
    /// `timeframe_group_id`
    var frame: String
    /// Seconds of the local day; −1 where the feed gives no time that can be read.
    var start: Int32
    var end: Int32
    /// The index of its service; −1 if it is unknown.
    var service: Int32
}

/// A row of fare_transfer_rules.txt, with a product each; values without a meaning are −9.
struct FareTransferRow: Hashable {
    /// `from_leg_group_id` and `to_leg_group_id`; `nil` for all that no other rule names.
    var from: String?
    var to: String?
    /// `transfer_count`; `nil` if the feed gives none.
    var count: Int32?
    /// `duration_limit` in seconds, and `duration_limit_type`.
    var duration: Int32?
    var durationType: Int32?
    /// `fare_transfer_type`
    var type: Int32
    /// The index of its fare, −1 for a free transfer.
    var fare: Int32
    /// The index of its feed.
    var feed: Int32 = 0

    /// A number that the reference does not have.
    static let meaningless: Int32 = -9
    /// The fare of a product that the feed does not have.
    static let unknownFare: Int32 = -2
}

/// A row of fare_leg_join_rules.txt: two rides one after another that count as one.
struct FareJoinRow: Hashable {
    /// The networks of both; `nil` for any.
    var from: String?
    var to: String?
    /// The `stop_id` of the stops or stations between which the rider changes; `nil` for any.
    var fromStop: String?
    var toStop: String?
    /// The index of its feed.
    var feed: Int32 = 0
}

/// The two generations of fares in GTFS.
enum FareKind: Int, Sendable {
    /// fare_attributes.txt and fare_rules.txt, by zones.
    case zones = 1
    /// fare_products.txt and fare_leg_rules.txt, by areas and networks.
    case legs = 2
}

/// A zone or an area of a stop.
struct FareZoneRow: Hashable {
    var stop: Int32
    var kind: FareKind
    var zone: String
}

/// A network of a route.
struct RouteNetworkRow: Hashable {
    var route: Int32
    var network: String
}

/// A row of translations.txt.
struct TranslationRow: Hashable {
    /// The table without its ending, `stops`; empty for a text in any of them.
    var table: String
    var field: String
    /// The identifier of the record; `nil` if the row is about all records with `value`.
    var record: String?
    var value: String?
    /// IETF BCP 47.
    var language: String
    var text: String
}
