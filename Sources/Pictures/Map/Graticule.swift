import Foundation
import Geodesy

/// The net of meridians and parallels at round degrees.
struct Graticule {
    let view: MapView
    /// Areas in which no label is written.
    var blocked: [SceneRect] = []

    private static let steps = [
        45.0, 30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002,
        0.0001,
    ]

    /// The smallest step whose meridians are not too near to each other.
    var step: Double {
        let degree = view.worldWidth / 360
        return Self.steps.last { $0 * degree >= MapTheme.graticuleSpacing } ?? Self.steps[0]
    }

    func add(to scene: inout Scene) {
        let rect = view.visible
        for longitude in meridians {
            let x = view.size.width / 2 + (longitude - view.center.longitude) / 360 * view.worldWidth
            let line = [ScenePoint(x, rect.y), ScenePoint(x, rect.maxY)]
            scene.add(.polyline(line, MapTheme.graticule), z: MapLayer.graticule)
            let name = text(Angle.longitude(longitude), "E", "W")
            label(name, at: ScenePoint(x, rect.y + MapTheme.smallSize + 2), .middle, &scene)
        }
        for latitude in parallels {
            let y = view.point(for: Coordinate(latitude: latitude, longitude: view.center.longitude)).y
            let line = [ScenePoint(rect.x, y), ScenePoint(rect.maxX, y)]
            scene.add(.polyline(line, MapTheme.graticule), z: MapLayer.graticule)
            label(text(latitude, "N", "S"), at: ScenePoint(rect.x + 4, y - 3), .start, &scene)
        }
    }

    /// Longitudes of the lines, continuous from the centre and possibly beyond 180°.
    private var meridians: [Double] {
        let half = view.visible.width / 2 / view.worldWidth * 360
        return multiples(from: view.center.longitude - half, to: view.center.longitude + half)
    }

    private var parallels: [Double] {
        let bounds = view.bounds
        return multiples(from: bounds.south, to: bounds.north)
    }

    private func multiples(from: Double, to: Double) -> [Double] {
        let first = (from / step).rounded(.up)
        let last = (to / step).rounded(.down)
        guard first <= last, last - first < 200 else { return [] }
        return stride(from: first, through: last, by: 1).map { $0 * step }
    }

    private func text(_ degrees: Double, _ positive: String, _ negative: String) -> String {
        let places = max(0, Int((-log10(step)).rounded(.up)))
        let number = NumberText.fixed(abs(degrees), places: places)
        let isEdge = degrees == 0 || abs(degrees) == 180
        return number + "°" + (isEdge ? "" : degrees < 0 ? negative : positive)
    }

    private func label(_ text: String, at: ScenePoint, _ anchor: TextAnchor, _ scene: inout Scene) {
        let shape = TextShape(
            text, at: at, size: MapTheme.smallSize, anchor: anchor, color: .faint, halo: .white)
        let box = GridDrawing.box(of: shape)
        guard view.visible.encloses(box), !blocked.contains(where: { $0.intersects(box) }) else { return }
        scene.add(.text(shape), z: MapLayer.graticule)
    }
}
