/// What a quantity measures.
public enum PhysicalDimension: String, Sendable, CaseIterable {
    /// Metres.
    case length
    /// Seconds.
    case duration
    /// Degrees.
    case angle
    /// Metres a second.
    case speed
    /// A share of one.
    case ratio
    /// Hertz.
    case frequency

    /// The dimension's name as error messages use it.
    public var name: String { rawValue }
}

/// A unit that can be written behind a number.
public struct MeasureUnit: Sendable, Hashable {
    /// As written, such as `km`.
    public let symbol: String
    /// What it measures.
    public let dimension: PhysicalDimension
    /// Base units in one of it.
    public let factor: Double
}

extension MeasureUnit {
    /// Every unit of the language. `m` is always metres; minutes are `min`.
    public static let all: [MeasureUnit] = [
        MeasureUnit(symbol: "m", dimension: .length, factor: 1),
        MeasureUnit(symbol: "km", dimension: .length, factor: 1000),
        MeasureUnit(symbol: "cm", dimension: .length, factor: 0.01),
        MeasureUnit(symbol: "mm", dimension: .length, factor: 0.001),
        MeasureUnit(symbol: "mi", dimension: .length, factor: 1609.344),
        MeasureUnit(symbol: "ft", dimension: .length, factor: 0.3048),
        MeasureUnit(symbol: "yd", dimension: .length, factor: 0.9144),
        MeasureUnit(symbol: "nmi", dimension: .length, factor: 1852),
        MeasureUnit(symbol: "s", dimension: .duration, factor: 1),
        MeasureUnit(symbol: "ms", dimension: .duration, factor: 0.001),
        MeasureUnit(symbol: "min", dimension: .duration, factor: 60),
        MeasureUnit(symbol: "h", dimension: .duration, factor: 3600),
        MeasureUnit(symbol: "d", dimension: .duration, factor: 86_400),
        MeasureUnit(symbol: "deg", dimension: .angle, factor: 1),
        MeasureUnit(symbol: "rad", dimension: .angle, factor: 180 / .pi),
        MeasureUnit(symbol: "m/s", dimension: .speed, factor: 1),
        MeasureUnit(symbol: "km/h", dimension: .speed, factor: 1 / 3.6),
        MeasureUnit(symbol: "mi/h", dimension: .speed, factor: 0.44704),
        MeasureUnit(symbol: "kn", dimension: .speed, factor: 1852.0 / 3600),
        MeasureUnit(symbol: "%", dimension: .ratio, factor: 0.01),
        MeasureUnit(symbol: "Hz", dimension: .frequency, factor: 1),
        MeasureUnit(symbol: "kHz", dimension: .frequency, factor: 1000),
    ]

    /// Other spellings, which are read and never written.
    private static let spellings = ["°": "deg", "mph": "mi/h"]

    private static let bySymbol = Dictionary(uniqueKeysWithValues: all.map { ($0.symbol, $0) })

    /// The unit with a symbol, or with another spelling of it.
    public static func named(_ symbol: String) -> MeasureUnit? { bySymbol[spellings[symbol] ?? symbol] }

    /// The units of a dimension.
    public static func of(_ dimension: PhysicalDimension) -> [MeasureUnit] {
        all.filter { $0.dimension == dimension }
    }
}

/// Whether lengths and speeds that no unit was written for are shown in metres or in feet and miles.
public enum UnitSystem: String, Sendable, CaseIterable {
    /// Metres and kilometres.
    case metric
    /// Feet and miles.
    case imperial
}
