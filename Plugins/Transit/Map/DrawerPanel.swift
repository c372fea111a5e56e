import Core
import Pictures

/// The attribution line of the map and the drawer below it, as shapes.
struct DrawerPanel {
    let status: String
    let drawer: Drawer?
    /// The lower edge of the map, in points.
    let top: Double
    let width: Double

    private static let line = 18.0
    private static let margin = 14.0
    private static let size = 11.0
    /// The left edges of the columns of a departure; the last one is aligned to the margin. Headsigns are
    /// truncated to make room for long line names.
    private static let columns = [14.0, 62, 120, 176, 480]
    private static let farthestHeadsign = 260.0
    private static let characterWidth = size * PictureSettings.characterWidth

    /// Points down.
    var height: Double { Self.line + 6 + Double(rows.count) * Self.line + (drawer == nil ? 0 : 14) }

    private struct Row {
        var cells: [(x: Double, text: String)]
        var end = ""
        var weight = TextWeight.normal
        var size = DrawerPanel.size
        var color = Color.ink
    }

    private var rows: [Row] {
        guard let drawer else { return [] }
        let facts = DrawerText(width: TransitSettings.mapColumns, isPlain: false)
        var rows = [Row(cells: [(Self.margin, drawer.stop.title)], weight: .bold, size: 15)]
        guard drawer.state != .collapsed else { return rows }
        rows.append(Row(cells: [(Self.margin, facts.badge(drawer.stop))], color: .faint))
        for note in facts.notes(drawer).flatMap(facts.wrapped) {
            rows.append(Row(cells: [(Self.margin, note)]))
        }
        var columns = Self.columns
        let longest = drawer.visible.map { DisplayWidth.of($0.route) }.max() ?? 0
        columns[3] = max(
            columns[3],
            min(columns[2] + Double(longest + 2) * Self.characterWidth, Self.farthestHeadsign))
        func fitted(_ text: String, _ column: Int) -> String {
            DisplayWidth.truncated(
                text, to: Int((columns[column + 1] - columns[column]) / Self.characterWidth) - 1)
        }
        for departure in drawer.visible {
            rows.append(
                Row(
                    cells: zip(
                        columns,
                        [
                            departure.clock, DepartureText.wait(departure), fitted(departure.route, 2),
                            fitted(departure.headsign, 3),
                            departure.platform.map { "pl. \($0)" } ?? "",
                        ]
                    ).map { ($0, $1) }, end: departure.status))
        }
        if drawer.state == .full {
            rows.append(
                Row(cells: [(Self.margin, "View all departures: \(drawer.viewAll)")], color: .faint))
        }
        return rows
    }

    var elements: [SceneElement] {
        var elements = [
            text(
                Row(cells: [(Self.margin, status)], color: .faint), Self.margin, status,
                y: top + Self.line - 4)
        ]
        guard drawer != nil else { return elements }
        var y = top + Self.line + 4
        let handle = [
            ScenePoint(width / 2 - 18, y), ScenePoint(width / 2 + 18, y),
        ]
        elements.append(
            SceneElement(shape: .polyline(handle, Stroke(Color(0xB6BEC9), width: 4)), id: "drawer"))
        y += 4
        for row in rows {
            y += Self.line
            for (x, words) in row.cells where !words.isEmpty { elements.append(text(row, x, words, y: y)) }
            if !row.end.isEmpty {
                elements.append(text(row, width - Self.margin, row.end, y: y, anchor: .end))
            }
        }
        return elements
    }

    private func text(
        _ row: Row, _ x: Double, _ words: String, y: Double, anchor: TextAnchor = .start
    ) -> SceneElement {
        SceneElement(
            shape: .text(
                TextShape(
                    words, at: ScenePoint(x, y), size: row.size, anchor: anchor, color: row.color,
                    weight: row.weight)))
    }
}
