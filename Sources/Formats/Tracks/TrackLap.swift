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
    var maximumSpeed: Double?
    /// Kilocalories.
    public var calories: Double?
    /// Mean heart rate in beats per minute.
    public var averageHeartRate: Double?
    /// Maximum heart rate in beats per minute.
    public var maximumHeartRate: Double?
    /// Mean cadence in steps or revolutions per minute.
    var averageCadence: Double?
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

extension UnplacedSample {
    /// A part of an activity that a device summed up, with its metres if they are known.
    struct Span {
        var start: Timestamp
        var end: Timestamp
        var metres: Double?
    }

    /// The start of the first part and the end of each, with the way up to there.
    static func summaries(of spans: [Span]) -> [UnplacedSample] {
        guard let first = spans.map(\.start).min() else { return [] }
        var way: Double? = spans.allSatisfy { $0.metres != nil } ? 0 : nil
        func sample(_ time: Timestamp) -> UnplacedSample {
            var sensors = PointSensors()
            sensors.distance = way
            return UnplacedSample(time: time, altitude: nil, sensors: sensors)
        }
        var samples = [sample(first)]
        for span in spans.sorted(by: { $0.end < $1.end }) {
            way = way.map { $0 + (span.metres ?? 0) }
            samples.append(sample(span.end))
        }
        return samples
    }
}
