import Foundation
import Geodesy

/// Converts features to elements of a scene.
struct MapFeatureDrawing {
    let view: MapView
    /// Whether the base map shows ways.
    var hasGround = false

    /// The images of a tile; none for other features.
    func tiles(_ feature: MapFeature) -> [SceneElement] {
        guard case .tile(let address, let data) = feature else { return [] }
        return view.placements(of: address).map { SceneElement(shape: .image(bytes: data, $0)) }
    }

    /// The elements of a feature; none for a tile or a feature outside the picture.
    func elements(_ feature: MapFeature) -> [SceneElement] {
        switch feature {
        case .tile, .milestones: []
        case .route(let line): self.line(line, hasGround ? MapTheme.narrowRoute : MapTheme.route, id: "route")
        case .track(let line): self.line(line, hasGround ? MapTheme.narrowTrack : MapTheme.track, id: "track")
        case .line(let line, let style): self.line(line, style, id: nil)
        case .waypoint(let waypoint): pin(waypoint)
        case .polygon(let rings, let style):
            view.areas(of: rings).map { area in
                SceneElement(shape: .polygon(area, fill: style.fill, stroke: style.stroke), z: style.layer)
            }
        case .point(let place, let style): point(place, style)
        case .badge(let place, let badge): self.badge(place, badge)
        case .position(let place, let heading, let accuracy):
            position(place, heading: heading, accuracy: accuracy)
        }
    }

    private func line(_ line: [Coordinate], _ style: MapLineStyle, id: String?) -> [SceneElement] {
        let runs = view.runs(of: line)
        var casing = style.stroke
        casing.width += 2 * MapTheme.casingWidth
        casing.dash = []
        var parts: [SceneElement] = []
        if let color = style.casing {
            casing.color = color
            parts += runs.map { SceneElement(shape: .polyline($0, casing)) }
        }
        parts += runs.map { SceneElement(shape: .polyline($0, style.stroke)) }
        if parts.isEmpty { return [] }
        if parts.count == 1 && id == nil { return [SceneElement(shape: parts[0].shape, z: style.layer)] }
        return [SceneElement(shape: .group(parts, clip: nil), z: style.layer, id: id)]
    }

    private func pin(_ waypoint: MapWaypoint) -> [SceneElement] {
        guard waypoint.coordinate.isOnMercator else { return [] }
        let marker = Marker(
            at: view.point(for: waypoint.coordinate), color: waypoint.color, icon: waypoint.icon,
            label: waypoint.label, isDisc: waypoint.isDisc)
        guard isNear(marker.at) else { return [] }
        return [SceneElement(shape: .marker(marker), z: MapLayer.waypoint, id: waypoint.name)]
    }

    private func point(_ coordinate: Coordinate, _ style: MapPointStyle) -> [SceneElement] {
        guard coordinate.isOnMercator else { return [] }
        let at = view.point(for: coordinate)
        guard isNear(at) else { return [] }
        var symbol = TerminalSymbol(
            at: at, symbol: style.symbol, ascii: style.symbol, color: style.color, label: style.label)
        symbol.legend = style.legend
        return [
            SceneElement(
                shape: .symbol(symbol, drawing: [SceneElement(shape: style.drawn(at: at))]), z: style.layer)
        ]
    }

    private func badge(_ coordinate: Coordinate, _ badge: MapBadge) -> [SceneElement] {
        guard coordinate.isOnMercator else { return [] }
        let at = view.point(for: coordinate)
        guard isNear(at) else { return [] }
        let radius = badge.radius
        var drawing: [SceneShape] = []
        if badge.isRing {
            drawing.append(.circle(center: at, radius: radius, fill: nil, stroke: Stroke(.white, width: 6)))
            drawing.append(
                .circle(center: at, radius: radius, fill: nil, stroke: Stroke(badge.color, width: 3)))
        } else {
            let edge = Stroke(.white, width: 1.5)
            drawing.append(.circle(center: at, radius: radius, fill: Fill(badge.color), stroke: edge))
            drawing.append(
                .text(
                    TextShape(
                        badge.text, at: at.moved(0, 4), size: 11, anchor: .middle, color: .white,
                        weight: .bold)))
        }
        var symbol = TerminalSymbol(
            at: at, symbol: badge.text.first ?? "#", ascii: badge.text.first ?? "#", color: badge.color,
            label: badge.label)
        symbol.words = badge.text
        return [
            SceneElement(
                shape: .symbol(symbol, drawing: drawing.map { SceneElement(shape: $0) }), z: badge.layer)
        ]
    }

    private func position(_ coordinate: Coordinate, heading: Double?, accuracy: Double?) -> [SceneElement] {
        guard coordinate.isOnMercator else { return [] }
        let at = view.point(for: coordinate)
        guard isNear(at) else { return [] }
        var elements: [SceneElement] = []
        if let accuracy, accuracy > 0 { elements.append(circle(at, coordinate, accuracy)) }
        if let heading, heading.isFinite { elements.append(cone(at, heading)) }
        let edge = Stroke(.white, width: MapTheme.positionEdge)
        let dot = SceneShape.circle(
            center: at, radius: MapTheme.positionRadius, fill: Fill(MapTheme.position), stroke: edge)
        let symbol = TerminalSymbol(
            at: at, symbol: Self.arrow(heading), ascii: "@", color: MapTheme.position, label: "")
        elements.append(
            SceneElement(
                shape: .symbol(symbol, drawing: [SceneElement(shape: dot)]), z: MapLayer.position,
                id: "position"))
        return elements
    }

    private func circle(_ at: ScenePoint, _ coordinate: Coordinate, _ accuracy: Double) -> SceneElement {
        let metres = WebMercator.metresPerPixel(
            zoom: view.zoom, latitude: min(85, max(-85, coordinate.latitude)))
        let radius = min(accuracy / metres, view.size.width + view.size.height)
        let rim = Stroke(MapTheme.position, width: 1, opacity: 0.4)
        return SceneElement(
            shape: .circle(
                center: at, radius: radius, fill: Fill(MapTheme.position, opacity: 0.12), stroke: rim),
            z: MapLayer.accuracy, id: "accuracy")
    }

    private func cone(_ at: ScenePoint, _ heading: Double) -> SceneElement {
        let half = MapTheme.coneHalfAngle
        let arc = stride(from: -half, through: half, by: 5).map { turn -> ScenePoint in
            let angle = (heading + turn).radians
            return at.moved(MapTheme.coneLength * sin(angle), -MapTheme.coneLength * cos(angle))
        }
        return SceneElement(
            shape: .symbol(
                TerminalSymbol(at: at, symbol: Self.arrow(heading), ascii: "@", color: MapTheme.position),
                drawing: [
                    SceneElement(
                        shape: .polygon(
                            [[at] + arc], fill: Fill(MapTheme.position, opacity: 0.3), stroke: nil))
                ]),
            z: MapLayer.heading, id: "heading")
    }

    /// The arrow nearest to a heading, or a ring.
    private static func arrow(_ heading: Double?) -> Character {
        guard let heading, heading.isFinite else { return "◎" }
        let arrows: [Character] = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"]
        return arrows[Int((Angle.normalized(heading) / 45).rounded()) % arrows.count]
    }

    /// Whether a mark at a point is visible in the picture.
    private func isNear(_ point: ScenePoint) -> Bool {
        view.visible.inset(by: -Marker.Geometry.height).contains(point)
    }
}
