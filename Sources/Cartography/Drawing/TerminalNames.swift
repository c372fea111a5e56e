import Core
import Pictures

/// The candidate names of a terminal map, the most important first.
///
/// Cells cannot show rotated letters: the name of a street or a river is written where its line is nearly
/// level for the length of the name.
struct TerminalNames {
    let frame: MapProjection
    let zoom: Double
    let units: ScaleUnits
    private(set) var symbols: [TerminalSymbol] = []
    private var written: [String: [ScenePoint]] = [:]

    /// The maximum number of names that are tried.
    private static let most = 120
    /// The minimum distance between equal names in each direction, in points: half a narrow terminal.
    private static let repetition = 320.0
    /// The same for features with a symbol.
    private static let signRepetition = 40.0
    /// The maximum rise of a line under its name, in points: two rows.
    private static let mostRise = 32.0

    init(frame: MapProjection, zoom: Double, units: ScaleUnits) {
        self.frame = frame
        self.zoom = zoom
        self.units = units
    }

    mutating func add(_ features: [Int: [DrawnFeature]], _ style: MapStyle) throws {
        for rule in style.labels where rule.zooms.contains(zoom) {
            try Interruption.check()
            for feature in LabelDrawing.ordered(features[rule.kind] ?? []) {
                guard symbols.count < Self.most else { return }
                guard let name = feature.name else { continue }
                if rule.place == .along {
                    addLine(feature, name, rule)
                } else {
                    addPlace(feature, name, rule, style)
                }
            }
        }
    }

    private mutating func addPlace(
        _ feature: DrawnFeature, _ name: String, _ rule: LabelRule, _ style: MapStyle
    ) {
        guard let place = feature.place ?? feature.parts.first?.first else { return }
        let at = frame.point(place)
        guard frame.rect(margin: 0).contains(at),
            isNew(name, at, rule.place == .beside ? Self.signRepetition : Self.repetition)
        else { return }
        let sign = style.symbols.first { $0.kind == rule.kind }?.shape.characters ?? (symbol: "•", ascii: "o")
        let height = rule.hasValue ? feature.height(units).map { " " + $0 } ?? "" : ""
        symbols.append(
            TerminalSymbol(
                at: at, symbol: sign.symbol, ascii: sign.ascii, color: rule.color, label: name + height))
    }

    private mutating func addLine(_ feature: DrawnFeature, _ name: String, _ rule: LabelRule) {
        let width = Double(DisplayWidth.of(name)) * PictureSettings.cellWidth
        guard width > 0 else { return }
        for part in feature.parts {
            for line in SceneClipping.line(frame.line(part), in: frame.rect(margin: 0)) {
                guard let at = Self.place(width, on: LabelLine(line)), isNew(name, at, Self.repetition)
                else { continue }
                var symbol = TerminalSymbol(at: at, symbol: " ", ascii: " ", color: rule.color)
                symbol.words = name
                symbols.append(symbol)
            }
        }
    }

    /// Whether the name is not written nearby; records it then.
    private mutating func isNew(_ name: String, _ at: ScenePoint, _ distance: Double) -> Bool {
        let places = written[name, default: []]
        if places.contains(where: { abs($0.x - at.x) < distance && abs($0.y - at.y) < distance }) {
            return false
        }
        written[name] = places + [at]
        return true
    }

    /// The centre of the level stretch of a width that is nearest to the middle of the line.
    private static func place(_ width: Double, on line: LabelLine) -> ScenePoint? {
        guard line.length >= width else { return nil }
        let middle = (line.length - width) / 2
        let starts = stride(from: 0, through: line.length - width, by: PictureSettings.cellWidth)
        for start in starts.sorted(by: { abs($0 - middle) < abs($1 - middle) }) {
            if let place = level(width, from: start, on: line) { return place }
        }
        return nil
    }

    /// The centre of the stretch that begins at a distance, if the stretch is level.
    private static func level(_ width: Double, from start: Double, on line: LabelLine) -> ScenePoint? {
        let first = line.point(start)
        var (low, high) = (first.y, first.y)
        var distance = start
        while distance < line.length {
            distance = min(line.length, distance + PictureSettings.cellWidth)
            let point = line.point(distance)
            (low, high) = (min(low, point.y), max(high, point.y))
            guard high - low <= mostRise else { return nil }
            if abs(point.x - first.x) >= width { return line.point((start + distance) / 2) }
        }
        return nil
    }
}
