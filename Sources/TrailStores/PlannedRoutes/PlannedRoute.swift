import CivilTime
import Foundation
import Geodesy
import PluginKit

/// A planned route as the apps keep it: everything that is needed to walk it, without the graph it came from.
public struct PlannedRoute: Sendable, Hashable {
    /// Its identifier, and the name of its file.
    public var id: UUID
    /// What it is called.
    public var name: String
    /// How one travels.
    public var mode: TravelMode
    /// Where it begins.
    public var start: Coordinate
    /// Where it ends.
    public var end: Coordinate
    /// The places it was made to pass, in order.
    public var via: [Coordinate]
    /// The line.
    public var coordinates: [Coordinate]
    /// What to do where.
    public var turns: [TurnInstruction]
    /// Length in metres.
    public var distance: Double
    /// Estimated time in seconds.
    public var duration: Double
    /// Metres climbed.
    public var gain: Double
    /// Metres descended.
    public var loss: Double
    /// When it was made.
    public var createdAt: Timestamp
    /// The region it was planned in.
    public var regionID: String?
    /// Heights along it, where they are known.
    public var profile: [ElevationPoint]?
    /// When it was last changed.
    public var modifiedAt: Timestamp?
    /// The cloud's identifier of it.
    public var cloudKitRecordID: String?

    /// A route without the parts that may be missing.
    public init(
        id: UUID, name: String, mode: TravelMode, start: Coordinate, end: Coordinate, via: [Coordinate] = [],
        coordinates: [Coordinate], turns: [TurnInstruction] = [], distance: Double, duration: Double,
        gain: Double, loss: Double, createdAt: Timestamp
    ) {
        self.id = id
        self.name = name
        self.mode = mode
        self.start = start
        self.end = end
        self.via = via
        self.coordinates = coordinates
        self.turns = turns
        self.distance = distance
        self.duration = duration
        self.gain = gain
        self.loss = loss
        self.createdAt = createdAt
    }
}

/// A height on the way.
public struct ElevationPoint: Sendable, Hashable {
    /// Metres from the start.
    public var distance: Double
    /// Metres above sea level.
    public var elevation: Double

    /// A height at a distance.
    public init(distance: Double, elevation: Double) {
        self.distance = distance
        self.elevation = elevation
    }
}
