import Core
import Geodesy

extension MapScene {
    /// Default rows of a map in a terminal, without its legend.
    public static let terminalRows = 20

    /// The map as lines of text with a legend below: scale, north, the lines, and the meaning of each symbol.
    ///
    /// At least 16 columns are used. The map is drawn as if the terminal were a page with 8 × 16 points a
    /// cell. The area of the view stays visible; the zoom changes if the page has another size.
    public func terminal(
        columns: Int = 80, rows: Int = terminalRows, style: TerminalStyle = .braille
    ) -> String {
        terminal(columns: columns, rows: rows, style: style, keepsZoom: false) {}
    }

    /// The same. With `keepsZoom` the zoom is unchanged, and the page shows the area that fits. `check` is
    /// called for every feature, and stops the drawing by throwing.
    public func terminal(
        columns: Int, rows: Int, style: TerminalStyle, keepsZoom: Bool, check: () throws -> Void
    ) rethrows -> String {
        try terminal(columns: columns, rows: rows, style: style, keepsZoom: keepsZoom, check: check) { _ in
            nil
        }
    }

    /// The same on a map that `ground` reduces to cells for the view.
    public func terminal(
        columns: Int, rows: Int, style: TerminalStyle, keepsZoom: Bool, check: () throws -> Void,
        ground: (MapView) throws -> TerminalGround?
    ) rethrows -> String {
        let columns = max(16, min(columns, PictureSettings.maximumCells))
        let rows = max(1, min(rows, PictureSettings.maximumCells))
        var map = self
        let page = SceneSize(
            width: Double(columns) * PictureSettings.cellWidth,
            height: Double(rows) * PictureSettings.cellHeight)
        map.view =
            keepsZoom ? MapView(center: view.center, zoom: view.zoom, size: page) : view.resized(to: page)
        let scene = try map.bareScene(check: check)
        let picture = try SceneTerminal.lines(
            scene, on: try ground(map.view), columns: columns, rows: rows, style: style, check: check)
        let legend = try MapLegend(map: map, scene: scene, columns: columns, style: style).lines(check)
        let title =
            furniture.title.isEmpty
            ? [] : [DisplayWidth.truncated(style.shown(furniture.title), to: columns)]
        return (title + picture + legend).joined(separator: "\n")
    }

}

/// The lines below a map in a terminal.
struct MapLegend {
    let map: MapScene
    /// The features as they are drawn.
    let scene: Scene
    let columns: Int
    let style: TerminalStyle

    private struct Entry {
        var symbol: String
        var color: Color
        var labels: [String]
    }

    private static let barCells = 16.0
    private static let maximumLines = 6
    private static let gap = 3

    func lines(_ check: () throws -> Void) rethrows -> [String] {
        [scale] + wrapped(lineEntries + (try symbolEntries(check))) + credits
    }

    private var isPlain: Bool { style.glyphs == .plain }

    private func shown(_ text: String) -> String { style.shown(text) }

    private var credits: [String] {
        let text = shown(map.furniture.attribution)
        return text.isEmpty
            ? [] : TextWrap.wrapped(text, to: columns).split(separator: "\n").map(String.init)
    }

    /// `├────────┤ 500 m   N ↑   center 42.5063,1.5218   zoom 13.2`, as much of it as fits.
    private var scale: String {
        let cell = map.view.metresPerPoint * PictureSettings.cellWidth
        var parts: [String] = []
        let units = map.furniture.scale ?? .metric
        if map.furniture.scale != nil, let bar = ScaleBar(notLongerThan: cell * Self.barCells, units: units) {
            let width = max(2, Int((bar.metres / cell).rounded()))
            let line = String(repeating: isPlain ? "-" : "─", count: width - 2)
            parts.append((isPlain ? "|\(line)|" : "├\(line)┤") + " " + bar.text)
        }
        if map.furniture.compass { parts.append(isPlain ? "N ^" : "N ↑") }
        let center = map.view.center
        let place = [center.latitude, center.longitude].map { NumberText.decimal($0, places: 4) }
        parts.append("center " + place.joined(separator: ","))
        parts.append("zoom " + NumberText.decimal(map.view.zoom, places: 1))
        var text = ""
        for part in parts {
            let longer = text.isEmpty ? part : text + "   " + part
            if DisplayWidth.of(longer) <= columns { text = longer }
        }
        return text
    }

    private var lineEntries: [Entry] {
        var entries: [Entry] = []
        for feature in map.features {
            guard let (line, style) = lineStyle(feature), !style.label.isEmpty else { continue }
            guard !map.view.runs(of: line).isEmpty, !entries.contains(where: { $0.labels == [style.label] })
            else { continue }
            entries.append(
                Entry(symbol: sample(style.stroke), color: style.stroke.color, labels: [style.label]))
        }
        return entries
    }

    private func lineStyle(_ feature: MapFeature) -> ([Coordinate], MapLineStyle)? {
        switch feature {
        case .route(let line): (line, MapTheme.route)
        case .track(let line): (line, MapTheme.track)
        case .line(let line, let style): (line, style)
        default: nil
        }
    }

    /// A piece of a line, three cells long.
    private func sample(_ stroke: Stroke) -> String {
        let cell = SceneSize(width: PictureSettings.cellWidth * 3, height: PictureSettings.cellHeight)
        var scene = Scene(size: cell, background: nil)
        let middle = cell.height * 0.4
        scene.add(.polyline([ScenePoint(0, middle), ScenePoint(cell.width - 0.01, middle)], stroke))
        let plain = TerminalStyle(glyphs: style.glyphs)
        return SceneTerminal.render(scene, columns: 3, rows: 1, style: plain)
    }

    /// One entry per character, with the labels it represents, in drawing order.
    private func symbolEntries(_ check: () throws -> Void) rethrows -> [Entry] {
        var entries: [Entry] = []
        var indexes: [String: Int] = [:]
        var seen: Set<String> = []
        for element in scene.ordered {
            try check()
            guard let (symbol, label) = symbol(element), map.view.visible.contains(symbol.at) else {
                continue
            }
            let character = symbol.words ?? String(isPlain ? symbol.ascii : symbol.symbol)
            let words = shown(label)
            guard !words.isEmpty, seen.insert(character + words).inserted else { continue }
            if let index = indexes[character] {
                entries[index].labels.append(words)
            } else {
                indexes[character] = entries.count
                entries.append(Entry(symbol: character, color: symbol.color, labels: [words]))
            }
        }
        return entries
    }

    private func symbol(_ element: SceneElement) -> (TerminalSymbol, String)? {
        switch element.shape {
        case .marker(let marker): (marker.terminalSymbol, marker.label)
        case .symbol(let symbol, _):
            element.z == MapLayer.heading
                ? nil : (symbol, element.id == "position" ? "position" : symbol.legend ?? symbol.label)
        default: nil
        }
    }

    private func wrapped(_ entries: [Entry]) -> [String] {
        var flow = LegendFlow(columns: columns, maximum: Self.maximumLines, style: style)
        for entry in entries {
            flow.begin(entry.symbol, color: entry.color)
            for (index, label) in entry.labels.enumerated() {
                flow.add(label + (index < entry.labels.count - 1 ? "," : ""))
            }
        }
        return flow.finished()
    }
}
