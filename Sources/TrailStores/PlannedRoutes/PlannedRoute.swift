import CivilTime
import Foundation
import Geodesy
import PluginKit

/// A planned route as stored by the apps: everything needed to follow it, without the routing graph.
public struct PlannedRoute: Sendable, Hashable {
    /// Its identifier, and the name of its file.
    public var id: UUID
    /// Its name.
    public var name: String
    /// The travel mode.
    public var mode: TravelMode
    /// Its start.
    public var start: Coordinate
    /// Its end.
    public var end: Coordinate
    /// The required intermediate coordinates, in order.
    public var via: [Coordinate]
    /// The line.
    public var coordinates: [Coordinate]
    /// The turn instructions.
    public var turns: [TurnInstruction]
    /// Length in metres.
    public var distance: Double
    /// Estimated time in seconds.
    public var duration: Double
    /// Metres climbed.
    public var gain: Double
    /// Metres descended.
    public var loss: Double
    /// Creation time.
    public var createdAt: Timestamp
    /// The region of the route.
    public var regionID: String?
    /// Heights along it, if known.
    public var profile: [ElevationPoint]?
    /// Time of the last change.
    public var modifiedAt: Timestamp?
    /// Its identifier in the cloud.
    public var cloudKitRecordID: String?
    /// What its planning warned of, such as a grade at the limit; the apps do not read it.
    public var warnings: [String] = []
    /// What its file leaves in doubt, such as a key that is there twice; it is not saved with the route.
    public var doubts: [String] = []

    /// A route without the optional parts.
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

/// A height along the route.
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

extension PlannedRoute {
    /// What of it cannot be, in words: a place that is not on Earth, or a length or time below 0; `nil` if nothing is.
    package var impossible: String? {
        let lists = [
            ("startCoordinate", [start]), ("endCoordinate", [end]), ("viaPoints", via),
            ("coordinates", coordinates),
        ]
        for (name, list) in lists {
            for place in list where !place.isValid {
                let (latitude, longitude) = (Literal.number(place.latitude), Literal.number(place.longitude))
                return "\(name) has \(latitude), \(longitude), which is not on Earth"
            }
        }
        for (name, figure) in [("totalDistance", distance), ("estimatedDuration", duration)]
        where !figure.isFinite || figure < 0 {
            return "\(name) is \(Literal.number(figure)), which is impossible"
        }
        return nil
    }
}
