import Geodesy

/// Offers named places to the search: the places of regions, stops, waypoints, beacons.
public protocol NamedPlaces: Capability {
    /// What it offers, in one word, such as `waypoint`.
    var source: String { get }
    /// Whether a `ReferenceResolving` of the plugin finds its places behind `@` already.
    var areReferences: Bool { get }
    /// The places that match, best first, at most `query.limit`. Any text is safe: it was made into words.
    func places(matching query: PlaceQuery, context: Context) async throws -> [PlaceMatch]
    /// What it knows about a coordinate: the addresses, streets and areas there; `nil` where it knows nothing of the kind.
    func surroundings(of place: Coordinate, context: Context) async throws -> PlaceSurroundings?
    /// The areas that it has all names of, each with a name, such as imported regions.
    func coverage(context: Context) async throws -> [PlaceCoverage]
    /// The outline of the area that a name means, such as a municipality; `nil` where it knows none.
    func area(named words: PlaceWords, context: Context) async throws -> PlaceArea?
}

extension NamedPlaces {
    /// Most are found behind `@` only through the search.
    public var areReferences: Bool { false }
    /// Most know single places alone.
    public func surroundings(of place: Coordinate, context: Context) async throws -> PlaceSurroundings? {
        nil
    }
    /// Most cover no area.
    public func coverage(context: Context) async throws -> [PlaceCoverage] { [] }
    /// Most know no outlines.
    public func area(named words: PlaceWords, context: Context) async throws -> PlaceArea? { nil }
}

/// A part of the world whose names are known.
public struct PlaceCoverage: Sendable, Hashable {
    /// What it is called, such as a region's name.
    public var name: String
    /// The box around it.
    public var box: BoundingBox
    /// Why not all names of it are there; `nil` when they are.
    public var limit: String?

    /// A part of the world.
    public init(name: String, box: BoundingBox, limit: String? = nil) {
        (self.name, self.box, self.limit) = (name, box, limit)
    }
}

/// What lies at a coordinate and around it. What is not known is `nil`, not a guess.
public struct PlaceSurroundings: Sendable, Hashable {
    /// A thing with its distance in metres.
    public struct Item: Sendable, Hashable {
        /// What it is.
        public var place: NamedPlace
        /// How far away, in metres.
        public var distance: Double

        /// A thing at a distance.
        public init(_ place: NamedPlace, distance: Double) {
            (self.place, self.distance) = (place, distance)
        }
    }

    /// Where the names come from.
    public var source: String
    /// The nearest address.
    public var address: Item?
    /// The nearest street or way with a name.
    public var street: Item?
    /// The municipality that contains it.
    public var town: String?
    /// The nearest town or village, where no outline is known that contains it.
    public var nearestTown: Item?
    /// The nearest things that are neither, the nearest first.
    public var around: [Item]

    /// What lies around.
    public init(
        source: String, address: Item? = nil, street: Item? = nil, town: String? = nil,
        nearestTown: Item? = nil, around: [Item] = []
    ) {
        self.source = source
        self.address = address
        self.street = street
        self.town = town
        self.nearestTown = nearestTown
        self.around = around
    }
}

/// Calls a coordinate by a name, for what has none yet: a waypoint, a hike, a route.
public protocol PlaceNaming: Capability {
    /// A short name such as `Sihlstrasse 12, Zürich`, `Pizol` or `near Malbun`; `nil` where nothing is known.
    func name(of place: Coordinate, context: Context) async throws -> String?
}

extension Context {
    /// A name for a coordinate, where a plugin knows one.
    public func placeName(at place: Coordinate) async throws -> String? {
        for naming in capabilities.lazy.compactMap(\.placeNaming) {
            if let name = try await naming.name(of: place, context: self) { return name }
        }
        return nil
    }
}

extension Context {
    /// A name for a way from one coordinate to another, such as `Malbun to Steg`, or `Round trip from Malbun`; `nil` unless
    /// both have one. A town that both lie in is named once.
    public func placeName(from start: Coordinate, to end: Coordinate) async throws -> String? {
        guard let from = try await placeName(at: start), let to = try await placeName(at: end) else {
            return nil
        }
        if from == to { return "Round trip from \(from)" }
        let towns = [from, to].map { $0.split(separator: ", ", maxSplits: 1).dropFirst().first }
        guard let town = towns[0], town == towns[1] else { return "\(from) to \(to)" }
        return "\(from.dropLast(town.count + 2)) to \(to)"
    }
}

/// Finds the one place that a text means, for whoever takes a place: `route plan "A" "B"`.
public protocol PlaceFinding: Capability {
    /// The place; throws an error that says what to write instead where there is none or more than one.
    func place(named text: String, context: Context) async throws -> any DomainObject
}
