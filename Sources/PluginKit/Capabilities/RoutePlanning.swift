import Foundation
import Geodesy

/// Plans routes in the active region.
public protocol RoutePlanning: Capability {
    /// A request with the planner's usual costs for a mode.
    func request(over places: [Coordinate], mode: TravelMode) -> any RouteRequest
    /// The best route for a request; throws the errors of `route plan`.
    func plan(_ request: any RouteRequest, context: Context) async throws -> any TravelRoute
    /// The nearest point of a way that a request may use, at any distance; `nil` if unknown.
    func nearestWay(
        to coordinate: Coordinate, for request: any RouteRequest, context: Context
    ) async throws -> Coordinate?
}

extension RoutePlanning {
    /// By default, unknown.
    public func nearestWay(
        to coordinate: Coordinate, for request: any RouteRequest, context: Context
    ) async throws -> Coordinate? { nil }
}

/// The request of a route: its points, and all planner-specific settings that decide which ways are good.
///
/// A route carries its request, so that rerouting uses the same settings.
public protocol RouteRequest: Sendable {
    /// The coordinates of the start, of the points to pass in order, and of the end.
    var places: [Coordinate] { get set }
}

/// The travel mode.
public enum TravelMode: String, Sendable, Hashable, CaseIterable, Codable {
    /// On foot.
    case hiking
    /// By bicycle.
    case cycling
}

/// A walkable route from any planner.
public protocol TravelRoute: DomainObject {
    /// Its identifier.
    var id: UUID { get }
    /// Its name.
    var name: String { get }
    /// The travel mode.
    var mode: TravelMode { get }
    /// The line, with altitudes where they are known.
    var line: [Coordinate] { get }
    /// The instructions, from `start` to `arrive`.
    var turns: [TurnInstruction] { get }
    /// Length in metres.
    var distance: Double { get }
    /// Estimated time in seconds.
    var duration: Double { get }
    /// The request; `nil` if unknown.
    var request: (any RouteRequest)? { get }
}

extension TravelRoute {
    /// By default, unknown.
    public var request: (any RouteRequest)? { nil }
}

/// An instruction at a point of a route.
public struct TurnInstruction: Sendable, Hashable {
    /// The coordinate.
    public var coordinate: Coordinate
    /// The kind of turn.
    public var direction: TurnDirection
    /// The outgoing bearing in degrees.
    public var bearing: Double
    /// Metres from the previous instruction.
    public var distanceFromPrevious: Double
    /// Metres from the start.
    public var cumulativeDistance: Double
    /// The name of the outgoing way.
    public var trailName: String?
    /// The text.
    public var description: String

    /// Creates an instruction.
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
