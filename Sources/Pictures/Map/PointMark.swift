extension MapPointStyle {
    /// The mark at a place of a picture.
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
        }
    }
}
