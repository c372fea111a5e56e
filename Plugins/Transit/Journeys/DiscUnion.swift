import Foundation
import Geodesy

/// The outline of many discs on the ground: circles are cut where others begin, and what remains is joined to rings.
///
/// Discs are drawn in Mercator's projection, which keeps small circles round; 5 km at 60° differ by less than a metre in
/// a thousand.
struct DiscUnion {
    /// A disc around a coordinate.
    struct Disc: Sendable {
        var center: Coordinate
        /// Metres.
        var radius: Double
    }

    /// A disc in the plane: x east, y north, in parts of the equator.
    private struct Circle {
        var x: Double
        var y: Double
        var r: Double
    }

    /// A part of a circle outside all others, counter-clockwise; the circles that it leaves and enters.
    private struct Arc {
        var circle: Int
        var from: Double
        var to: Double
        var left: Int
        var entered: Int
    }

    private struct Pair: Hashable {
        var circle: Int
        var other: Int
    }

    private static let equator = 2 * Double.pi * GeodesySettings.earthRadius
    private static let turn = 2 * Double.pi

    private let origin: Double
    private var circles: [Circle] = []

    private init(_ discs: [Disc]) {
        let origin = discs.first.map { WebMercator.project($0.center).x } ?? 0
        self.origin = origin
        let all = discs.filter { $0.radius > 0 }.map { disc in
            let point = WebMercator.project(disc.center)
            // On the side of the first one, so that the antimeridian is no border.
            let x = point.x - origin
            return Circle(
                x: x - x.rounded(), y: -point.y,
                r: disc.radius / Self.equator / max(0.01, disc.center.latitude.radians.cosine))
        }.sorted { ($1.r, $0.x, $0.y) < ($0.r, $1.x, $1.y) }
        // A disc within another has no part of the outline.
        let grid = Cells(all)
        for (index, circle) in all.enumerated() {
            let isInside = grid.near(circle).contains { other in
                other < index
                    && hypot(all[other].x - circle.x, all[other].y - circle.y) + circle.r
                        <= all[other].r
            }
            if !isInside { circles.append(circle) }
        }
    }

    /// The closed rings around discs: counter-clockwise around the area, clockwise around holes.
    static func rings(around discs: [Disc]) -> [[Coordinate]] {
        let union = DiscUnion(discs)
        return union.rings()
    }

    private func rings() -> [[Coordinate]] {
        let grid = Cells(circles)
        var arcs: [Arc] = []
        var next: [Pair: Int] = [:]
        var rings: [[Coordinate]] = []
        for index in circles.indices {
            switch free(index, grid.near(circles[index])) {
            case nil: rings.append(points(Arc(circle: index, from: 0, to: Self.turn, left: 0, entered: 0)))
            case let own?:
                for arc in own {
                    next[Pair(circle: index, other: arc.left)] = arcs.count
                    arcs.append(arc)
                }
            }
        }
        var used = [Bool](repeating: false, count: arcs.count)
        for first in arcs.indices where !used[first] {
            var ring: [Coordinate] = []
            var here: Int? = first
            while let arc = here, !used[arc] {
                used[arc] = true
                ring += points(arcs[arc]).dropLast()
                here = next[Pair(circle: arcs[arc].entered, other: arcs[arc].circle)]
            }
            if let start = ring.first, ring.count > 2 { rings.append(ring + [start]) }
        }
        return rings
    }

    /// The parts of a circle outside others; `nil` for the whole one.
    private func free(_ index: Int, _ near: [Int]) -> [Arc]? {
        let circle = circles[index]
        var covered: [(from: Double, to: Double, by: Int)] = []
        for other in near where other != index {
            let (dx, dy) = (circles[other].x - circle.x, circles[other].y - circle.y)
            let (d, r) = (hypot(dx, dy), circles[other].r)
            guard d < circle.r + r, d > abs(circle.r - r) else { continue }
            let half = acos(max(-1, min(1, (d * d + circle.r * circle.r - r * r) / (2 * d * circle.r))))
            var from = atan2(dy, dx) - half
            if from < 0 { from += Self.turn }
            covered.append((from, from + 2 * half, other))
            // What reaches around the end of the turn covers its beginning.
            if from + 2 * half > Self.turn {
                covered.append((from - Self.turn, from + 2 * half - Self.turn, other))
            }
        }
        covered.sort { ($0.from, $0.to) < ($1.from, $1.to) }
        guard var current = covered.first else { return nil }
        let first = covered[0]
        var arcs: [Arc] = []
        for part in covered.dropFirst() {
            if part.from > current.to, part.from >= 0 {
                arcs.append(
                    Arc(circle: index, from: current.to, to: part.from, left: current.by, entered: part.by))
            }
            if part.to > current.to { current = part }
        }
        if first.from >= 0, current.to < first.from + Self.turn {
            arcs.append(
                Arc(
                    circle: index, from: current.to, to: first.from + Self.turn, left: current.by,
                    entered: first.by))
        }
        return arcs
    }

    private func points(_ arc: Arc) -> [Coordinate] {
        let circle = circles[arc.circle]
        let steps = max(1, Int(((arc.to - arc.from) / JourneySettings.arcStep).rounded(.up)))
        return (0...steps).map { step in
            let angle = arc.from + (arc.to - arc.from) * Double(step) / Double(steps)
            return WebMercator.unproject(
                WebMercator.Point(
                    x: circle.x + circle.r * cos(angle) + origin, y: -(circle.y + circle.r * sin(angle))))
        }
    }

    /// Circles by square cells as wide as the largest of them.
    private struct Cells {
        private struct Cell: Hashable {
            var x: Int
            var y: Int
        }

        private let size: Double
        private var cells: [Cell: [Int]] = [:]

        init(_ circles: [Circle]) {
            size = max(1e-9, 2 * (circles.map(\.r).max() ?? 0))
            for (index, circle) in circles.enumerated() {
                cells[cell(circle, 0, 0), default: []].append(index)
            }
        }

        private func cell(_ circle: Circle, _ dx: Int, _ dy: Int) -> Cell {
            Cell(
                x: Int((circle.x / size).rounded(.down)) + dx, y: Int((circle.y / size).rounded(.down)) + dy)
        }

        /// The circles that may touch one, in order.
        func near(_ circle: Circle) -> [Int] {
            (-1...1).flatMap { dy in (-1...1).flatMap { cells[cell(circle, $0, dy)] ?? [] } }.sorted()
        }
    }
}
