import Geodesy

/// Draws tracks in the colours of a scale.
public struct TrackColoring: Sendable {
    /// The measure that is shown.
    public let measure: TrackMeasure
    private var segments: [(points: [Coordinate], values: [Double?])] = []

    /// Starts without tracks.
    public init(_ measure: TrackMeasure) { self.measure = measure }

    /// Adds the segments of a track.
    public mutating func add(_ segments: [[MeasuredPoint]]) {
        for segment in segments where segment.count > 1 {
            self.segments.append(
                (segment.map(\.coordinate.withoutAltitude), TrackMeasuring.values(segment, measure)))
        }
    }

    /// Whether there is a track at all.
    public var isEmpty: Bool { segments.isEmpty }

    /// Whether a value is known anywhere.
    public var isKnown: Bool { segments.contains { $0.values.contains { $0 != nil } } }

    /// The features: a casing, and above it each stretch in the colour of its class, from the lowest class to
    /// the highest. Stretches of unknown value are dashed in grey.
    public func features(units: ScaleUnits) -> [MapFeature] {
        let scale = TrackScale(
            measure, values: segments.lazy.flatMap(\.values).compactMap { $0 }, units: units)
        var pieces: [Int: [[Coordinate]]] = [:]
        for (points, values) in segments {
            var start = 0
            while start < values.count {
                let kind = values[start].map(scale.index) ?? scale.classes.count
                var end = start + 1
                while end < values.count, (values[end].map(scale.index) ?? scale.classes.count) == kind {
                    end += 1
                }
                pieces[kind, default: []].append(Array(points[start...end]))
                start = end
            }
        }
        let casing = MapLineStyle(stroke: TrackScale.casing, layer: MapLayer.track)
        var features = segments.map { MapFeature.line($0.points, casing) }
        for (index, style) in (scale.classes + [scale.unknown]).enumerated() {
            features += (pieces[index] ?? []).map { .line($0, style) }
        }
        return features
    }
}

/// The classes that values are drawn in.
struct TrackScale {
    /// The styles of the classes, from the lowest to the highest.
    let classes: [MapLineStyle]
    /// Where the value is unknown.
    let unknown: MapLineStyle
    private let edges: [Double]

    /// From low to high: lighter and lighter, so that the order is visible without colour, too. Samples of the
    /// colour map viridis (van der Walt and Smith, 2015) between 0 and 0.88: its yellow end is invisible on a
    /// white casing.
    static let colors = [
        Color(0x440154), Color(0x414487), Color(0x2A788E), Color(0x35B779), Color(0x9FDA3A),
    ]
    /// The colour of unmeasured parts.
    static let unknownColor = Color(0x6B6B6B)
    static let width = 4.0
    static let casing = Stroke(.white, width: width + 2 * MapTheme.casingWidth)

    /// Per cent between classes of grade.
    private static let grades = [-15.0, -5, 5, 15]
    /// Shares of the values between which classes of a measured scale lie: outliers must not stretch it.
    private static let inner = (low: 0.05, high: 0.95)

    /// Classes for values in SI units.
    init(_ measure: TrackMeasure, values: [Double], units: ScaleUnits) {
        let unit: (name: String, factor: Double, least: Double) =
            switch measure {
            case .grade: ("%", 100, 0)
            case .speed: units == .metric ? ("km/h", 3.6, 0.5) : ("mph", 3600 / 1609.344, 0.5)
            case .heartRate: ("bpm", 1, 5)
            }
        var shown = Self.grades
        var middle = 0.0
        if measure != .grade {
            let sorted = values.sorted()
            func quantile(_ share: Double) -> Double {
                sorted.isEmpty ? 0 : sorted[Int((share * Double(sorted.count - 1)).rounded())] * unit.factor
            }
            let (low, high) = (quantile(Self.inner.low), quantile(Self.inner.high))
            middle = quantile(0.5)
            let step = RoundNumber.ceiling(max(unit.least, (high - low) / Double(Self.colors.count)))
            let first = (low / step).rounded(.down) + 1
            shown = (0..<Self.colors.count - 1).map { (first + Double($0)) * step }.filter { $0 < high }
        }
        edges = shown.map { $0 / unit.factor }
        let names = measure == .grade ? Self.gradeNames : Self.names(shown, unit.name, middle: middle)
        classes = names.enumerated().map { index, name in
            let place =
                names.count > 1
                ? Int((Double(index) * Double(Self.colors.count - 1) / Double(names.count - 1)).rounded()) : 2
            return MapLineStyle(
                stroke: Stroke(Self.colors[place], width: Self.width), layer: MapLayer.track, label: name,
                isExplained: true)
        }
        unknown = MapLineStyle(
            stroke: Stroke(Self.unknownColor, width: Self.width * 0.6, dash: [3, 5]), layer: MapLayer.track,
            label: "\(measure.words) unknown", isExplained: true)
    }

    /// The class of a value.
    func index(_ value: Double) -> Int { edges.count { value >= $0 } }

    private static let gradeNames = [
        "over 15 % down", "5–15 % down", "under 5 %", "5–15 % up", "over 15 % up",
    ]

    private static func names(_ edges: [Double], _ unit: String, middle: Double) -> [String] {
        let texts = edges.map { NumberText.decimal($0, places: 2) }
        guard let first = texts.first, let last = texts.last else {
            return ["\(NumberText.decimal(middle, places: 1)) \(unit)"]
        }
        return ["under \(first) \(unit)"] + zip(texts, texts.dropFirst()).map { "\($0)–\($1) \(unit)" }
            + ["from \(last) \(unit)"]
    }
}
