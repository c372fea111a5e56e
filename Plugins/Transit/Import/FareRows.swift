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
    /// The index of its feed.
    var feed: Int32 = 0
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
