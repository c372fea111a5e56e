import Geodesy

/// A search query.
public struct PlaceQuery: Sendable, Hashable {
    /// The words, folded; see `PlaceWords`. None with `kinds` means all of those kinds.
    public let words: PlaceWords
    /// A coordinate near which matches rank higher; with `radius` also a filter.
    public let near: Coordinate?
    /// Metres around `near` within which a place must lie; `nil` for anywhere.
    public let radius: Double?
    /// The area in which a place must lie; `nil` for anywhere.
    public let area: PlaceArea?
    /// The kinds of place, such as `peak`; `nil` for any.
    public let kinds: Set<String>?
    /// The maximum number of matches.
    public let limit: Int

    /// A query. A radius requires `near`.
    public init(
        _ words: PlaceWords, near: Coordinate? = nil, radius: Double? = nil, area: PlaceArea? = nil,
        kinds: Set<String>? = nil, limit: Int
    ) {
        self.words = words
        self.near = near
        self.radius = near == nil ? nil : radius
        self.area = area
        self.kinds = kinds
        self.limit = max(1, limit)
    }

    /// The best of matches: by `PlaceMatch.order`, then by properties that make the order
    /// deterministic.
    public func best(_ matches: [PlaceMatch]) -> [PlaceMatch] {
        Array(matches.sorted { $0.isBetter(than: $1) }.prefix(limit))
    }
}

/// A place with a name.
public struct NamedPlace: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The kind, such as `peak`, `alpine_hut`, `village`, `path`, `waypoint`.
    public var kind: String
    /// The source of the name: a region's name, `waypoints`, `beacons`, a feed.
    public var source: String
    /// The coordinate.
    public var coordinate: Coordinate
    /// The importance among places of the same name: 0 the highest, a city; 9 the lowest, a footpath.
    public var rank: Int
    /// The prominence among places of its rank, 0…1.
    public var prominence: Double
    /// Further names by which it is found.
    public var otherNames: [String]
    /// Postcode and town that it lies in; `nil` if unknown.
    public var context: String?
    /// Whether another place of its name beside it is another place: a bus leaves from one of two stops of a name.
    public var isDistinct = false

    /// A place with a name.
    public init(
        name: String, kind: String, source: String, coordinate: Coordinate, rank: Int,
        prominence: Double = 0, otherNames: [String] = [], context: String? = nil
    ) {
        self.name = name
        self.kind = kind
        self.source = source
        self.coordinate = coordinate
        self.rank = rank
        self.prominence = prominence
        self.otherNames = otherNames
        self.context = context
    }
}
