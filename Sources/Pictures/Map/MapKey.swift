import Geodesy

/// The legend of a map in a file: a sample of each kind of line and point. It is drawn if points have a kind,
/// as in pictures of algorithms, if colours are a scale, or if the base map needs an explanation; other maps
/// have labels instead.
struct MapKey {
    /// A sample and its label.
    enum Entry: Hashable {
        case line(Stroke, String)
        case point(MapPointStyle, String)
        case ground(LegendEntry)

        var words: String {
            switch self {
            case .line(_, let words), .point(_, let words): words
            case .ground(let entry): entry.words
            }
        }
    }

    let entries: [Entry]
    /// The fill of the strip.
    private let paper: Color

    private static let row = 15.0
    private static let sample = LegendEntry.sample.width
    /// Backgrounds darker than this get light letters.
    private static let dark = 0.4
    private static let pad = 6.0
    private static let size = MapTheme.smallSize + 1

    /// The legend of the features visible in `view`; without a view, of all features.
    init(_ features: [MapFeature], ground: GroundDrawing? = nil, view: MapView? = nil) {
        paper = ground?.color ?? .white
        func isShown(_ line: [Coordinate]) -> Bool { view.map { !$0.runs(of: line).isEmpty } ?? true }
        func isShown(_ coordinate: Coordinate) -> Bool {
            view.map { coordinate.isOnMercator && $0.visible.contains($0.point(for: coordinate)) } ?? true
        }
        var entries: [Entry] = []
        var seen: Set<String> = []
        var namesKinds = false
        for feature in features {
            switch feature {
            case .route(let line) where ground != nil && !seen.contains("line " + MapTheme.route.label):
                guard isShown(line) else { continue }
                seen.insert("line " + MapTheme.route.label)
                entries.append(.line(MapTheme.narrowRoute.stroke, MapTheme.route.label))
            case .track(let line) where ground != nil && !seen.contains("line " + MapTheme.track.label):
                guard isShown(line) else { continue }
                seen.insert("line " + MapTheme.track.label)
                entries.append(.line(MapTheme.narrowTrack.stroke, MapTheme.track.label))
            case .line(let line, let style) where !style.label.isEmpty:
                guard !seen.contains("line " + style.label), isShown(line) else { continue }
                seen.insert("line " + style.label)
                entries.append(.line(style.stroke, style.label))
                namesKinds = namesKinds || style.isExplained
            case .point(let place, var style):
                guard let kind = style.legend, !kind.isEmpty, isShown(place) else { continue }
                namesKinds = true
                style.label = ""
                if seen.insert("point " + kind).inserted { entries.append(.point(style, kind)) }
            default: break
            }
        }
        self.entries = namesKinds || ground != nil ? entries + (ground?.legend ?? []).map(Entry.ground) : []
    }

    /// Draws the legend in a strip below the map.
    func add(below scene: inout Scene) {
        guard !entries.isEmpty else { return }
        let top = scene.size.height
        var parts = layout(width: scene.size.width, top: top)
        scene.size.height += Double(parts.rows) * Self.row + Self.pad
        let strip = SceneRect(x: 0, y: top, width: scene.size.width, height: scene.size.height - top)
        parts.shapes.insert(.polygon([strip.corners], fill: Fill(paper), stroke: nil), at: 0)
        scene.add(
            .group(parts.shapes.map { SceneElement(shape: $0) }, clip: nil), z: MapLayer.compass, id: "legend"
        )
    }

    /// The entries in rows, as many in each as fit.
    private func layout(width: Double, top: Double) -> (shapes: [SceneShape], rows: Int) {
        var shapes: [SceneShape] = []
        var (x, row) = (Self.pad, 0)
        for entry in entries {
            let text = TextShape.estimatedWidth(of: entry.words, size: Self.size)
            let room = Self.sample + Self.pad + text + 2 * Self.pad
            if x > Self.pad, x + room > width { (x, row) = (Self.pad, row + 1) }
            let middle = top + Self.pad / 2 + (Double(row) + 0.5) * Self.row
            switch entry {
            case .line(let stroke, _):
                shapes.append(
                    .polyline([ScenePoint(x, middle), ScenePoint(x + Self.sample, middle)], stroke))
            case .point(var style, _):
                style.radius = min(style.radius, Self.row / 3)
                shapes.append(style.drawn(at: ScenePoint(x + Self.sample / 2, middle)))
            case .ground(let entry):
                shapes += entry.elements.map { $0.shape.moved(x + Self.sample / 2, middle) }
            }
            let at = ScenePoint(x + Self.sample + Self.pad, middle + Self.size * 0.36)
            let color = paper.luminance < Self.dark ? Color(0xE6E3DC) : .ink
            shapes.append(.text(TextShape(entry.words, at: at, size: Self.size, color: color)))
            x += room
        }
        return (shapes, row + 1)
    }
}
