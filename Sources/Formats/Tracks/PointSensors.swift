/// Sensor values at a point. An unknown value is `nil`, never 0. Values take eight bytes each, known or not,
/// so that a recording of a million points stays compact.
public struct PointSensors: Sendable, Hashable {
    /// Heart rate in beats per minute.
    @Measured public var heartRate: Double?
    /// Cadence in steps or revolutions per minute.
    @Measured public var cadence: Double?
    /// Power in watts.
    @Measured public var power: Double?
    /// Air temperature in degrees Celsius.
    @Measured public var temperature: Double?
    /// Speed in metres per second, as measured by the device.
    @Measured public var speed: Double?
    /// Direction of movement in degrees from true north, 0 to below 360.
    @Measured public var course: Double?
    /// Accuracy of the position in metres, as estimated by the device.
    @Measured public var accuracy: Double?
    /// Distance from the start in metres, as counted by the device.
    @Measured public var distance: Double?

    /// No values.
    public init() {}

    /// A kind of measurement.
    public enum Kind: String, Sendable, CaseIterable {
        /// In beats per minute.
        case heartRate
        /// In steps or revolutions per minute.
        case cadence
        /// In watts.
        case power
        /// In degrees Celsius.
        case temperature
        /// In metres per second.
        case speed
        /// In degrees from true north.
        case course
        /// In metres.
        case accuracy
        /// In metres from the start.
        case distance

        /// Its name in notices.
        public var words: String {
            switch self {
            case .heartRate: "heart rate"
            case .accuracy: "position accuracy"
            case .distance: "device distance"
            default: rawValue
            }
        }
    }

    /// The kinds that some of the points have, in the order of all kinds.
    package static func kinds(of segments: [[GPXPoint]], unplaced: [UnplacedSample] = []) -> [Kind] {
        var known = PointSensors()
        for segment in segments { for point in segment { known.fill(point.sensors) } }
        for sample in unplaced { known.fill(sample.sensors) }
        return Kind.allCases.filter { known[$0] != nil }
    }

    /// Fills unknown values from another set.
    mutating func fill(_ other: PointSensors) {
        _heartRate.fill(other._heartRate)
        _cadence.fill(other._cadence)
        _power.fill(other._power)
        _temperature.fill(other._temperature)
        _speed.fill(other._speed)
        _course.fill(other._course)
        _accuracy.fill(other._accuracy)
        _distance.fill(other._distance)
    }

    /// The value of a kind.
    public subscript(kind: Kind) -> Double? {
        get {
            switch kind {
            case .heartRate: heartRate
            case .cadence: cadence
            case .power: power
            case .temperature: temperature
            case .speed: speed
            case .course: course
            case .accuracy: accuracy
            case .distance: distance
            }
        }
        set {
            switch kind {
            case .heartRate: heartRate = newValue
            case .cadence: cadence = newValue
            case .power: power = newValue
            case .temperature: temperature = newValue
            case .speed: speed = newValue
            case .course: course = newValue
            case .accuracy: accuracy = newValue
            case .distance: distance = newValue
            }
        }
    }
}

/// An optional number in eight bytes. A non-finite number is stored as unknown.
@propertyWrapper
public struct Measured: Sendable, Hashable {
    /// The bits of a NaN that no calculation produces.
    private static let unknown = UInt64.max
    private var bits = Measured.unknown

    /// Unknown.
    public init() {}

    /// Copies another number if this one is unknown.
    fileprivate mutating func fill(_ other: Measured) {
        if bits == Self.unknown { bits = other.bits }
    }

    /// The number; `nil` if unknown.
    public var wrappedValue: Double? {
        get { bits == Self.unknown ? nil : Double(bitPattern: bits) }
        set {
            guard let newValue, newValue.isFinite else {
                bits = Self.unknown
                return
            }
            // −0 and 0 are equal.
            bits = (newValue == 0 ? 0 : newValue).bitPattern
        }
    }
}

extension GPXLine {
    /// The names of the sensors that recorded it.
    public var sensorNames: [String] { PointSensors.kinds(of: segments, unplaced: unplaced).map(\.words) }
}
