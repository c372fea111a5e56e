import Geodesy

/// Offers named places to the search: the places of regions, stops, waypoints, beacons.
public protocol NamedPlaces: Capability {
    /// What it offers, in one word, such as `waypoint`.
    var source: String { get }
    /// Whether a `ReferenceResolving` of the plugin finds its places behind `@` already.
    var areReferences: Bool { get }
    /// The places that match, best first, at most `query.limit`. Any text is safe: it was made into words.
    func places(matching query: PlaceQuery, context: Context) async throws -> [NamedPlace]
}

extension NamedPlaces {
    /// Most are found behind `@` only through the search.
    public var areReferences: Bool { false }
}

/// Finds the one place that a text means, for whoever takes a place: `route plan "A" "B"`.
public protocol PlaceFinding: Capability {
    /// The place; throws an error that says what to write instead where there is none or more than one.
    func place(named text: String, context: Context) async throws -> any DomainObject
}

/// What is looked for.
public struct PlaceQuery: Sendable, Hashable {
    /// The words, folded; see `PlaceWords`.
    public let words: PlaceWords
    /// A place near which matches are better; with `radius` also a filter.
    public let near: Coordinate?
    /// Metres around `near` within which a place must lie; `nil` for anywhere.
    public let radius: Double?
    /// How many matches are wanted.
    public let limit: Int

    /// A query. A radius needs a place.
    public init(_ words: PlaceWords, near: Coordinate? = nil, radius: Double? = nil, limit: Int) {
        self.words = words
        self.near = near
        self.radius = near == nil ? nil : radius
        self.limit = max(1, limit)
    }

    /// The match of a place; `nil` when it does not match or lies too far away.
    public func match(_ place: NamedPlace, folded: some Collection<UInt8>) -> PlaceMatch? {
        let distance = near.map { $0.distance(to: place.coordinate) }
        if let radius, let distance, distance > radius { return nil }
        guard let score = words.score(of: folded) else { return nil }
        return PlaceMatch(place: place, score: score, distance: distance)
    }

    /// The best of matches: by `PlaceMatch.order`, then by what makes the order the same each time.
    public func best(_ matches: [PlaceMatch]) -> [PlaceMatch] {
        guard matches.count > limit else { return matches.sorted { $0.isBetter(than: $1) } }
        let orders = matches.map(\.order)
        let least = orders.sorted(by: >)[limit - 1]
        let candidates = matches.indices.filter { orders[$0] >= least }.map { matches[$0] }
        return Array(candidates.sorted { $0.isBetter(than: $1) }.prefix(limit))
    }
}

/// A place with a name.
public struct NamedPlace: Sendable, Hashable {
    /// What it is called.
    public var name: String
    /// What it is, such as `peak`, `alpine_hut`, `village`, `path`, `waypoint`.
    public var kind: String
    /// Where the name comes from: a region's name, `waypoints`, `beacons`, a feed.
    public var source: String
    /// Where it is.
    public var coordinate: Coordinate
    /// How much it matters among places of the same name: 0 the most, a city; 9 the least, a footpath.
    public var rank: Int

    /// A place with a name.
    public init(name: String, kind: String, source: String, coordinate: Coordinate, rank: Int) {
        self.name = name
        self.kind = kind
        self.source = source
        self.coordinate = coordinate
        self.rank = rank
    }
}

/// A place that was found.
public struct PlaceMatch: Sendable, Hashable {
    /// The place.
    public let place: NamedPlace
    /// How well the name matches, 0…1; 1 is the whole name.
    public let score: Double
    /// Metres from the place that was given as near.
    public let distance: Double?

    /// A match.
    public init(place: NamedPlace, score: Double, distance: Double?) {
        self.place = place
        self.score = score
        self.distance = distance
    }

    /// Metres at which nearness counts half.
    private static let halfDistance = 5000.0
    /// How much of the order nearness decides.
    private static let nearShare = 0.3
    /// What a step of rank is worth.
    private static let rankStep = 0.004

    /// What decides the order: how well the name matches, how near it is, how much the place matters.
    public var order: Double { Self.order(score: score, distance: distance, rank: place.rank) }

    /// The same of a match that is not made yet.
    static func order(score: Double, distance: Double?, rank: Int) -> Double {
        let near = distance.map { halfDistance / (halfDistance + $0) }
        let matched = near.map { score * (1 - nearShare) + $0 * nearShare } ?? score
        return matched - rankStep * Double(rank)
    }

    /// Whether it comes before another; the same places come in the same order each time.
    public func isBetter(than other: PlaceMatch) -> Bool {
        let (a, b) = (order, other.order)
        if a != b { return a > b }
        let (left, right) = (place, other.place)
        return (left.name, left.kind, left.source, left.coordinate.latitude, left.coordinate.longitude)
            < (right.name, right.kind, right.source, right.coordinate.latitude, right.coordinate.longitude)
    }
}
