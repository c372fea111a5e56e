import CivilTime

/// A part of a recording between two presses of the lap button, with the device's own numbers.
public struct TrackLap: Sendable, Hashable, Codable {
    /// Milliseconds since 1970 at which it began.
    var startMilliseconds: Int64?
    /// Seconds with the timer running.
    public var seconds: Double?
    /// Seconds from its start to its end, pauses included.
    public var elapsed: Double?
    /// Metres.
    public var distance: Double?
    /// Highest speed in metres a second.
    public var maximumSpeed: Double?
    /// Kilocalories.
    public var calories: Double?
    /// Mean beats a minute.
    public var averageHeartRate: Double?
    /// Highest beats a minute.
    public var maximumHeartRate: Double?
    /// Mean steps or turns a minute.
    public var averageCadence: Double?
    /// Whether it was a rest, as TCX says.
    public var isRest = false
    /// What ended it: `manual`, `distance`, `time`, `location` or `heartrate`.
    public var trigger: String?

    /// A lap of which nothing is known.
    public init() {}

    /// When it began.
    public var start: Timestamp? {
        get { startMilliseconds.map(Timestamp.init(milliseconds:)) }
        set { startMilliseconds = newValue?.milliseconds }
    }
}

/// A measurement at a moment for which the recorder had no position.
public struct UnplacedSample: Sendable, Hashable {
    /// When.
    public var time: Timestamp
    /// Metres above sea level.
    public var altitude: Double?
    /// What the sensors measured.
    public var sensors: PointSensors

    /// A measurement without a position.
    public init(time: Timestamp, altitude: Double?, sensors: PointSensors) {
        self.time = time
        self.altitude = altitude
        self.sensors = sensors
    }
}
