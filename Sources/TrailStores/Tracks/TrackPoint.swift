import CivilTime
import Geodesy

/// One recorded position.
public struct TrackPoint: Sendable, Hashable {
    /// The coordinate, with the altitude in metres if recorded.
    public var coordinate: Coordinate
    /// The time; `nil` if not recorded.
    public var time: Timestamp?
    /// Heart rate in beats per minute, if recorded.
    public var heartRate: Double?

    /// A recorded position.
    public init(coordinate: Coordinate, time: Timestamp?, heartRate: Double? = nil) {
        self.coordinate = coordinate
        self.time = time
        self.heartRate = heartRate
    }
}
