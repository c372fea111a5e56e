extension Scene {
    /// The picture as one shape, to be placed on a page: its corner at a point, cut to its size.
    public func shape(at corner: ScenePoint) -> SceneShape {
        var parts = ordered
        let frame = SceneRect(x: 0, y: 0, width: size.width, height: size.height)
        if let background {
            let ground = SceneShape.polygon([frame.corners], fill: Fill(background), stroke: nil)
            parts.insert(SceneElement(shape: ground, z: parts.first?.z ?? 0), at: 0)
        }
        return SceneShape.group(parts, clip: frame).moved(corner.x, corner.y)
    }
}

extension SceneShape {
    /// The same shape elsewhere, by points to the right and down.
    public func moved(_ dx: Double, _ dy: Double) -> SceneShape {
        func moved(_ point: ScenePoint) -> ScenePoint { point.moved(dx, dy) }
        func moved(_ elements: [SceneElement]) -> [SceneElement] {
            elements.map { element in
                var element = element
                element.shape = element.shape.moved(dx, dy)
                return element
            }
        }
        switch self {
        case .polyline(let points, let stroke): return .polyline(points.map(moved), stroke)
        case .polygon(let rings, let fill, let stroke):
            return .polygon(rings.map { $0.map(moved) }, fill: fill, stroke: stroke)
        case .circle(let center, let radius, let fill, let stroke):
            return .circle(center: moved(center), radius: radius, fill: fill, stroke: stroke)
        case .path(let path, let fill, let stroke):
            return .path(path.placed(at: ScenePoint(dx, dy), scale: 1), fill: fill, stroke: stroke)
        case .text(var text):
            text.at = moved(text.at)
            return .text(text)
        case .marker(var marker):
            marker.at = moved(marker.at)
            return .marker(marker)
        case .image(let bytes, let rect): return .image(bytes: bytes, rect.moved(dx, dy))
        case .raster(let raster, let rect): return .raster(raster, rect.moved(dx, dy))
        case .symbol(var symbol, let drawing):
            symbol.at = moved(symbol.at)
            return .symbol(symbol, drawing: moved(drawing))
        case .group(let elements, let clip):
            return .group(moved(elements), clip: clip?.moved(dx, dy))
        }
    }
}

extension SceneRect {
    /// The same rectangle elsewhere, by points to the right and down.
    public func moved(_ dx: Double, _ dy: Double) -> SceneRect {
        SceneRect(x: x + dx, y: y + dy, width: width, height: height)
    }
}
