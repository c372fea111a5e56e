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
    /// `cmt` where there is a `desc` too.
    public var comment: String?
    /// The address of the first `link` (in GPX 1.0 `url`).
    public var link: String?
    /// `sym`
    public var symbol: String?
    /// `type`
    public var type: String?
    /// Beats a minute, from the Garmin TrackPointExtension.
    public var heartRate: Double?
    /// What else it says, in the order of the schema, each kind once.
    public var details: [GPXDetail] = []

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
    /// `cmt`
    public var comment: String?
    /// `desc`
    public var description: String?
    /// `src`
    public var source: String?
    /// The address of the first `link` (in GPX 1.0 `url`).
    public var link: String?
    /// `number`
    public var number: Int?
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
    /// The description in the metadata.
    public var description: String?
    /// The author's name in the metadata.
    public var author: String?
    /// The time in the metadata.
    public var time: Timestamp?
    /// The keywords in the metadata, as they are written.
    public var keywords: String?
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
    package static let chunk = 256 << 10
    /// Bytes of text in one element.
    package static let longestText = 1 << 20
    /// How deep elements may be nested.
    package static let deepest = 64
    /// Points of a file that are read; they are kept in memory. A recording of 23 days, one a second, has as many.
    public static let mostPoints = 2_000_000
    /// Points between two looks at cancellation.
    package static let checkInterval = 1000
    /// Heart rates that the TrackPointExtension can hold, in beats a minute.
    package static let heartRates = 1.0...255.0
}
