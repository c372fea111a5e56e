import Geodesy

/// Numbers of files that do not write them by the rules of their format.
enum RepairedNumber {
    /// Metres of units of length.
    static let lengths: [String: Double] = [
        "m": 1, "metres": 1, "meters": 1, "metre": 1, "meter": 1, "ft": LogSettings.foot,
        "feet": LogSettings.foot, "km": 1000, "mi": 1609.344,
    ]
    /// Metres per second of units of speed.
    static let speeds: [String: Double] = [
        "m/s": 1, "mps": 1, "km/h": 1 / 3.6, "kmh": 1 / 3.6, "kph": 1 / 3.6, "mph": 1609.344 / 3600,
        "kn": LogSettings.knot, "kt": LogSettings.knot, "kts": LogSettings.knot, "knots": LogSettings.knot,
    ]
    /// Units of measurements that have only one.
    static let others: [String: Double] = [
        "bpm": 1, "rpm": 1, "spm": 1, "w": 1, "watt": 1, "watts": 1, "°c": 1, "c": 1, "°": 1, "deg": 1,
    ]

    /// The units of a measurement.
    static func units(of kind: PointSensors.Kind) -> [String: Double] {
        switch kind {
        case .speed: speeds
        case .accuracy, .distance: lengths
        default: others
        }
    }

    /// The number before a unit, in the unit of the first of its kind; `nil` for a text of another form, and for a comma that may be one
    /// of thousands.
    static func withUnit(_ text: String, _ units: [String: Double], hasDecimalComma: Bool = false) -> Double?
    {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || "+-., ".contains($0)) }
        let unit = text.dropFirst(digits.count).lowercased().filter { !$0.isWhitespace && $0 != "." }
        guard !unit.isEmpty, let factor = units[unit] else { return nil }
        let number = digits.filter { $0 != " " }
        let isComma = hasDecimalComma || !isGrouped(number.utf8)
        return (DecimalBytes.decimal(number) ?? (isComma ? DecimalBytes.withComma(number.utf8) : nil))
            .map { $0 * factor }
    }

    /// Whether a comma stands before exactly three digits, as the one of thousands does.
    static func isGrouped(_ bytes: some BidirectionalCollection<UInt8>) -> Bool {
        bytes.lastIndex(of: UInt8(ascii: ",")).map { bytes.distance(from: $0, to: bytes.endIndex) == 4 }
            ?? false
    }

    /// What is said of angles in another notation.
    static let otherAngles = "coordinates in another notation than decimal degrees, read as what they say"

    /// The place of two angles with their own signs or letters: `47° 30' N`, `8.5E`.
    static func place(_ latitude: String, _ longitude: String) -> Coordinate? {
        let isMarked = (latitude + longitude).contains { $0.isLetter || "°'′\"″".contains($0) }
        guard isMarked,
            case .coordinate(let place, let notation)? = CoordinateText.read("\(latitude); \(longitude)"),
            notation == .decimal || notation == .sexagesimal, place.isValid
        else { return nil }
        return place
    }
}
