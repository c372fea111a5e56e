import Core
import Foundation
import Geodesy
import Pictures

/// Places symbols and labels without overlap, the most important first.
///
/// The candidates of a label depend only on its feature, not on the drawn area, and features around the
/// picture are placed too, so that adjacent pictures agree.
struct LabelDrawing {
    let frame: MapProjection
    let style: MapStyle
    let blocked: LabelObstacles
    /// The units of heights.
    var units = ScaleUnits.metric

    /// The margin around the picture in which labels are placed.
    static let margin = 160.0
    /// The minimum distance between equal labels, in points.
    private static let repetition = 260.0
    private static let gap = 2.0

    fileprivate struct Placing {
        var room: OccupancyGrid
        var names: [String: [ScenePoint]] = [:]
        var elements: [SceneElement] = []
        /// The kinds with a symbol.
        var symbols: Set<Int> = []
    }

    func elements(
        _ features: [Int: [DrawnFeature]], contours: [ContourLabel]
    ) throws(RutterError) -> (elements: [SceneElement], symbols: Set<Int>) {
        let margin = Self.margin
        var placing = Placing(
            room: OccupancyGrid(
                size: SceneSize(width: frame.size.width + 2 * margin, height: frame.size.height + 2 * margin))
        )
        for box in blocked.boxes { placing.room.add(box.moved(margin, margin)) }
        let zoom = frame.zoom
        var marked: Set<Int> = []
        for rule in style.labels where rule.zooms.contains(zoom) {
            try Interruption.check()
            let symbol = style.symbols.first { $0.kind == rule.kind && $0.zooms.contains(zoom) }
            marked.insert(rule.kind)
            for feature in Self.ordered(features[rule.kind] ?? []) {
                if rule.place == .along {
                    for part in feature.parts { along(part, feature, rule, &placing) }
                } else {
                    point(feature, rule, symbol, &placing)
                }
            }
        }
        for symbol in style.symbols.reversed()
        where symbol.zooms.contains(zoom) && !marked.contains(symbol.kind) {
            for feature in Self.ordered(features[symbol.kind] ?? []) { mark(feature, symbol, &placing) }
        }
        if let rule = style.contours { for label in contours { write(label, rule, &placing) } }
        return (placing.elements, placing.symbols)
    }

    /// The larger and higher first; ties are broken by coordinates.
    static func ordered(_ features: [DrawnFeature]) -> [DrawnFeature] {
        features.sorted { a, b in
            if a.value != b.value { return a.value ?? .min > b.value ?? .min }
            let (x, y) = (a.extent, b.extent)
            if x != y { return x > y }
            return (a.box.minY, a.box.minX, a.name ?? "") < (b.box.minY, b.box.minX, b.name ?? "")
        }
    }

    // MARK: Points and areas

    private func point(
        _ feature: DrawnFeature, _ rule: LabelRule, _ symbol: SymbolRule?, _ placing: inout Placing
    ) {
        guard let place = feature.place ?? feature.parts.first?.first else { return }
        let at = frame.point(place)
        guard frame.labels(at) else { return }
        let size = rule.size.at(frame.zoom)
        if rule.place == .room {
            let side = Double(feature.value ?? 0) * frame.scale
            guard side > 4.5 * size else { return }
        }
        var lines = Self.lines(feature.name, isWrapped: rule.place != .beside)
        if rule.hasValue, let height = feature.height(units) { lines.append(height) }
        var body = SceneRect(x: at.x, y: at.y, width: 0, height: 0)
        if let symbol {
            guard let box = mark(feature, symbol, &placing) else { return }
            body = box
        }
        guard !lines.isEmpty else { return }
        let key = lines.joined(separator: " ")
        guard !isNear(key, at, rule.place == .beside ? 40 : Self.repetition, placing) else { return }
        let widths = lines.map { TextShape.estimatedWidth(of: $0, size: size) * (rule.isBold ? 1.06 : 0.95) }
        let (width, height) = (widths.max() ?? 0, Double(lines.count) * size * 1.18)
        if rule.place == .room, width > Double(feature.value ?? 0) * frame.scale * 1.6 { return }
        let free = sides(
            at, body: body, width: width, height: height, isBeside: rule.place == .beside || symbol != nil,
            isKept: rule.place == .room
        ).map { (box: SceneRect(x: $0.0.x, y: $0.0.y, width: width, height: height), anchor: $0.1) }
            .filter { frame.keeps($0.box) && !placing.meets($0.box.inset(by: -1)) }
        guard let (box, anchor) = free.first(where: { !blocked.routes.crosses($0.box) }) ?? free.first else {
            return
        }
        placing.take(box)
        placing.names[key, default: []].append(at)
        guard frame.rect(margin: 0).intersects(box) else { return }
        let x = anchor == .start ? box.x : anchor == .end ? box.maxX : box.x + width / 2
        for (index, line) in lines.enumerated() {
            placing.elements.append(
                SceneElement(
                    shape: .text(
                        TextShape(
                            line, at: ScenePoint(x, box.y + size * (0.92 + Double(index) * 1.18)),
                            size: size, anchor: anchor, color: rule.color,
                            weight: rule.isBold ? .bold : .normal, halo: style.halo))))
        }
    }

    /// The upper left corners of a label, the best first, and the side of the text at each.
    private func sides(
        _ at: ScenePoint, body: SceneRect, width: Double, height: Double, isBeside: Bool, isKept: Bool
    ) -> [(ScenePoint, TextAnchor)] {
        let around = [
            (ScenePoint(body.maxX + Self.gap, at.y - height / 2), TextAnchor.start),
            (ScenePoint(body.x - Self.gap - width, at.y - height / 2), .end),
            (ScenePoint(at.x - width / 2, body.y - Self.gap - height), .middle),
            (ScenePoint(at.x - width / 2, body.maxY + Self.gap), .middle),
        ]
        guard !isBeside else { return around }
        // A name without a symbol moves only to avoid a route.
        let middle = (ScenePoint(at.x - width / 2, at.y - height / 2), TextAnchor.middle)
        return blocked.routes.isEmpty || isKept ? [middle] : [middle] + around
    }

    /// A name in one line or two.
    private static func lines(_ name: String?, isWrapped: Bool) -> [String] {
        guard let name, !name.isEmpty else { return [] }
        guard name.count > 15, isWrapped || name.count > 22 else { return [name] }
        let middle = name.count / 2
        let breaks = name.indices.filter { name[$0] == " " }
        let best = breaks.min {
            abs(name.distance(from: name.startIndex, to: $0) - middle)
                < abs(name.distance(from: name.startIndex, to: $1) - middle)
        }
        guard let best else { return [name] }
        return [String(name[..<best]), String(name[name.index(after: best)...])]
    }

    /// Draws a symbol if there is space; returns its box, or `nil`.
    @discardableResult
    private func mark(_ feature: DrawnFeature, _ rule: SymbolRule, _ placing: inout Placing) -> SceneRect? {
        guard !feature.flags.contains(.isPrivate),
            let place = feature.place ?? feature.parts.first?.first
        else { return nil }
        let at = frame.point(place)
        guard frame.labels(at) else { return nil }
        let size = rule.size.at(frame.zoom)
        let box = SceneRect(x: at.x - size / 2, y: at.y - size / 2, width: size, height: size)
        guard !placing.meets(box) else { return nil }
        placing.take(box)
        guard frame.rect(margin: 0).intersects(box.inset(by: -2)) else { return box }
        placing.symbols.insert(rule.kind)
        let characters = rule.shape.characters
        let shapes = rule.shape.shapes(at: at, size: size, color: rule.color, halo: style.halo)
        placing.elements.append(
            SceneElement(
                shape: .symbol(
                    TerminalSymbol(
                        at: at, symbol: characters.symbol, ascii: characters.ascii, color: rule.color),
                    drawing: shapes.map { SceneElement(shape: $0) })))
        return box
    }

    private func isNear(_ name: String, _ at: ScenePoint, _ distance: Double, _ placing: Placing) -> Bool {
        placing.names[name]?.contains { abs($0.x - at.x) < distance && abs($0.y - at.y) < distance } ?? false
    }

    // MARK: Along lines

    private func along(
        _ part: [MapPoint], _ feature: DrawnFeature, _ rule: LabelRule, _ placing: inout Placing
    ) {
        guard let name = feature.name else { return }
        let size = rule.size.at(frame.zoom)
        let width = TextShape.estimatedWidth(of: name, size: size)
        let whole = SceneRect(
            x: (Double(feature.box.minX) - frame.originX) * frame.scale,
            y: (Double(feature.box.minY) - frame.originY) * frame.scale,
            width: Double(feature.box.width) * frame.scale, height: Double(feature.box.height) * frame.scale)
        guard max(whole.width, whole.height) >= width * 0.7 else { return }
        let line = LabelLine(frame.line(part))
        guard line.length >= width + 6 else { return }
        let count = max(1, Int(line.length / 340))
        for index in 0..<count {
            let middle = line.length * (Double(index) + 0.5) / Double(count)
            guard
                let (at, placed) = position(
                    name, on: line, around: middle, width: width, size: size, placing)
            else { continue }
            for box in placed.boxes { placing.take(box) }
            placing.names[name, default: []].append(at)
            guard placed.boxes.contains(where: { frame.rect(margin: 0).intersects($0) }) else { continue }
            placing.elements += placed.letters.map { letter in
                SceneElement(
                    shape: .text(
                        TextShape(
                            letter.text, at: letter.at, size: size, anchor: .middle,
                            color: rule.color, halo: style.halo, rotation: letter.rotation)))
            }
        }
    }

    /// The position of a name on its line: the first free one that avoids the routes, else the first free
    /// one.
    private func position(
        _ name: String, on line: LabelLine, around middle: Double, width: Double, size: Double,
        _ placing: Placing
    ) -> (ScenePoint, LabelLine.Placed)? {
        var across: (ScenePoint, LabelLine.Placed)?
        for shift in Self.shifts {
            let center = middle + shift * width
            guard center - width / 2 >= 0, center + width / 2 <= line.length,
                let placed = line.text(name, center: center, width: width, size: size)
            else { continue }
            let at = line.point(center)
            guard !isNear(name, at, Self.repetition, placing) else { break }
            guard placed.boxes.allSatisfy(frame.keeps), !placed.boxes.contains(where: { placing.meets($0) })
            else { continue }
            guard placed.boxes.contains(where: blocked.routes.crosses) else { return (at, placed) }
            across = across ?? (at, placed)
        }
        return across
    }

    /// The candidate positions of a name along its line, in its widths from the middle.
    private static let shifts = [0, 0.6, -0.6, 1.2, -1.2]

    private func write(_ label: ContourLabel, _ rule: ContourRule, _ placing: inout Placing) {
        let width = TextShape.estimatedWidth(of: label.text, size: rule.size)
        let (x, y) = (cos(label.rotation.radians), sin(label.rotation.radians))
        let boxes = [-0.33, 0, 0.33].map { share in
            SceneRect(
                x: label.at.x + share * width * x - rule.size / 2,
                y: label.at.y + share * width * y - rule.size / 2, width: rule.size, height: rule.size)
        }
        guard boxes.allSatisfy(frame.keeps), !boxes.contains(where: { placing.meets($0.inset(by: -2)) })
        else { return }
        guard !isNear(label.text, label.at, 90, placing) else { return }
        for box in boxes { placing.take(box) }
        placing.names[label.text, default: []].append(label.at)
        guard boxes.contains(where: { frame.rect(margin: 0).intersects($0) }) else { return }
        let at = ScenePoint(label.at.x - y * rule.size * 0.36, label.at.y + x * rule.size * 0.36)
        placing.elements.append(
            SceneElement(
                shape: .text(
                    TextShape(
                        label.text, at: at, size: rule.size, anchor: .middle, color: rule.label,
                        halo: style.halo, rotation: label.rotation))))
    }
}

extension LabelDrawing.Placing {
    fileprivate func meets(_ box: SceneRect) -> Bool {
        room.meets(box.moved(LabelDrawing.margin, LabelDrawing.margin))
    }

    fileprivate mutating func take(_ box: SceneRect) {
        room.add(box.moved(LabelDrawing.margin, LabelDrawing.margin))
    }
}

extension DrawnFeature {
    /// Its extent, in stored units.
    fileprivate var extent: Int { box.isEmpty ? 0 : box.width + box.height }
}
