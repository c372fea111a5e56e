import CivilTime
import Geodesy

/// A measured position.
public struct PositionFix: Sendable, Hashable {
    /// The coordinate.
    public var coordinate: Coordinate
    /// The time of measurement.
    public var time: Timestamp
    /// Standard deviation in metres, if known.
    var accuracy: Double?
    /// Metres a second, if known.
    var speed: Double?
    /// The direction of movement in degrees from north, if known.
    var course: Double?
    /// Whether a later fix was delivered with it: the walker is farther on, so nothing is announced at this one.
    var isFollowed = false

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
