import Foundation
import Geodesy

/// Arrows and distances along the ways of a map.
struct Milestones {
    let view: MapView
    let units: ScaleUnits

    /// Minimum distance of marks along a way, in points.
    private static let spacing = 75.0
    /// Points between arrows.
    private static let arrowSpacing = 105.0
    /// Points over which an arrow's direction is computed.
    private static let reach = 6.0
    /// Half the length of an arrow.
    private static let arrow = 5.0
    private static let letters = 8.5
    /// Maximum number of marks.
    private static let most = 500

    /// The elements drawn, and the space of the distances.
    struct Drawing {
        var elements: [SceneElement] = []
        var room: [SceneRect] = []
    }

    /// The marks of the ways among features. They avoid `blocked`.
    func drawing(_ features: [MapFeature], avoiding blocked: [SceneRect]) -> Drawing {
        var taken = OccupancyGrid(size: view.size)
        for box in blocked { taken.add(box) }
        var drawing = Drawing()
        for case .milestones(let parts, let color) in features {
            addDistances(parts, color, &taken, &drawing)
        }
        for case .milestones(let parts, let color) in features {
            for run in parts.flatMap(view.runs) { addArrows(run, color, taken, &drawing) }
        }
        return drawing
    }

    // MARK: Distances

    /// The distance between marks, in kilometres or miles: 1, 2 or 5 times a power of ten.
    private func step(_ unit: Double) -> Double {
        max(1, RoundNumber.ceiling(Self.spacing * view.metresPerPoint / unit))
    }

    private func addDistances(
        _ parts: [[Coordinate]], _ color: Color, _ taken: inout OccupancyGrid, _ drawing: inout Drawing
    ) {
        let unit = units == .imperial ? 1_609.344 : 1_000
        let step = step(unit)
        var (walked, next) = (0.0, step)
        for part in parts {
            let places = part.filter(\.isValid)
            for (from, to) in zip(places, places.dropFirst()) {
                let length = from.distance(to: to)
                while walked + length >= next * unit, drawing.room.count < Self.most {
                    let share = length > 0 ? (next * unit - walked) / length : 0
                    let (a, b) = (view.point(for: from), view.point(for: to))
                    let at = ScenePoint(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)
                    // A leg across the edge of the shown world has no middle in the picture.
                    let isShown = from.isOnMercator && to.isOnMercator && abs(b.x - a.x) < view.worldWidth / 2
                    if isShown { addDistance(next, at, color, &taken, &drawing) }
                    next += step
                }
                walked += length
            }
        }
    }

    private func addDistance(
        _ count: Double, _ at: ScenePoint, _ color: Color, _ taken: inout OccupancyGrid,
        _ drawing: inout Drawing
    ) {
        let text = NumberText.decimal(count, places: 0)
        let radius = 5.5 + 2.4 * Double(text.count)
        let box = SceneRect(x: at.x - radius, y: at.y - radius, width: 2 * radius, height: 2 * radius)
        guard view.visible.encloses(box), !taken.meets(box) else { return }
        taken.add(box)
        drawing.room.append(box)
        let shapes: [SceneShape] = [
            .circle(center: at, radius: radius, fill: Fill(.white), stroke: Stroke(color, width: 1.6)),
            .text(
                TextShape(
                    text, at: at.moved(0, Self.letters * 0.36), size: Self.letters, anchor: .middle,
                    weight: .bold)),
        ]
        drawing.elements.append(
            SceneElement(
                shape: .group(shapes.map { SceneElement(shape: $0) }, clip: nil), z: MapLayer.milestone))
    }

    // MARK: Arrows

    private func addArrows(
        _ run: [ScenePoint], _ color: Color, _ taken: OccupancyGrid, _ drawing: inout Drawing
    ) {
        let along = Measured(run)
        var place = Self.arrowSpacing / 2
        while place < along.length - Self.reach, drawing.elements.count < 4 * Self.most {
            defer { place += Self.arrowSpacing }
            let (at, before, after) = (
                along.point(place), along.point(place - Self.reach), along.point(place + Self.reach)
            )
            let (dx, dy) = (after.x - before.x, after.y - before.y)
            let length = (dx * dx + dy * dy).squareRoot()
            let side = Self.arrow * 2
            let box = SceneRect(x: at.x - side / 2, y: at.y - side / 2, width: side, height: side)
            // Where a way reverses, an arrow would be ambiguous.
            guard length > Self.reach, view.visible.encloses(box), !taken.meets(box) else { continue }
            let (ux, uy) = (dx / length, dy / length)
            func corner(_ forward: Double, _ left: Double) -> ScenePoint {
                at.moved(
                    (forward * ux + left * uy) * Self.arrow, (forward * uy - left * ux) * Self.arrow)
            }
            let outline = [corner(1.1, 0), corner(-0.8, 0.9), corner(-0.35, 0), corner(-0.8, -0.9)]
            drawing.elements.append(
                SceneElement(
                    shape: .polygon([outline], fill: Fill(color), stroke: Stroke(.white, width: 1)),
                    z: MapLayer.arrow))
        }
    }

    /// A line of a picture by the distance along it.
    private struct Measured {
        let points: [ScenePoint]
        let along: [Double]
        var length: Double { along.last ?? 0 }

        init(_ points: [ScenePoint]) {
            self.points = points
            var along: [Double] = []
            along.reserveCapacity(points.count)
            var sum = 0.0
            for (index, point) in points.enumerated() {
                if index > 0 {
                    let (dx, dy) = (point.x - points[index - 1].x, point.y - points[index - 1].y)
                    sum += (dx * dx + dy * dy).squareRoot()
                }
                along.append(sum)
            }
            self.along = along
        }

        /// The point at a distance from the start, by bisection.
        func point(_ distance: Double) -> ScenePoint {
            var (low, high) = (0, points.count - 1)
            while high - low > 1 {
                let middle = (low + high) / 2
                if along[middle] <= distance { low = middle } else { high = middle }
            }
            let span = along[high] - along[low]
            let share = span > 0 ? max(0, min(1, (distance - along[low]) / span)) : 0
            let (a, b) = (points[low], points[high])
            return ScenePoint(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)
        }
    }
}
