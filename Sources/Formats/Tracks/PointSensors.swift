/// What the sensors of a recorder measured at a point. An unknown value is `nil`, never 0.
///
/// Values take eight bytes each whether they are known or not, so that a recording of a million points stays compact.
public struct PointSensors: Sendable, Hashable {
    /// Beats a minute.
    @Measured public var heartRate: Double?
    /// Steps or turns a minute.
    @Measured public var cadence: Double?
    /// Watts.
    @Measured public var power: Double?
    /// Degrees Celsius of the air.
    @Measured public var temperature: Double?
    /// Metres a second, as the device measured it.
    @Measured public var speed: Double?
    /// Degrees from true north in which the device moved, 0 to below 360.
    @Measured public var course: Double?
    /// Metres by which the position may be wrong, as the device estimated it.
    @Measured public var accuracy: Double?
    /// Metres from the start, as the device counted them.
    @Measured public var distance: Double?

    /// Nothing measured.
    public init() {}

    /// A kind of measurement.
    public enum Kind: String, Sendable, CaseIterable {
        /// Beats a minute.
        case heartRate
        /// Steps or turns a minute.
        case cadence
        /// Watts.
        case power
        /// Degrees Celsius.
        case temperature
        /// Metres a second.
        case speed
        /// Degrees from true north.
        case course
        /// Metres.
        case accuracy
        /// Metres from the start.
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

    /// Which kinds some of the points have, in the order of all kinds.
    package static func kinds(of segments: [[GPXPoint]], unplaced: [UnplacedSample] = []) -> [Kind] {
        var known = PointSensors()
        for segment in segments { for point in segment { known.fill(point.sensors) } }
        for sample in unplaced { known.fill(sample.sensors) }
        return Kind.allCases.filter { known[$0] != nil }
    }

    /// Takes over what is not known here.
    private mutating func fill(_ other: PointSensors) {
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

/// A number that may be unknown, in eight bytes. A number that is not finite is stored as unknown.
@propertyWrapper
public struct Measured: Sendable, Hashable {
    /// The bits of a NaN that no calculation returns.
    private static let unknown = UInt64.max
    private var bits = Measured.unknown

    /// Unknown.
    public init() {}

    /// Takes over a number where none is known.
    fileprivate mutating func fill(_ other: Measured) {
        if bits == Self.unknown { bits = other.bits }
    }

    /// The number; `nil` where unknown.
    public var wrappedValue: Double? {
        get { bits == Self.unknown ? nil : Double(bitPattern: bits) }
        set {
            guard let newValue, newValue.isFinite else {
                bits = Self.unknown
                return
            }
            // −0 and 0 are the same measurement.
            bits = (newValue == 0 ? 0 : newValue).bitPattern
        }
    }
}
