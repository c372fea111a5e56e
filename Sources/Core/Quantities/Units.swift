/// The dimension of a quantity.
public enum PhysicalDimension: String, Sendable, CaseIterable {
    /// Metres.
    case length
    /// Seconds.
    case duration
    /// Degrees.
    case angle
    /// Metres a second.
    case speed
    /// A ratio.
    case ratio
    /// Hertz.
    case frequency
    /// Seconds a metre: the inverse of a speed.
    case pace

    /// The dimension's name as error messages use it.
    public var name: String { rawValue }
}

/// A unit that can be written after a number. Stored as its index in the table of units, so that values with
/// units are copied as fast as numbers.
public struct MeasureUnit: Sendable, Hashable {
    private struct Definition {
        let symbol: String
        let dimension: PhysicalDimension
        let factor: Double
    }

    private let index: UInt8
    /// Whether a reader asked for this unit: it is then shown in every system of units.
    public private(set) var isChosen = false

    private init(index: UInt8) { self.index = index }

    /// As written, such as `km`.
    public var symbol: String { Self.table[Int(index)].symbol }
    /// Its dimension.
    public var dimension: PhysicalDimension { Self.table[Int(index)].dimension }
    /// Its size in base units.
    public var factor: Double { Self.table[Int(index)].factor }

    /// The same unit, as one that a reader asked for.
    public var chosen: MeasureUnit {
        var unit = self
        unit.isChosen = true
        return unit
    }

    /// Whether a value of the unit is written as minutes and seconds: `5:30/km`.
    var isClock: Bool { dimension == .pace && index != Self.secondPerMetre.index }

    /// Units are the same whether or not a reader asked for one of them.
    public static func == (left: MeasureUnit, right: MeasureUnit) -> Bool { left.index == right.index }

    /// As units are compared.
    public func hash(into hasher: inout Hasher) { hasher.combine(index) }

    /// Every unit of the language. `m` is always metres; minutes are `min`.
    public static let all = table.indices.map { MeasureUnit(index: UInt8($0)) }

    private static let table: [Definition] = [
        Definition(symbol: "m", dimension: .length, factor: 1),
        Definition(symbol: "km", dimension: .length, factor: 1000),
        Definition(symbol: "cm", dimension: .length, factor: 0.01),
        Definition(symbol: "mm", dimension: .length, factor: 0.001),
        Definition(symbol: "mi", dimension: .length, factor: 1609.344),
        Definition(symbol: "ft", dimension: .length, factor: 0.3048),
        Definition(symbol: "yd", dimension: .length, factor: 0.9144),
        Definition(symbol: "nmi", dimension: .length, factor: 1852),
        Definition(symbol: "s", dimension: .duration, factor: 1),
        Definition(symbol: "ms", dimension: .duration, factor: 0.001),
        Definition(symbol: "min", dimension: .duration, factor: 60),
        Definition(symbol: "h", dimension: .duration, factor: 3600),
        Definition(symbol: "d", dimension: .duration, factor: 86_400),
        Definition(symbol: "deg", dimension: .angle, factor: 1),
        Definition(symbol: "rad", dimension: .angle, factor: 180 / .pi),
        Definition(symbol: "m/s", dimension: .speed, factor: 1),
        Definition(symbol: "km/h", dimension: .speed, factor: 1 / 3.6),
        Definition(symbol: "mi/h", dimension: .speed, factor: 0.44704),
        Definition(symbol: "kn", dimension: .speed, factor: 1852.0 / 3600),
        Definition(symbol: "%", dimension: .ratio, factor: 0.01),
        Definition(symbol: "Hz", dimension: .frequency, factor: 1),
        Definition(symbol: "kHz", dimension: .frequency, factor: 1000),
        Definition(symbol: "min/km", dimension: .pace, factor: 60 / 1000),
        Definition(symbol: "min/mi", dimension: .pace, factor: 60 / 1609.344),
        Definition(symbol: "s/m", dimension: .pace, factor: 1),
    ]
}

extension MeasureUnit {
    /// The units that results are shown in, by their index in the table.
    static let metre = MeasureUnit(index: 0)
    static let kilometre = MeasureUnit(index: 1)
    static let mile = MeasureUnit(index: 4)
    static let foot = MeasureUnit(index: 5)
    static let second = MeasureUnit(index: 8)
    static let degree = MeasureUnit(index: 13)
    static let kilometrePerHour = MeasureUnit(index: 16)
    static let milePerHour = MeasureUnit(index: 17)
    static let percent = MeasureUnit(index: 19)
    static let hertz = MeasureUnit(index: 20)
    static let kilohertz = MeasureUnit(index: 21)
    static let minutePerKilometre = MeasureUnit(index: 22)
    static let minutePerMile = MeasureUnit(index: 23)
    static let secondPerMetre = MeasureUnit(index: 24)

    /// Alternative spellings, accepted as input and never printed.
    private static let spellings = [
        "°": "deg", "mph": "mi/h", "kph": "km/h", "kmh": "km/h", "min/mile": "min/mi",
    ]

    private static let bySymbol = Dictionary(uniqueKeysWithValues: all.map { ($0.symbol, $0) })

    /// The unit with a symbol or an alternative spelling.
    public static func named(_ symbol: String) -> MeasureUnit? { bySymbol[spellings[symbol] ?? symbol] }

    /// The units of a dimension.
    public static func of(_ dimension: PhysicalDimension) -> [MeasureUnit] {
        all.filter { $0.dimension == dimension }
    }
}

/// Whether lengths and speeds without a display unit are shown in metres or in feet and miles.
public enum UnitSystem: String, Sendable, CaseIterable {
    /// Metres and kilometres.
    case metric
    /// Feet and miles.
    case imperial

    /// The units in which a command's notes, warnings and errors name lengths: those of the session.
    @TaskLocal public static var ofMessages = UnitSystem.metric
}
