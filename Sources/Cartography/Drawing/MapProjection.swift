import Foundation
import Geodesy
import Pictures

/// The mapping of stored coordinates to a picture.
struct MapProjection {
    let zoom: Double
    let size: SceneSize
    /// Whether labels may extend beyond the picture.
    let isTile: Bool
    /// Points of the picture per stored unit.
    let scale: Double
    /// The stored coordinates of the upper left corner.
    let originX: Double
    let originY: Double

    init(_ view: MapView) {
        zoom = view.zoom
        size = view.size
        isTile = view.isTile
        scale = view.worldWidth / MapLevel.world
        let center = WebMercator.project(view.center)
        originX = center.x * MapLevel.world - view.size.width / 2 / scale
        originY = center.y * MapLevel.world - view.size.height / 2 / scale
    }

    func point(_ place: MapPoint) -> ScenePoint {
        ScenePoint((Double(place.x) - originX) * scale, (Double(place.y) - originY) * scale)
    }

    /// The stored areas of the picture with a margin in points, each with the stored units by which it lies to the
    /// east of its place in the picture: more than one across the 180° meridian.
    func boxes(margin: Double) -> [(box: MapBox, shift: Int32)] {
        let world = Int32(MapLevel.world)
        let (west, east) = (originX - margin / scale, originX + (size.width + margin) / scale)
        let (north, south) = (originY - margin / scale, originY + (size.height + margin) / scale)
        func clamped(_ value: Double) -> Int32 { Int32(max(0, min(MapLevel.world - 1, value))) }
        return [-world, 0, world].compactMap { shift in
            let (left, right) = (west + Double(shift), east + Double(shift))
            guard right >= 0, left < MapLevel.world else { return nil }
            var box = MapBox()
            box.add(MapPoint(x: clamped(left), y: clamped(north)))
            box.add(MapPoint(x: clamped(right), y: clamped(south)))
            return (box, shift)
        }
    }

    /// Whether a label is allowed at a position: it must not be cut at the edge of a picture, but may be at
    /// that of a tile, as the adjacent tile shows the rest.
    func keeps(_ box: SceneRect) -> Bool {
        isTile || (box.x >= 0 && box.y >= 0 && box.maxX <= size.width && box.maxY <= size.height)
    }

    /// Whether a feature is labelled.
    func labels(_ point: ScenePoint) -> Bool { isTile || rect(margin: 0).contains(point) }

    /// The picture and a margin around it.
    func rect(margin: Double) -> SceneRect {
        SceneRect(x: 0, y: 0, width: size.width, height: size.height).inset(by: -margin)
    }

    /// The points of a line, without those indistinguishable from the previous one.
    func line(_ places: [MapPoint]) -> [ScenePoint] {
        guard let first = places.first else { return [] }
        var points = [point(first)]
        points.reserveCapacity(places.count)
        var last = points[0]
        for index in places.indices.dropFirst() {
            let next = point(places[index])
            if abs(next.x - last.x) + abs(next.y - last.y) < 0.35, index < places.count - 1 { continue }
            points.append(next)
            last = next
        }
        return points
    }
}
