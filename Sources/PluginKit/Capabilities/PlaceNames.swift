import Geodesy

/// Provides named places for search: the places of regions, stops, waypoints, beacons.
public protocol NamedPlaces: Capability {
    /// The kind of places, in one word, such as `waypoint`.
    var source: String { get }
    /// Whether a `ReferenceResolving` of the plugin already resolves its places after `@`.
    var areReferences: Bool { get }
    /// The places that match, best first, at most `query.limit`. The query's text is already split into words.
    func places(matching query: PlaceQuery, context: Context) async throws -> [PlaceMatch]
    /// The addresses, streets and areas at a coordinate; `nil` if unknown.
    func surroundings(of coordinate: Coordinate, context: Context) async throws -> (any PlaceSurroundings)?
    /// The areas with complete names, such as imported regions.
    func coverage(context: Context) async throws -> [PlaceCoverage]
    /// The outline of a named area, such as a municipality; `nil` if unknown.
    func area(named words: PlaceWords, context: Context) async throws -> PlaceArea?
}

extension NamedPlaces {
    /// By default, places are found after `@` only through search.
    public var areReferences: Bool { false }
    /// By default, only single places are known.
    public func surroundings(of coordinate: Coordinate, context: Context) async throws -> (
        any PlaceSurroundings
    )? {
        nil
    }
    /// By default, no area is covered.
    public func coverage(context: Context) async throws -> [PlaceCoverage] { [] }
    /// By default, no outlines are known.
    public func area(named words: PlaceWords, context: Context) async throws -> PlaceArea? { nil }
}

/// An area whose names are known.
public struct PlaceCoverage: Sendable, Hashable {
    /// The area's name, such as a region's.
    public var name: String
    /// The box around it.
    public var box: BoundingBox
    /// Why its names are incomplete; `nil` if they are complete.
    public var limit: String?

    /// Creates an area.
    public init(name: String, box: BoundingBox, limit: String? = nil) {
        (self.name, self.box, self.limit) = (name, box, limit)
    }
}

/// The surroundings of a coordinate. Unknown parts are `nil`. Each part is looked up when it is read: a name for the
/// coordinate needs few of them.
public protocol PlaceSurroundings: Sendable {
    /// The source of the names.
    var source: String { get }
    /// The nearest address.
    var address: SurroundingPlace? { get throws }
    /// The nearest street or way with a name.
    var street: SurroundingPlace? { get throws }
    /// The municipality that contains it.
    var town: String? { get throws }
    /// The nearest town or village, if no known outline contains the coordinate.
    var nearestTown: SurroundingPlace? { get throws }
    /// The nearest other places, nearest first.
    var around: [SurroundingPlace] { get throws }
}

/// A place with its distance from a coordinate.
public struct SurroundingPlace: Sendable {
    /// The place.
    public let place: NamedPlace
    /// The distance in metres.
    public let distance: Double

    /// Creates a place at a distance.
    public init(_ place: NamedPlace, distance: Double) {
        (self.place, self.distance) = (place, distance)
    }
}

/// Names a coordinate, for objects without a name: a waypoint, a hike, a route.
public protocol PlaceNaming: Capability {
    /// A short name such as `Sihlstrasse 12, Zürich`, `Pizol` or `near Malbun`; `nil` if none is known.
    func name(of coordinate: Coordinate, context: Context) async throws -> String?
}

extension Context {
    /// A name for a coordinate, if a plugin provides one.
    public func placeName(at coordinate: Coordinate) async throws -> String? {
        for naming in capabilities.lazy.compactMap(\.placeNaming) {
            if let name = try await naming.name(of: coordinate, context: self) { return name }
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

/// Resolves text to one place, for parameters that take a place: `route plan "A" "B"`.
public protocol PlaceFinding: Capability {
    /// The place; throws an error with a fix if there is none or more than one.
    func place(named text: String, context: Context) async throws -> any DomainObject
}
