import CivilTime

/// A part of a recording between two presses of the lap button, with the device's figures.
public struct TrackLap: Sendable, Hashable, Codable {
    /// Start time in milliseconds since 1970.
    var startMilliseconds: Int64?
    /// Seconds with the timer running.
    public var seconds: Double?
    /// Seconds from its start to its end, including pauses.
    public var elapsed: Double?
    /// Distance in metres.
    public var distance: Double?
    /// Maximum speed in metres per second.
    public var maximumSpeed: Double?
    /// Kilocalories.
    public var calories: Double?
    /// Mean heart rate in beats per minute.
    public var averageHeartRate: Double?
    /// Maximum heart rate in beats per minute.
    public var maximumHeartRate: Double?
    /// Mean cadence in steps or revolutions per minute.
    public var averageCadence: Double?
    /// Whether it was a rest, according to TCX.
    public var isRest = false
    /// The trigger of its end: `manual`, `distance`, `time`, `location` or `heartrate`.
    public var trigger: String?

    /// A lap without known values.
    public init() {}

    /// Start time.
    public var start: Timestamp? {
        get { startMilliseconds.map(Timestamp.init(milliseconds:)) }
        set { startMilliseconds = newValue?.milliseconds }
    }
}

/// A measurement without a position.
public struct UnplacedSample: Sendable, Hashable {
    /// The time.
    public var time: Timestamp
    /// Metres above sea level.
    public var altitude: Double?
    /// The sensor values.
    public var sensors: PointSensors

    /// A measurement without a position.
    public init(time: Timestamp, altitude: Double?, sensors: PointSensors) {
        self.time = time
        self.altitude = altitude
        self.sensors = sensors
    }
}
