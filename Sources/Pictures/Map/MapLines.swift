import Foundation
import Geodesy

/// Lines and areas on a map: unrolled across the antimeridian, cut to what is shown.
extension MapView {
    /// How far outside the picture lines are kept, in points, so that their ends do not show.
    private static let margin = 64.0
    /// Minimum distance of points along a line, in points.
    private static let thinning = 0.3

    /// The clipping box of lines: the shown world, with a margin where the picture ends before the world does.
    private var lineFrame: SceneRect {
        let rect = visible
        let left = rect.x > 0 ? 0 : Self.margin
        let right = rect.maxX < size.width ? 0 : Self.margin
        return SceneRect(
            x: rect.x - left, y: rect.y - Self.margin, width: rect.width + left + right,
            height: rect.height + 2 * Self.margin)
    }

    /// The pieces of a line to draw. Each leg takes the shorter way round the world; a coordinate that is invalid, or beyond
    /// the end of the map near a pole, breaks the line.
    func runs(of line: [Coordinate]) -> [[ScenePoint]] {
        line.split { !$0.isOnMercator }.flatMap { part in
            let unrolled = unrolled(Array(part))
            return copies(of: unrolled).flatMap { Clipping.line($0, in: lineFrame) }
                .map { Clipping.thinned($0, distance: Self.thinning) }
        }
    }

    /// The copies of an area's rings to draw.
    func areas(of rings: [[Coordinate]]) -> [[[ScenePoint]]] {
        let whole = rings.map { unrolled($0.filter(\.isValid)) }.filter { $0.count > 2 }
        // An area that reaches beyond the end of the map is cut there.
        guard let outer = whole.first, rings.joined().contains(where: \.isOnMercator) else { return [] }
        return shifts(of: outer).compactMap { shift in
            let cut = whole.map { ring in
                Clipping.thinned(
                    Clipping.area(ring.map { $0.moved(shift, 0) }, in: lineFrame), distance: Self.thinning)
            }
            return cut.first?.isEmpty == false ? cut.filter { $0.count > 2 } : nil
        }
    }

    private func unrolled(_ line: [Coordinate]) -> [ScenePoint] {
        let middle = WebMercator.project(center)
        var previous = middle.x
        return line.map { place in
            let projected = WebMercator.project(place)
            let dx = projected.x - previous
            previous += dx - dx.rounded()
            return point(x: previous - middle.x, y: projected.y - middle.y)
        }
    }

    private func copies(of line: [ScenePoint]) -> [[ScenePoint]] {
        shifts(of: line).map { shift in shift == 0 ? line : line.map { $0.moved(shift, 0) } }
    }

    /// The offsets that move copies of a line into the picture.
    private func shifts(of line: [ScenePoint]) -> [Double] {
        let xs = line.map(\.x)
        guard let left = xs.min(), let right = xs.max() else { return [] }
        let first = ((lineFrame.x - right) / worldWidth).rounded(.up)
        let last = ((lineFrame.maxX - left) / worldWidth).rounded(.down)
        guard first <= last else { return [] }
        return stride(from: max(first, -8), through: min(last, 8), by: 1).map { $0 * worldWidth }
    }
}
