import Foundation
import Geodesy

/// Title, scale bar, attribution, compass and what is said about north.
struct MapFurnitureDrawing {
    let view: MapView
    let furniture: MapFurniture

    /// Adds the requested furniture and returns the space it takes.
    func add(to scene: inout Scene) -> [SceneRect] {
        let title = title(&scene)
        let scale = scaleBar(&scene)
        let compass = compass(&scene)
        let boxes = [
            title, scale, attribution(beside: scale, &scene), compass, north(below: compass, &scene),
        ].compactMap { $0 }
        return boxes + neighbours(avoiding: boxes, &scene)
    }

    private func title(_ scene: inout Scene) -> SceneRect? {
        guard !furniture.title.isEmpty else { return nil }
        let size = MapTheme.titleSize
        let at = ScenePoint(MapTheme.margin, MapTheme.margin + size * 0.8)
        let text = TextShape(furniture.title, at: at, size: size, weight: .bold, halo: .white)
        scene.add(.text(text), z: MapLayer.furniture, id: "title")
        let width = TextShape.estimatedWidth(of: furniture.title, size: size) * 1.1
        return SceneRect(x: 0, y: 0, width: at.x + width, height: at.y + size * 0.4)
    }

    private func scaleBar(_ scene: inout Scene) -> SceneRect? {
        guard let units = furniture.scale else { return nil }
        let longest = min(MapTheme.scaleBarWidth, view.size.width / 3)
        guard let bar = ScaleBar(notLongerThan: longest * view.metresPerPoint, units: units) else {
            return nil
        }
        let width = bar.metres / view.metresPerPoint
        let left = MapTheme.margin
        let bottom = view.size.height - MapTheme.margin
        let line = [
            ScenePoint(left, bottom - 5), ScenePoint(left, bottom), ScenePoint(left + width, bottom),
            ScenePoint(left + width, bottom - 5),
        ]
        let words = furniture.ratio.isEmpty ? bar.text : "\(bar.text) · \(furniture.ratio)"
        let text = TextShape(
            words, at: ScenePoint(left + width / 2, bottom - 5), size: MapTheme.smallSize + 1,
            anchor: .middle,
            halo: .white)
        let parts: [SceneShape] = [
            .polyline(line, Stroke(.white, width: 4)), .polyline(line, Stroke(.ink, width: 1.6)), .text(text),
        ]
        scene.add(
            .group(parts.map { SceneElement(shape: $0) }, clip: nil), z: MapLayer.furniture, id: "scale")
        return SceneRect(x: 0, y: bottom - 20, width: left + width + 8, height: 20 + MapTheme.margin)
    }

    private func attribution(beside scale: SceneRect?, _ scene: inout Scene) -> SceneRect? {
        guard !furniture.attribution.isEmpty else { return nil }
        let at = ScenePoint(view.size.width - MapTheme.margin / 2, view.size.height - MapTheme.margin / 2)
        // In a narrow picture the lines are placed above the scale.
        let beside = view.size.width - MapTheme.margin - (scale?.maxX ?? 0)
        let whole = view.size.width - MapTheme.margin
        var credits = CreditLines(furniture.attribution, width: beside, size: MapTheme.smallSize)
        var bottom = at
        if credits.size < MapTheme.smallSize {
            credits = CreditLines(furniture.attribution, width: whole, size: MapTheme.smallSize)
            bottom = at.moved(0, scale.map { $0.y - at.y } ?? 0)
        }
        let texts = credits.texts(at: bottom, anchor: .end, color: .faint, halo: .white)
        if texts.count == 1 {
            scene.add(.text(texts[0]), z: MapLayer.furniture, id: "attribution")
        } else {
            let lines = texts.map { SceneElement(shape: .text($0)) }
            scene.add(.group(lines, clip: nil), z: MapLayer.furniture, id: "attribution")
        }
        return SceneRect(
            x: at.x - credits.width, y: bottom.y - credits.height, width: credits.width + MapTheme.margin,
            height: credits.height + credits.size)
    }

    private func compass(_ scene: inout Scene) -> SceneRect? {
        guard furniture.compass else { return nil }
        let radius = MapTheme.compassRadius
        let center = ScenePoint(view.size.width - MapTheme.margin - radius, MapTheme.margin + radius)
        func needle(_ tip: Double) -> [ScenePoint] {
            [center.moved(0, tip), center.moved(4.5, 0), center.moved(-4.5, 0)]
        }
        let rim = Stroke(Color(0xB6BEC9), width: 1)
        let letter = TextShape(
            "N", at: center.moved(0, -radius + 8.5), size: MapTheme.smallSize, anchor: .middle, weight: .bold)
        var parts: [SceneShape] = [
            .circle(center: center, radius: radius, fill: Fill(.white, opacity: 0.92), stroke: rim),
            .polygon([needle(-radius + 10)], fill: Fill(Color(0xE03131)), stroke: nil),
            .polygon([needle(radius - 3)], fill: Fill(Color(0xADB5BD)), stroke: nil),
            .text(letter),
        ]
        if let declination = furniture.declination {
            let angle = declination.radians
            let tip = center.moved(radius * sin(angle), -radius * cos(angle))
            parts.insert(.polyline([center, tip], Self.magnetic), at: 1)
        }
        scene.add(
            .group(parts.map { SceneElement(shape: $0) }, clip: nil), z: MapLayer.compass, id: "compass")
        return SceneRect(
            x: center.x - radius, y: center.y - radius, width: 2 * radius + MapTheme.margin,
            height: 2 * radius)
    }

    private static let arrows = ["→", "↘", "↓", "↙", "←", "↖", "↑", "↗"]
    /// Where a number goes if its place is taken: inwards by points, and along the edge by a share of it; the least first.
    private static let moves: [(inwards: Double, along: Double)] = {
        let along = (0...8).flatMap { [Double($0) * 0.06, Double(-$0) * 0.06] }
        return along.prefix(6).flatMap { share in [0.0, 22, 44].map { ($0, share) } }
            + along.dropFirst(6).map { (0, $0) }
    }()

    /// The numbers of the neighbouring pages, at the edges in their directions.
    private func neighbours(avoiding boxes: [SceneRect], _ scene: inout Scene) -> [SceneRect] {
        var taken = boxes
        let size = MapTheme.smallSize + 2
        let (width, height) = (view.size.width, view.size.height)
        for neighbour in furniture.neighbours {
            let (dx, dy) = (neighbour.offset.x, neighbour.offset.y)
            guard dx != 0 || dy != 0 else { continue }
            let octant = Int((Angle.normalized(atan2(dy, dx).degrees) / 45).rounded()) % Self.arrows.count
            let words = "\(Self.arrows[octant]) \(neighbour.number)"
            let half = ScenePoint(TextShape.estimatedWidth(of: words, size: size) / 2 + 4, size * 0.8)
            // A box at the edge may be a rounding error outside.
            let room = SceneRect(x: 0, y: 0, width: width, height: height).inset(by: -0.5)
            // From the middle to the edge.
            let share = min(
                dx == 0 ? .infinity : (width / 2 - half.x) / abs(dx),
                dy == 0 ? .infinity : (height / 2 - half.y) / abs(dy))
            let isAcross = abs(dx) * share >= width / 2 - half.x - 0.01
            let boxes = Self.moves.map { move in
                let inwards = ScenePoint(
                    isAcross ? (dx > 0 ? -move.inwards : move.inwards) : move.along * width,
                    isAcross ? move.along * height : (dy > 0 ? -move.inwards : move.inwards))
                let middle = ScenePoint(
                    width / 2 + dx * share + inwards.x, height / 2 + dy * share + inwards.y)
                return SceneRect(
                    x: middle.x - half.x, y: middle.y - half.y, width: 2 * half.x, height: 2 * half.y)
            }
            let free = boxes.first { box in room.encloses(box) && !taken.contains { $0.intersects(box) } }
            guard let box = free else { continue }
            taken.append(box)
            let at = ScenePoint(box.center.x, box.center.y + size * 0.36)
            let parts: [SceneShape] = [
                .polygon(
                    [box.corners], fill: Fill(.white, opacity: 0.85), stroke: Stroke(.faint, width: 0.6)),
                .text(TextShape(words, at: at, size: size, anchor: .middle, weight: .bold)),
            ]
            scene.add(.group(parts.map { SceneElement(shape: $0) }, clip: nil), z: MapLayer.furniture)
        }
        return Array(taken.dropFirst(boxes.count))
    }

    /// The direction of magnetic north, from the middle of the north arrow.
    private static let magnetic = Stroke(Color(0x1864AB), width: 1.4)

    /// The lines about north, below the arrow.
    private func north(below compass: SceneRect?, _ scene: inout Scene) -> SceneRect? {
        guard let compass, !furniture.north.isEmpty else { return nil }
        let size = MapTheme.smallSize - 1
        let right = view.size.width - MapTheme.margin
        var width = 0.0
        var parts: [SceneElement] = []
        for (index, line) in furniture.north.enumerated() {
            let y = compass.maxY + size * 1.3 * Double(index + 1)
            let text = TextShape(
                line, at: ScenePoint(right, y), size: size, anchor: .end, color: .ink, halo: .white)
            width = max(width, TextShape.estimatedWidth(of: line, size: size))
            parts.append(SceneElement(shape: .text(text)))
        }
        scene.add(.group(parts, clip: nil), z: MapLayer.furniture, id: "north")
        return SceneRect(
            x: right - width, y: compass.maxY, width: width + MapTheme.margin,
            height: size * 1.3 * Double(furniture.north.count) + 4)
    }
}
