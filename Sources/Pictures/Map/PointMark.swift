extension MapPointStyle {
    /// The mark at a point of a picture.
    public func drawn(at center: ScenePoint) -> SceneShape {
        let edge = Stroke(.white, width: min(1.5, radius / 3))
        let rim = Stroke(color, width: max(1.5, radius / 2.5))
        // A square of the same area as the disc.
        let half = radius * 0.886
        func outline(_ corners: [(Double, Double)]) -> [[ScenePoint]] {
            [corners.map { center.moved($0.0, $0.1) }]
        }
        let square = outline([(-half, -half), (half, -half), (half, half), (-half, half)])
        switch shape {
        case .disc: return .circle(center: center, radius: radius, fill: Fill(color), stroke: edge)
        case .ring: return .circle(center: center, radius: radius, fill: Fill(.white), stroke: rim)
        case .square: return .polygon(square, fill: Fill(color), stroke: edge)
        case .box: return .polygon(square, fill: Fill(.white), stroke: rim)
        case .diamond:
            let tip = radius * 1.25
            return .polygon(
                outline([(0, -tip), (tip, 0), (0, tip), (-tip, 0)]), fill: Fill(color), stroke: edge)
        case .triangle:
            let tip = radius * 1.3
            return .polygon(
                outline([(0, -tip), (tip * 0.95, tip * 0.7), (-tip * 0.95, tip * 0.7)]), fill: Fill(color),
                stroke: edge)
        case .start, .finish, .roundTrip:
            return .group(WaySign(shape: shape, color: color, radius: radius, at: center).parts, clip: nil)
        }
    }
}

/// The sign at an end of a way: a disc with an arrow, a square or both, distinguishable without
/// colour.
private struct WaySign {
    let shape: PointShape
    let color: Color
    let radius: Double
    let at: ScenePoint

    var parts: [SceneElement] {
        let rim = Stroke(.white, width: max(1.2, radius / 4))
        var shapes: [SceneShape] = [.circle(center: at, radius: radius, fill: Fill(color), stroke: rim)]
        let reach = radius * 0.58
        func polygon(_ corners: [(Double, Double)]) -> SceneShape {
            .polygon(
                [corners.map { at.moved($0.0 * reach, $0.1 * reach) }], fill: Fill(.white), stroke: nil)
        }
        switch shape {
        case .start: shapes.append(polygon([(-0.65, -0.95), (1.05, 0), (-0.65, 0.95)]))
        case .finish: shapes.append(polygon([(-0.75, -0.75), (0.75, -0.75), (0.75, 0.75), (-0.75, 0.75)]))
        default:
            shapes.append(polygon([(-1.1, -0.75), (0.05, 0), (-1.1, 0.75)]))
            shapes.append(polygon([(0.25, -0.55), (1.15, -0.55), (1.15, 0.55), (0.25, 0.55)]))
        }
        return shapes.map { SceneElement(shape: $0) }
    }
}
