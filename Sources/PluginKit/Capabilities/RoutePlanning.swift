import Foundation
import Geodesy

/// Plans routes in the region in use.
public protocol RoutePlanning: Capability {
    /// A request with the planner's usual costs for a mode.
    func request(over places: [Coordinate], mode: TravelMode) -> any RouteRequest
    /// The best route for a request; throws what `route plan` would.
    func plan(_ request: any RouteRequest, context: Context) async throws -> any TravelRoute
    /// The nearest point of a way that a request may use, however far; `nil` where that is not known.
    func nearestWay(
        to place: Coordinate, for request: any RouteRequest, context: Context
    ) async throws -> Coordinate?
}

extension RoutePlanning {
    /// Not known, unless a planner says it.
    public func nearestWay(
        to place: Coordinate, for request: any RouteRequest, context: Context
    ) async throws -> Coordinate? { nil }
}

/// What a route was planned from: where it leads, and all that decides which ways are good, which only its planner knows.
///
/// A route carries its request, so that whoever plans it anew from elsewhere asks for the same.
public protocol RouteRequest: Sendable {
    /// Start, places to pass in order, end.
    var places: [Coordinate] { get set }
}

/// How one travels.
public enum TravelMode: String, Sendable, Hashable, CaseIterable, Codable {
    /// On foot.
    case hiking
    /// By bicycle.
    case cycling
}

/// A route that one can walk, whoever planned it.
public protocol TravelRoute: DomainObject {
    /// Its identifier.
    var id: UUID { get }
    /// What it is called.
    var name: String { get }
    /// How one travels.
    var mode: TravelMode { get }
    /// The line, with altitudes where they are known.
    var line: [Coordinate] { get }
    /// What to do where, from `start` to `arrive`.
    var turns: [TurnInstruction] { get }
    /// Length in metres.
    var distance: Double { get }
    /// Estimated time in seconds.
    var duration: Double { get }
    /// What it was planned from; `nil` where that is not known.
    var request: (any RouteRequest)? { get }
}

extension TravelRoute {
    /// Not known, unless a planner says it.
    public var request: (any RouteRequest)? { nil }
}

/// What to do at a place of a route.
public struct TurnInstruction: Sendable, Hashable {
    /// Where.
    public var coordinate: Coordinate
    /// What kind of turn.
    public var direction: TurnDirection
    /// Degrees from north in which one goes on.
    public var bearing: Double
    /// Metres from the instruction before.
    public var distanceFromPrevious: Double
    /// Metres from the start.
    public var cumulativeDistance: Double
    /// The name of the way one goes on along.
    public var trailName: String?
    /// The words.
    public var description: String

    /// An instruction.
    public init(
        coordinate: Coordinate, direction: TurnDirection, bearing: Double, distanceFromPrevious: Double,
        cumulativeDistance: Double, trailName: String?, description: String
    ) {
        self.coordinate = coordinate
        self.direction = direction
        self.bearing = bearing
        self.distanceFromPrevious = distanceFromPrevious
        self.cumulativeDistance = cumulativeDistance
        self.trailName = trailName
        self.description = description
    }
}
