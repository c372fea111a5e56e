import Foundation
import Geodesy
import Pictures
import PluginKit

/// A round compass with the beacons on its rim and the heading on top.
struct CompassDrawing: SelfRendering {
    private enum Look {
        static let height = 380.0
        /// Room beside the longest label.
        static let margin = 8.0
        static let radius = 140.0
        static let tick = 8.0
        static let longTick = 14.0
        static let dot = 7.0
        static let labelGap = 16.0
        static let textSize = 12.0
        /// Factor of the estimated width for bold letters.
        static let boldness = 1.3
        static let titleSize = 14.0
        static let tickStep = 30
        static let rim = Color(0x8A94A0)
        /// Rows of the terminal's drawing.
        static let rows = 22
    }

    let heading: Double
    let sources: [HeardObject]
    let notice: String?

    var typeName: String { "compass" }
    var fieldNames: [String] { ["heading", "beacons"] }
    var summary: String { "compass" }

    func field(_ name: String) -> Value? {
        switch name {
        case "heading": .quantity(.degrees(heading))
        case "beacons": .table(objects: sources, columns: HeardObject.columns)
        default: nil
        }
    }

    func rendered(in environment: Environment) -> String {
        let style = TerminalStyle(
            glyphs: environment.unicode ? .braille : .plain, colors: environment.color ? .ansi256 : .none)
        let drawing = SceneTerminal.render(scene, columns: environment.width, rows: Look.rows, style: style)
        return notice.map { drawing + "\n" + $0 } ?? drawing
    }

    /// The picture.
    var scene: Scene {
        var scene = Scene(
            size: SceneSize(width: width, height: Look.height),
            title: "Beacons, heading \(degrees(heading))")
        let center = ScenePoint(width / 2, Look.height / 2 - Look.titleSize)
        scene.add(
            .circle(center: center, radius: Look.radius, fill: nil, stroke: Stroke(Look.rim, width: 1.5)))
        for angle in stride(from: 0, to: 360, by: Look.tickStep) { addTick(Double(angle), center, &scene) }
        addListener(center, &scene)
        for (index, source) in sources.enumerated() { add(source, index, center, &scene) }
        scene.add(
            .text(
                TextShape(
                    "heading \(degrees(heading))", at: ScenePoint(width / 2, Look.height - 8),
                    size: Look.titleSize, anchor: .middle, color: .faint)))
        return scene
    }

    /// Wide enough for the longest label on either side.
    private var width: Double {
        let longest = sources.map { TextShape.estimatedWidth(of: label($0), size: Look.textSize) }.max() ?? 0
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

    private func add(_ heard: HeardObject, _ index: Int, _ center: ScenePoint, _ scene: inout Scene) {
        let color = Color(heard.source.color)
        let words = label(heard)
        guard !heard.placement.hasArrived else {
            // No direction: in the middle, below the listener.
            let at = ScenePoint(center.x, center.y + 34 + Double(index) * 2)
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
                                    size: Look.textSize,
                                    color: color, halo: .white))),
                    ]), z: 3)
            return
        }
        let relative = heard.placement.relative
        let at = point(relative, Look.radius, center)
        let outside = point(relative, Look.radius + Look.labelGap, center)
        let side = sin(relative.radians)
        let anchor: TextAnchor = abs(side) < 0.25 ? .middle : side > 0 ? .start : .end
        let drop = Look.textSize * (0.35 - 0.55 * cos(relative.radians))
        scene.add(
            .symbol(
                TerminalSymbol(
                    at: at, symbol: heard.placement.isBehind ? "○" : "●", ascii: "o", color: color,
                    label: words),
                drawing: [
                    SceneElement(
                        shape: .polyline([center, at], Stroke(color, width: 1, dash: [2, 4], opacity: 0.7))),
                    SceneElement(
                        shape: .circle(
                            center: at, radius: Look.dot,
                            fill: Fill(heard.placement.isBehind ? .white : color),
                            stroke: Stroke(color, width: 2.5))),
                    SceneElement(
                        shape: .text(
                            TextShape(
                                words, at: ScenePoint(outside.x, outside.y + drop), size: Look.textSize,
                                anchor: anchor, color: color, weight: .bold, halo: .white))),
                ]), z: 3, id: "beacon-\(index)")
    }

    private func label(_ heard: HeardObject) -> String {
        guard let distance = heard.placement.distance else { return heard.source.name }
        return "\(heard.source.name) \(Literal.quantity(.metres(distance)))"
    }

    private func degrees(_ value: Double) -> String { Literal.quantity(.degrees(value)) }
}
