import Foundation
import Geodesy
import Pictures
import PluginKit

/// The map below the overlay.
struct WatchMap: Sendable {
    /// The route.
    var line: [Coordinate]
    /// The fixes so far.
    var walked: [Coordinate] = []
    /// The centre of the map: the position, or before the first fix the start.
    var center: Coordinate
    /// Whether the centre is a measured position.
    var isPosition = true
    /// Degrees from north, if known.
    var heading: Double?
    /// Standard deviation of the position, metres, if known.
    var accuracy: Double?
}

/// The face of a watch: the map with the route and the track, above it the instruction and the progress.
struct WatchFace {
    let overlay: Overlay
    let map: WatchMap
    let units: UnitSystem

    /// Sizes in points of a screen of 45 mm, and colours. The route is purple and drawn below the track, as
    /// in the app.
    private enum Look {
        static let size = SceneSize(width: 198, height: 242)
        static let corner = 36.0
        static let margin = 10.0
        static let top = 62.0
        static let bottom = 44.0
        static let panel = Fill(.black, opacity: 0.78)
        static let warning = Fill(Color(0xC92A2A), opacity: 0.92)
        static let bar = 7.0
        static let done = Color(0x40C057)
        static let rest = Color(0x495057)
        static let dim = Color(0xCED4DA)
        static let distanceSize = 22.0
        static let textSize = 13.0
        static let factSize = 12.0
        static let creditSize = 6.0
        static let creditRoom = 18.0
        static let arrow = 17.0
        /// Metres shown around the position.
        static let sight = 150.0
        static let route = MapLineStyle(
            stroke: Stroke(Color(0x9C36B5), width: 6), casing: .white, layer: MapLayer.route)
        static let track = MapLineStyle(stroke: Stroke(Color(0xF08C00), width: 3), layer: MapLayer.track)
        /// Bézier handle of a quarter circle.
        static let roundness = 0.5523
    }

    /// The visible area.
    var view: MapView {
        MapView(
            fitting: BoundingBox(center: map.center, radius: Look.sight), size: Look.size, padding: 0,
            nearest: Self.nearest)
    }
    private static let nearest = 19.0

    /// The map alone.
    var ground: MapScene {
        var features: [MapFeature] = [.line(map.line, Look.route)]
        if map.walked.count > 1 { features.append(.line(map.walked, Look.track)) }
        if map.isPosition {
            features.append(.position(map.center, heading: map.heading, accuracy: map.accuracy))
        }
        return MapScene(
            view: view, features: features, furniture: MapFurniture(scale: nil, compass: false))
    }

    /// The whole face on a map.
    func scene(on base: any MapBacking) throws -> Scene {
        let map = ground
        var scene = try map.scene(check: { try Interruption.check() }) {
            try base.drawing(of: map.view, $0 + panels)
        }
        scene.title = overlay.summary
        addCredits(base.attribution, &scene)
        addInstruction(&scene)
        addProgress(&scene)
        scene.add(.path(corners, fill: Fill(.black), stroke: nil), z: Layer.frame)
        return scene
    }

    private enum Layer {
        static let panel = MapLayer.furniture
        static let text = MapLayer.furniture + 1
        static let frame = MapLayer.compass + 1
    }

    // MARK: Attribution

    /// Above the lower panel.
    private func addCredits(_ attribution: String, _ scene: inout Scene) {
        let credits = CreditLines(
            attribution, width: Look.size.width - Look.margin, size: Look.creditSize)
        let at = ScenePoint(Look.size.width / 2, Look.size.height - Look.bottom - Look.creditSize / 2)
        for text in credits.texts(at: at, anchor: .middle, color: .ink, halo: .white) {
            scene.add(.text(text), z: Layer.text)
        }
    }

    private var panels: [SceneRect] {
        let size = Look.size
        return [
            SceneRect(x: 0, y: 0, width: size.width, height: Look.top),
            SceneRect(
                x: 0, y: size.height - Look.bottom - Look.creditRoom, width: size.width,
                height: Look.bottom + Look.creditRoom),
        ]
    }

    // MARK: The instruction

    private func addInstruction(_ scene: inout Scene) {
        let words = overlay.facts(units)
        let warning = overlay.warning
        panel(0, Look.top, warning?.isOffRoute == true ? Look.warning : Look.panel, &scene)
        let left = Look.margin + Look.corner / 3
        let arrow = ScenePoint(left + Look.arrow, Look.top / 2)
        let drawing = WatchArrow(overlay.direction, at: arrow, size: Look.arrow)
        for shape in warning == nil ? drawing.shapes : drawing.warning {
            scene.add(shape, z: Layer.text)
        }
        let x = arrow.x + Look.arrow + Look.margin
        let room = Look.size.width - x - Look.margin
        let distance = warning == nil ? words.distance : words.warningDistance
        let text = warning?.text ?? overlay.text
        if let distance {
            add(
                distance, x: x, y: Look.distanceSize + 4, size: Look.distanceSize, weight: .bold, to: &scene)
        }
        let lines = wrapped(text, room, most: distance == nil ? 3 : 2)
        let first = distance == nil ? Look.top / 2 - Double(lines.count - 2) * Look.textSize / 2 : 42
        for (index, line) in lines.enumerated() {
            add(
                line, x: x, y: first + Double(index) * (Look.textSize + 2), size: Look.textSize, to: &scene)
        }
    }

    /// The text in lines that fit a width; the last line is truncated.
    private func wrapped(_ text: String, _ room: Double, most: Int) -> [String] {
        let columns = max(1, Int(room / (Look.textSize * PictureSettings.characterWidth)))
        var lines: [String] = []
        for word in text.split(separator: " ").map(String.init) {
            if let last = lines.last, DisplayWidth.of(last + " " + word) <= columns {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(word)
            }
        }
        if lines.count > most {
            lines = Array(lines[..<(most - 1)]) + [lines[(most - 1)...].joined(separator: " ")]
        }
        return lines.map { DisplayWidth.truncated($0, to: columns, mark: "…") }
    }

    // MARK: The progress

    private func addProgress(_ scene: inout Scene) {
        let height = Look.size.height
        panel(height - Look.bottom, height, Look.panel, &scene)
        let inset = Look.margin + Look.corner / 4
        let width = Look.size.width - 2 * inset
        let y = height - Look.bottom + Look.margin
        let share = max(0, min(1, overlay.progress))
        bar(x: inset, y: y, width: width, color: Look.rest, in: &scene)
        if share > 0 {
            bar(x: inset, y: y, width: max(Look.bar, width * share), color: Look.done, in: &scene)
        }
        let words = overlay.facts(units)
        let baseline = y + Look.bar + Look.factSize + 3
        add(words.percent, x: inset, y: baseline, size: Look.factSize, to: &scene)
        let rest = "\(words.remaining)  \(words.time)"
        add(rest, x: Look.size.width - inset, y: baseline, size: Look.factSize, anchor: .end, to: &scene)
    }

    private func bar(x: Double, y: Double, width: Double, color: Color, in scene: inout Scene) {
        let middle = y + Look.bar / 2
        scene.add(
            .polyline(
                [ScenePoint(x, middle), ScenePoint(x + width, middle)], Stroke(color, width: Look.bar)),
            z: Layer.text)
    }

    // MARK: Parts

    private func panel(_ from: Double, _ to: Double, _ fill: Fill, _ scene: inout Scene) {
        let rect = SceneRect(x: 0, y: from, width: Look.size.width, height: to - from)
        scene.add(.polygon([rect.corners], fill: fill, stroke: nil), z: Layer.panel)
    }

    private func add(
        _ text: String, x: Double, y: Double, size: Double, weight: TextWeight = .normal,
        anchor: TextAnchor = .start, to scene: inout Scene
    ) {
        let color = anchor == .end ? Look.dim : Color.white
        scene.add(
            .text(
                TextShape(
                    text, at: ScenePoint(x, y), size: size, anchor: anchor, color: color, weight: weight)),
            z: Layer.text)
    }

    /// The area outside the round corners of the screen.
    private var corners: PathData {
        let (width, height, radius) = (Look.size.width, Look.size.height, Look.corner)
        let outside = SceneRect(x: 0, y: 0, width: width, height: height).corners
        var steps: [PathData.Step] = [.move(outside[0])] + outside.dropFirst().map { .line($0) } + [.close]
        // Each corner from its centre, from the side before it to the side after it.
        let centers = [
            (radius, radius, 180.0), (width - radius, radius, 270), (width - radius, height - radius, 0),
            (radius, height - radius, 90),
        ]
        for (index, (x, y, angle)) in centers.enumerated() {
            func point(_ across: Double, _ along: Double) -> ScenePoint {
                let (sine, cosine) = (sin(angle.radians), cos(angle.radians))
                return ScenePoint(
                    x + radius * (across * cosine - along * sine),
                    y + radius * (across * sine + along * cosine))
            }
            steps.append(index == 0 ? .move(point(1, 0)) : .line(point(1, 0)))
            steps.append(.curve(point(1, Look.roundness), point(Look.roundness, 1), point(0, 1)))
        }
        return PathData(steps: steps + [.close])
    }
}

/// The arrow of a direction as a drawing: a stem bent in the direction of the turn.
struct WatchArrow {
    let direction: TurnDirection?
    let at: ScenePoint
    /// Half of its height, points.
    let size: Double

    init(_ direction: TurnDirection?, at: ScenePoint, size: Double) {
        self.direction = direction
        self.at = at
        self.size = size
    }

    private static let color = Color.white

    /// Degrees to the right of straight on; `nil` for no arrow.
    private var angle: Double? {
        switch direction {
        case .start, .straight: 0
        case .slightRight: 35
        case .right: 90
        case .sharpRight: 140
        case .slightLeft: -35
        case .left: -90
        case .sharpLeft: -140
        case .uTurn, .arrive, nil: nil
        }
    }

    var shapes: [SceneShape] {
        if let angle { return bent(angle) }
        switch direction {
        case .uTurn: return back
        case .arrive:
            return [
                .circle(center: at, radius: size * 0.8, fill: nil, stroke: Stroke(Self.color, width: 4)),
                .circle(center: at, radius: size * 0.3, fill: Fill(Self.color), stroke: nil),
            ]
        default: return [.circle(center: at, radius: size / 4, fill: Fill(Self.color), stroke: nil)]
        }
    }

    /// An exclamation mark: there is no next turn off route.
    var warning: [SceneShape] {
        [
            .polyline(
                [ScenePoint(at.x, at.y - size * 0.8), ScenePoint(at.x, at.y + size * 0.25)], stroke),
            .circle(
                center: ScenePoint(at.x, at.y + size * 0.75), radius: stroke.width / 2,
                fill: Fill(Self.color), stroke: nil),
        ]
    }

    private var stroke: Stroke { Stroke(Self.color, width: size / 3.5) }

    private func bent(_ angle: Double) -> [SceneShape] {
        let knee = ScenePoint(at.x, at.y + size * 0.1)
        let reach = size * 0.75
        let way = (sin(angle.radians), -cos(angle.radians))
        let end = ScenePoint(knee.x + reach * way.0, knee.y + reach * way.1)
        return [
            .polyline([ScenePoint(at.x, at.y + size), knee, end], stroke), head(end, angle),
        ]
    }

    /// Up, over and down again.
    private var back: [SceneShape] {
        let (left, right) = (at.x - size * 0.45, at.x + size * 0.45)
        let (top, bottom) = (at.y - size * 0.5, at.y + size * 0.4)
        let arc = stride(from: 180.0, through: 360, by: 20).map { angle in
            ScenePoint(
                at.x + (right - left) / 2 * cos(angle.radians), top + (right - left) / 2 * sin(angle.radians))
        }
        return [
            .polyline([ScenePoint(left, at.y + size)] + arc + [ScenePoint(right, bottom)], stroke),
            head(ScenePoint(right, bottom), 180),
        ]
    }

    /// The tip at the end of the stem.
    private func head(_ end: ScenePoint, _ angle: Double) -> SceneShape {
        let corners = [(0.0, 0.65), (-0.5, -0.1), (0.5, -0.1)].map { across, ahead in
            ScenePoint(
                end.x + size * (ahead * sin(angle.radians) + across * cos(angle.radians)),
                end.y + size * (-ahead * cos(angle.radians) + across * sin(angle.radians)))
        }
        return .polygon([corners], fill: Fill(Self.color), stroke: nil)
    }
}
