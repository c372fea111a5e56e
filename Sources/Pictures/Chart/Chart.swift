/// The kind of scale of an axis.
public enum ChartScale: String, Sendable, Hashable, CaseIterable {
    /// Numbers; ticks at 1, 2 or 5 times a power of ten.
    case number
    /// Seconds; ticks at round minutes and hours, written `1:30`.
    case duration
}

/// One axis of a chart.
public struct ChartAxis: Sendable, Hashable {
    /// The label; may be empty.
    public var label: String
    /// The unit its numbers are written in; may be empty.
    public var unit: String
    /// The factor applied to values before printing: 0.001 for metres shown as kilometres.
    public var factor: Double
    /// The kind of scale.
    public var scale: ChartScale
    /// The displayed range of the axis, in values; `nil` for all values.
    public var range: ClosedRange<Double>?

    /// Makes an axis.
    public init(
        _ label: String = "", unit: String = "", factor: Double = 1, scale: ChartScale = .number,
        range: ClosedRange<Double>? = nil
    ) {
        self.label = label
        self.unit = unit
        self.factor = factor
        self.scale = scale
        self.range = range
    }

    /// Distance in metres, written as metres, kilometres, feet or miles, whichever fits up to `longest`.
    public static func distance(longest: Double, units: ScaleUnits = .metric) -> ChartAxis {
        switch units {
        case .metric:
            longest >= 2_000
                ? ChartAxis("distance", unit: "km", factor: 0.001) : ChartAxis("distance", unit: "m")
        case .imperial:
            longest >= 1_609.344
                ? ChartAxis("distance", unit: "mi", factor: 1 / 1_609.344)
                : ChartAxis("distance", unit: "ft", factor: 1 / 0.3048)
        }
    }

    /// Time in seconds, written as seconds, minutes, or hours and minutes, whichever fits up to `longest`.
    public static func time(longest: Double) -> ChartAxis {
        switch longest {
        case ..<120: ChartAxis("time", unit: "s")
        case ..<5_400: ChartAxis("time", unit: "min", factor: 1 / 60)
        default: ChartAxis("time", unit: "h:mm", scale: .duration)
        }
    }

    /// Elevation in metres, written as metres or feet.
    public static func elevation(units: ScaleUnits = .metric) -> ChartAxis {
        units == .metric
            ? ChartAxis("elevation", unit: "m") : ChartAxis("elevation", unit: "ft", factor: 1 / 0.3048)
    }

    /// Label and unit as a title: `distance (km)`.
    var title: String {
        label.isEmpty || unit.isEmpty ? label + unit : "\(label) (\(unit))"
    }
}

/// A line of a chart.
public struct ChartSeries: Sendable, Hashable {
    /// The name in the legend.
    public var name: String
    /// The values. Non-finite values are gaps.
    public var points: [ScenePoint]
    /// The colour; `nil` uses the next colour of the palette.
    public var color: Color?
    /// Whether the area under the line is filled.
    public var isFilled: Bool

    /// Makes a line from points whose `x` and `y` are values.
    public init(_ name: String = "", points: [ScenePoint], color: Color? = nil, isFilled: Bool = false) {
        self.name = name
        self.points = points
        self.color = color
        self.isFilled = isFilled
    }
}

/// A marked value of x.
public struct ChartMark: Sendable, Hashable {
    /// The value on the x axis.
    public var x: Double
    /// The label; may be empty.
    public var label: String
    /// The colour.
    public var color: Color

    /// Makes a mark.
    public init(x: Double, label: String = "", color: Color = Color(0xE67E22)) {
        self.x = x
        self.label = label
        self.color = color
    }
}

/// A value of y to compare with, drawn as a line across.
public struct ChartThreshold: Sendable, Hashable {
    /// The value on the y axis.
    public var y: Double
    /// The label; may be empty.
    public var label: String
    /// The colour.
    public var color: Color

    /// Makes a threshold.
    public init(y: Double, label: String = "", color: Color = Color(0xE03131)) {
        self.y = y
        self.label = label
        self.color = color
    }
}

/// A line chart: an elevation profile, an error over time.
public struct Chart: Sendable, Hashable {
    /// The title; may be empty.
    public var title: String
    /// The horizontal axis.
    public var x: ChartAxis
    /// The vertical axis.
    public var y: ChartAxis
    /// The lines, the first lowest.
    public var series: [ChartSeries]
    /// Marked values of x.
    public var marks: [ChartMark]
    /// Values of y to compare with.
    public var thresholds: [ChartThreshold]

    /// Makes a chart.
    public init(
        title: String = "", x: ChartAxis = ChartAxis(), y: ChartAxis = ChartAxis(), series: [ChartSeries],
        marks: [ChartMark] = [], thresholds: [ChartThreshold] = []
    ) {
        self.title = title
        self.x = x
        self.y = y
        self.series = series
        self.marks = marks
        self.thresholds = thresholds
    }

    /// An elevation profile, filled under the line; parts are not joined. `length` are the metres of the whole way: where its
    /// heights are unknown the chart is empty, not cut off.
    public static func profile(
        title: String = "", parts: [[ProfilePoint]], length: Double? = nil, units: ScaleUnits = .metric,
        marks: [ChartMark] = []
    ) -> Chart {
        let gap = [ScenePoint(.nan, .nan)]
        let line = Array(
            parts.map { $0.map { ScenePoint($0.distance, $0.elevation) } }.joined(separator: gap))
        let known = line.map(\.x).filter(\.isFinite).max() ?? 0
        let longest = max(known, length ?? 0)
        let series = ChartSeries("elevation", points: line, color: ChartTheme.ground, isFilled: true)
        var distance = ChartAxis.distance(longest: longest, units: units)
        if length != nil, longest > 0 { distance.range = 0...longest }
        return Chart(
            title: title, x: distance, y: .elevation(units: units), series: [series], marks: marks)
    }
}

/// Colours and measures of charts.
enum ChartTheme {
    static let ground = Color(0x2F9E44)
    static let palette = [
        Color(0x2F7DE1), Color(0xF08C00), Color(0x2F9E44), Color(0x8E44AD), Color(0x0C8599), Color(0x795548),
    ]
    static let grid = Stroke(Color(0xE3E7EC), width: 1)
    static let axis = Stroke(Color(0x9AA3AF), width: 1)
    static let lineWidth = 2.2
    static let fillOpacity = 0.22
    /// Share of the dots under a line that a terminal sets.
    static let fillDensity = 0.07
    static let titleSize = 15.0
    static let textSize = 11.0
    static let margin = 16.0
    /// Minimum distance of two ticks in points.
    static let tickSpacing = (x: 80.0, y: 42.0)
    /// Minimum distance of two ticks in cells.
    static let tickCells = (x: 10, y: 3)
}
