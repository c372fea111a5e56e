import Foundation
import Geodesy
import Pictures
import PluginKit

/// A round compass with all beacons on its rim and the heading on top.
struct CompassDrawing: FieldedObject, SelfRendering {
    private enum Look {
        /// Margin above and below the rim.
        static let room = 50.0
        /// Margin beside the longest label.
        static let margin = 8.0
        static let radius = 140.0
        static let tick = 8.0
        static let longTick = 14.0
        static let dot = 7.0
        /// Where labels begin, beyond the rim.
        static let labelGap = 26.0
        static let textSize = 12.0
        /// Factor of the estimated width for bold letters.
        static let boldness = 1.3
        static let titleSize = 14.0
        static let tickStep = 30
        static let rim = Color(0x8A94A0)
        /// Pixels of a row in the terminal: labels a line apart are in separate rows.
        static let row = 17.3
    }

    /// A beacon in the drawing.
    struct Item {
        let heard: HeardObject
        /// Whether it is enabled and within the limit of sources.
        let isEnabled: Bool
        let isHeard: Bool
    }

    let heading: Double
    let items: [Item]
    let notice: String?

    var typeName: String { "compass" }
    var summary: String { "compass" }

    static let fields = FieldTable<Self> {
        Field("heading") { .quantity(.direction($0.heading)) }
        Field("beacons") { .table(objects: $0.items.map(\.heard), columns: HeardObject.columns) }
    }

    func rendered(in environment: Environment) -> String {
        let style = TerminalStyle(isUnicode: environment.unicode, isColored: environment.color)
        let scene = scene
        let rows = Int((scene.size.height / Look.row).rounded())
        let drawing = SceneTerminal.render(scene, columns: environment.width, rows: rows, style: style)
        return notice.map { drawing + "\n" + $0 } ?? drawing
    }

    /// The picture.
    var scene: Scene {
        let around = items.filter { !$0.heard.placement.hasArrived }
        let layout = CompassLayout(around.map(\.heard.placement.relative), radius: Look.radius)
        let half = max(Look.radius, layout.reach) + Look.room
        let size = SceneSize(width: width, height: 2 * half)
        var scene = Scene(size: size, title: "Beacons, heading \(degrees(heading))")
        let center = ScenePoint(width / 2, half - Look.titleSize)
        scene.add(
            .circle(center: center, radius: Look.radius, fill: nil, stroke: Stroke(Look.rim, width: 1.5)))
        for angle in stride(from: 0, to: 360, by: Look.tickStep) { addTick(Double(angle), center, &scene) }
        addListener(center, &scene)
        for (index, item) in around.enumerated() {
            add(item, index: index, at: layout.spots[index], around: center, to: &scene)
        }
        for (index, item) in items.filter(\.heard.placement.hasArrived).enumerated() {
            addArrived(item, index, center, &scene)
        }
        scene.add(
            .text(
                TextShape(
                    "heading \(degrees(heading)) from true north", at: ScenePoint(width / 2, size.height - 8),
                    size: Look.titleSize, anchor: .middle, color: .faint)))
        return scene
    }

    /// Wide enough for the longest label on either side.
    private var width: Double {
        let longest = items.map { TextShape.estimatedWidth(of: label($0), size: Look.textSize) }.max() ?? 0
        return 2 * (Look.radius + Look.labelGap + longest * Look.boldness + Look.margin)
    }

    private func point(_ relative: Double, _ radius: Double, _ center: ScenePoint) -> ScenePoint {
        ScenePoint(
            center.x + radius * sin(relative.radians), center.y - radius * cos(relative.radians))
    }

    private func addTick(_ bearing: Double, _ center: ScenePoint, _ scene: inout Scene) {
        let relative = bearing - heading
        let names = [0: "N", 90: "E", 180: "S", 270: "W"]
        let name = names[Int(bearing)]
        let inner = Look.radius - (name == nil ? Look.tick : Look.longTick)
        scene.add(
            .polyline(
                [point(relative, inner, center), point(relative, Look.radius, center)],
                Stroke(Look.rim, width: 1.5)))
        guard let name else { return }
        let at = point(relative, Look.radius - 2 * Look.longTick, center)
        let text = TextShape(
            name, at: ScenePoint(at.x, at.y + Look.textSize / 3), size: Look.textSize, anchor: .middle,
            color: .faint, weight: .bold)
        scene.add(.text(text), z: 1)
    }

    /// The listener in the middle, looking up.
    private func addListener(_ center: ScenePoint, _ scene: inout Scene) {
        let size = 14.0
        let arrow = [
            ScenePoint(center.x, center.y - size), ScenePoint(center.x + size * 0.6, center.y + size * 0.8),
            ScenePoint(center.x, center.y + size * 0.4),
            ScenePoint(center.x - size * 0.6, center.y + size * 0.8),
        ]
        scene.add(
            .symbol(
                TerminalSymbol(at: center, symbol: "▲", ascii: "^", color: .ink),
                drawing: [
                    SceneElement(shape: .polygon([arrow], fill: Fill(.ink), stroke: nil))
                ]), z: 2)
    }

    /// A reached beacon, which has no direction: drawn in a column below the listener.
    private func addArrived(_ item: Item, _ index: Int, _ center: ScenePoint, _ scene: inout Scene) {
        let color = color(item)
        let words = label(item)
        let at = ScenePoint(center.x, center.y + 34 + Double(index) * CompassLayout.lineHeight)
        scene.add(
            .symbol(
                TerminalSymbol(at: at, symbol: "◎", ascii: "O", color: color, label: words),
                drawing: [
                    SceneElement(
                        shape: .circle(
                            center: at, radius: Look.dot, fill: nil, stroke: Stroke(color, width: 3))),
                    SceneElement(
                        shape: .text(
                            TextShape(
                                words, at: ScenePoint(at.x + Look.labelGap, at.y + 4),
                                size: Look.textSize, color: color, halo: .white))),
                ]), z: 3)
    }

    /// A dot on the rim beside others, with leaders to its true direction and to its label.
    private func add(
        _ item: Item, index: Int, at spot: CompassLayout.Spot, around center: ScenePoint,
        to scene: inout Scene
    ) {
        let color = color(item)
        let isHollow = item.heard.placement.isBehind || !item.isHeard
        let truly = point(spot.bearing, Look.radius - Look.tick, center)
        let at = point(spot.drawn, Look.radius, center)
        let side = spot.isRight ? 1.0 : -1.0
        let start = ScenePoint(center.x + side * (Look.radius + Look.labelGap - 4), center.y + spot.labelY)
        scene.add(
            .symbol(
                TerminalSymbol(
                    at: at, symbol: isHollow ? "○" : "●", ascii: isHollow ? "o" : "*", color: color),
                drawing: [
                    SceneElement(
                        shape: .polyline(
                            [center, truly, at], Stroke(color, width: 1, dash: [2, 4], opacity: 0.7))),
                    SceneElement(shape: .polyline([at, start], Stroke(color, width: 0.8, opacity: 0.8))),
                    SceneElement(
                        shape: .circle(
                            center: at, radius: Look.dot, fill: Fill(isHollow ? .white : color),
                            stroke: Stroke(color, width: 2.5))),
                ]), z: 3, id: "beacon-\(index)")
        scene.add(
            .text(
                TextShape(
                    label(item), at: ScenePoint(start.x + side * 4, start.y + Look.textSize / 3),
                    size: Look.textSize, anchor: spot.isRight ? .start : .end, color: color, weight: .bold,
                    halo: .white)), z: 4)
    }

    private func color(_ item: Item) -> Color { item.isEnabled ? Color(item.heard.source.color) : Look.rim }

    private func label(_ item: Item) -> String {
        let name = item.heard.source.name
        let distance = item.heard.placement.distance.map { " " + Literal.quantity(.metres($0)) } ?? ""
        return name + distance + (item.isEnabled ? (item.isHeard ? "" : " (omitted)") : " (off)")
    }

    private func degrees(_ value: Double) -> String { Literal.quantity(.direction(value)) }
}
