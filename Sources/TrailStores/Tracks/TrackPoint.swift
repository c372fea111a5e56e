import CivilTime
import Geodesy

/// One recorded position.
public struct TrackPoint: Sendable, Hashable {
    /// Where; the altitude in metres where it was recorded.
    public var coordinate: Coordinate
    /// When; `nil` where no time was recorded.
    public var time: Timestamp?
    /// Beats a minute, where they were recorded.
    public var heartRate: Double?

    /// A recorded position.
    public init(coordinate: Coordinate, time: Timestamp?, heartRate: Double? = nil) {
        self.coordinate = coordinate
        self.time = time
        self.heartRate = heartRate
    }
}
