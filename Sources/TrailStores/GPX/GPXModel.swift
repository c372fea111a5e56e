import CivilTime
import Geodesy

/// A point of a GPX file with what it says about itself.
public struct GPXPoint: Sendable, Hashable {
    /// Where; the altitude from `ele`, in metres.
    public var coordinate: Coordinate
    /// `time`
    public var time: Timestamp?
    /// `name`
    public var name: String?
    /// `desc`, or `cmt` where there is no `desc`.
    public var description: String?
    /// `sym`
    public var symbol: String?
    /// `type`
    public var type: String?
    /// Beats a minute, from the Garmin TrackPointExtension.
    public var heartRate: Double?

    /// A point.
    public init(
        coordinate: Coordinate, time: Timestamp? = nil, name: String? = nil, description: String? = nil,
        symbol: String? = nil, type: String? = nil, heartRate: Double? = nil
    ) {
        self.coordinate = coordinate
        self.time = time
        self.name = name
        self.description = description
        self.symbol = symbol
        self.type = type
        self.heartRate = heartRate
    }
}

/// A route or track of a GPX file.
public struct GPXLine: Sendable, Hashable {
    /// `name`
    public var name: String?
    /// `desc`
    public var description: String?
    /// `type`
    public var type: String?
    /// The points; a route has one segment.
    public var segments: [[GPXPoint]]

    /// A line.
    public init(
        name: String? = nil, description: String? = nil, type: String? = nil, segments: [[GPXPoint]] = []
    ) {
        self.name = name
        self.description = description
        self.type = type
        self.segments = segments
    }
}

/// The content of a GPX file.
public struct GPXDocument: Sendable, Hashable {
    /// The name in the metadata.
    public var name: String?
    /// The time in the metadata.
    public var time: Timestamp?
    /// `wpt`
    public var waypoints: [GPXPoint] = []
    /// `rte`
    public var routes: [GPXLine] = []
    /// `trk`
    public var tracks: [GPXLine] = []

    /// A file with nothing in it.
    public init() {}
}

/// Limits of the GPX reader.
public enum GPXSettings {
    /// Bytes read at a time.
    static let chunk = 256 << 10
    /// Bytes of text in one element.
    static let longestText = 1 << 20
    /// How deep elements may be nested.
    static let deepest = 64
    /// Points between two looks at cancellation.
    static let checkInterval = 1000
}
