/// Title, scale bar, attribution and compass.
struct MapFurnitureDrawing {
    let view: MapView
    let furniture: MapFurniture

    /// Adds the requested furniture and returns the space it takes.
    func add(to scene: inout Scene) -> [SceneRect] {
        let title = title(&scene)
        let scale = scaleBar(&scene)
        return [title, scale, attribution(beside: scale, &scene), compass(&scene)].compactMap { $0 }
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
        let parts: [SceneShape] = [
            .circle(center: center, radius: radius, fill: Fill(.white, opacity: 0.92), stroke: rim),
            .polygon([needle(-radius + 10)], fill: Fill(Color(0xE03131)), stroke: nil),
            .polygon([needle(radius - 3)], fill: Fill(Color(0xADB5BD)), stroke: nil),
            .text(letter),
        ]
        scene.add(
            .group(parts.map { SceneElement(shape: $0) }, clip: nil), z: MapLayer.compass, id: "compass")
        return SceneRect(
            x: center.x - radius, y: center.y - radius, width: 2 * radius + MapTheme.margin,
            height: 2 * radius)
    }
}
