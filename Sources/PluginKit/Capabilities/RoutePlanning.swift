import Foundation
import Geodesy

/// Plans routes in the region in use.
public protocol RoutePlanning: Capability {
    /// The best route for a request; throws what `route plan` would.
    func plan(_ request: RouteRequest, context: Context) async throws -> any TravelRoute
}

/// Where a route is to lead.
public struct RouteRequest: Sendable, Hashable {
    /// Where it begins.
    public var from: Coordinate
    /// Where it ends.
    public var to: Coordinate
    /// What it must pass, in order.
    public var via: [Coordinate]
    /// How one travels.
    public var mode: TravelMode

    /// A request.
    public init(from: Coordinate, to: Coordinate, via: [Coordinate] = [], mode: TravelMode = .hiking) {
        self.from = from
        self.to = to
        self.via = via
        self.mode = mode
    }
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
