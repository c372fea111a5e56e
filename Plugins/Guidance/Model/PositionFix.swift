import CivilTime
import Geodesy

/// What a receiver tells at a moment.
public struct PositionFix: Sendable, Hashable {
    /// Where.
    public var coordinate: Coordinate
    /// When.
    public var time: Timestamp
    /// Standard deviation in metres, where it is known.
    public var accuracy: Double?
    /// Metres a second, where it is known.
    public var speed: Double?
    /// The direction of movement in degrees from north, where it is known.
    public var course: Double?

    /// A fix.
    public init(
        _ coordinate: Coordinate, time: Timestamp, accuracy: Double? = nil, speed: Double? = nil,
        course: Double? = nil
    ) {
        self.coordinate = coordinate
        self.time = time
        self.accuracy = accuracy
        self.speed = speed
        self.course = course
    }
}
