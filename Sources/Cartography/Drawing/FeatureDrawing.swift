import Core
import Foundation
import Pictures

/// Draws areas, lines and symbols by the rules of a style.
struct FeatureDrawing {
    let frame: MapProjection
    let style: MapStyle

    /// The margin outside the picture in which lines are kept, so that caps and dashes at the cut are
    /// invisible.
    private static let margin = 24.0
    /// Dashes, in points, and opacity of water that is there at times only.
    private static let dryDash = [6.0, 3]
    private static let dryOpacity = 0.45

    /// The elements of areas below or above the relief.
    ///
    /// Land cover is drawn from the largest area to the smallest, whatever its kinds, so that a clearing inside
    /// a wood and a wood inside a town are both seen; equal ones, and all above the relief, in the order of the
    /// style.
    func areas(_ features: [Int: [DrawnFeature]], above: Bool) throws(RutterError) -> [SceneElement] {
        let room = frame.rect(margin: Self.margin)
        let zoom = frame.zoom
        var drawn: [(size: Double, order: Int, element: SceneElement)] = []
        for rule in style.areas where rule.isAbove == above && rule.zooms.contains(zoom) {
            try Interruption.check()
            for feature in features[rule.kind] ?? [] {
                let rings = feature.parts.map(frame.line).map { SceneClipping.area($0, in: room) }
                    .filter { $0.count > 2 }
                guard !rings.isEmpty else { continue }
                let element = SceneElement(shape: area(rings, rule, flags: feature.flags))
                drawn.append((above ? 0 : feature.largestRing, drawn.count, element))
            }
        }
        return drawn.sorted { ($1.size, $0.order) < ($0.size, $1.order) }.map(\.element)
    }

    /// An area drawn by a rule. The shore of a lake that dries up is broken, and its water pale.
    func area(_ rings: [[ScenePoint]], _ rule: AreaRule, flags: MapFlags) -> SceneShape {
        let isDry = rule.isAbove && flags.contains(.intermittent)
        let width = rule.width.at(frame.zoom)
        let edge =
            width > 0 ? rule.edge.map { Stroke($0, width: width, dash: isDry ? Self.dryDash : []) } : nil
        return .polygon(rings, fill: Fill(rule.fill, opacity: isDry ? Self.dryOpacity : 1), stroke: edge)
    }

    /// The elements of lines below areas such as lakes, or of those above them: first underground, then at
    /// ground level, then on bridges, each with rims before lines.
    func lines(_ features: [Int: [DrawnFeature]], belowAreas: Bool) throws(RutterError) -> [SceneElement] {
        let room = frame.rect(margin: Self.margin)
        let zoom = frame.zoom
        var piles: [Int: [[SceneElement]]] = [:]
        func add(_ element: SceneElement, layer: Int, stage: Int) {
            piles[layer, default: [[], [], []]][stage].append(element)
        }
        for rule in belowAreas ? [] : style.outlines where rule.zooms.contains(zoom) {
            let stroke = Stroke(
                rule.color, width: rule.width.at(zoom), dash: rule.dash, opacity: rule.opacity)
            for feature in features[rule.kind] ?? [] {
                for run in feature.parts.flatMap({ SceneClipping.line(frame.line($0), in: room) }) {
                    add(SceneElement(shape: .polyline(run, stroke)), layer: -9, stage: 2)
                }
            }
        }
        for rule in style.lines where rule.zooms.contains(zoom) && (rule.isBelow || !belowAreas) {
            try Interruption.check()
            let width = rule.width.at(zoom)
            guard width > 0.05 else { continue }
            for feature in features[rule.kind] ?? [] {
                let isTunnel = feature.flags.contains(.tunnel)
                let isBridge = feature.flags.contains(.bridge)
                // An aqueduct is above what it crosses.
                if rule.isBelow, isBridge == belowAreas { continue }
                let layer = isTunnel ? min(feature.layer, -1) : isBridge ? max(feature.layer, 1) : 0
                let runs = feature.parts.flatMap { SceneClipping.line(frame.line($0), in: room) }
                for run in runs {
                    draw(run, rule, width, isTunnel: isTunnel, isBridge: isBridge, feature) {
                        add($0, layer: layer, stage: $1)
                    }
                }
            }
        }
        return piles.sorted { $0.key < $1.key }.flatMap { $0.value.flatMap { $0 } }
    }

    private func draw(
        _ run: [ScenePoint], _ rule: LineRule, _ width: Double, isTunnel: Bool, isBridge: Bool,
        _ feature: DrawnFeature, _ add: (SceneElement, Int) -> Void
    ) {
        func line(_ stroke: Stroke, stage: Int) { add(SceneElement(shape: .polyline(run, stroke)), stage) }
        let isPale = feature.flags.contains(.isPrivate) || isTunnel
        let opacity = rule.opacity * (isPale ? 0.5 : 1)
        if isBridge, frame.zoom >= 14, width > 1 {
            line(Stroke(rule.casing ?? rule.color, width: width + 2 * rule.edge + 1.6), stage: 0)
            line(Stroke(style.ground, width: width + 2 * rule.edge), stage: 0)
        }
        if let casing = rule.casing {
            let edge = min(rule.edge, width * 0.6)
            line(
                Stroke(casing, width: width + 2 * edge, dash: isTunnel ? [3, 2] : [], opacity: opacity),
                stage: 0)
        } else if let glow = rule.glow, frame.zoom >= 13 {
            line(Stroke(glow, width: width + 2, opacity: 0.55), stage: 0)
        }
        let isDry = feature.flags.contains(.intermittent)
        let dash = isDry && rule.dash.isEmpty ? Self.dryDash : rule.dash
        let grown = max(1, min(1.6, width / 1.5))
        line(
            Stroke(
                rule.color, width: width,
                dash: isTunnel && rule.casing == nil ? [2, 2] : dash.map { $0 * grown }, opacity: opacity),
            stage: 1)
        if let inner = rule.inner, width >= 1.6, !isTunnel {
            line(Stroke(inner, width: width * 0.5, dash: [rule.gap, rule.gap]), stage: 2)
        }
        if let ticks = rule.ticks {
            for tick in marks(along: run, every: ticks, left: 2.4, right: 2.4) {
                add(SceneElement(shape: .polyline(tick, Stroke(rule.color, width: width))), 2)
            }
        }
        if let teeth = rule.teeth {
            for tooth in marks(along: run, every: teeth, left: 0, right: 2.6) {
                add(SceneElement(shape: .polyline(tooth, Stroke(rule.color, width: width * 0.8))), 2)
            }
        }
    }

    /// A piece of a line to be drawn by a rule.
    func sample(_ rule: LineRule, _ run: [ScenePoint], flags: MapFlags = []) -> [SceneShape] {
        var stages: [[SceneShape]] = [[], [], []]
        let feature = DrawnFeature(
            kind: rule.kind, flags: flags, layer: 0, name: nil, parts: [], box: MapBox())
        draw(run, rule, rule.width.at(frame.zoom), isTunnel: false, isBridge: false, feature) {
            stages[$1].append($0.shape)
        }
        return stages.flatMap { $0 }
    }

    /// Short strokes across a line, at an interval in points.
    private func marks(
        along run: [ScenePoint], every step: Double, left: Double, right: Double
    ) -> [[ScenePoint]] {
        var marks: [[ScenePoint]] = []
        var rest = step / 2
        for (a, b) in zip(run, run.dropFirst()) {
            let (dx, dy) = (b.x - a.x, b.y - a.y)
            let length = (dx * dx + dy * dy).squareRoot()
            guard length > 0 else { continue }
            while rest <= length, marks.count < 4000 {
                let (x, y) = (a.x + dx * rest / length, a.y + dy * rest / length)
                let (nx, ny) = (-dy / length, dx / length)
                marks.append([
                    ScenePoint(x - nx * left, y - ny * left), ScenePoint(x + nx * right, y + ny * right),
                ])
                rest += step
            }
            rest -= length
        }
        return marks
    }
}

extension DrawnFeature {
    /// The area inside the largest ring, in stored units squared. The whole ring counts, not what is in view, so
    /// that adjacent tiles agree; holes do not, so that an area is never smaller than one inside it.
    var largestRing: Double {
        parts.map { ring in
            var doubled = 0.0
            guard var last = ring.last else { return 0 }
            for point in ring {
                doubled += Double(last.x) * Double(point.y) - Double(point.x) * Double(last.y)
                last = point
            }
            return abs(doubled) / 2
        }.max() ?? 0
    }
}

/// Clips to a rectangle, for elements drawn by the thousand: those inside are unchanged.
enum SceneClipping {
    static func line(_ points: [ScenePoint], in rect: SceneRect) -> [[ScenePoint]] {
        if isInside(points, rect) { return points.count > 1 ? [points] : [] }
        return Clipping.line(points, in: rect)
    }

    static func area(_ points: [ScenePoint], in rect: SceneRect) -> [ScenePoint] {
        isInside(points, rect) ? points : Clipping.area(points, in: rect)
    }

    private static func isInside(_ points: [ScenePoint], _ rect: SceneRect) -> Bool {
        let (right, bottom) = (rect.maxX, rect.maxY)
        for point in points
        where point.x < rect.x || point.x > right || point.y < rect.y || point.y > bottom { return false }
        return true
    }
}
