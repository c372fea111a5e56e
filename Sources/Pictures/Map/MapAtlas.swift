import Foundation
import Geodesy

/// A page of an atlas beside another.
public struct AtlasNeighbour: Sendable, Hashable {
    /// Its number.
    public let number: Int
    /// From the middle of the page to that of the neighbour, in points.
    public let offset: ScenePoint
}

/// Pages of one scale that cover the ways and points of a map, along the ways, each overlapping the next.
public struct MapAtlas: Sendable {
    /// The constants of atlases.
    public enum Settings {
        /// The margin on each side of a page that the next page shows too, as a share of the shorter side.
        public static let overlap = 0.08
        /// The maximum number of pages.
        public static let mostPages = 100
        /// Pieces of a page's shorter side between the checked points of a way.
        static let checks = 16.0
    }

    /// The pages, in the order of the ways.
    public private(set) var pages: [MapView] = []
    /// Whether there would be more pages than the maximum.
    public private(set) var isOverfull = false

    private let size: SceneSize
    private let zoom: @Sendable (Coordinate) -> Double
    /// The parts of the pages without their margins.
    private var inner: [Box] = []
    private var open: Box?
    /// The last point, to unroll the next across the 180° meridian.
    private var last: WebMercator.Point?

    /// The world's square, continued to the east and west.
    private struct Box {
        var west, north, east, south: Double

        init(_ point: WebMercator.Point) {
            (west, east, north, south) = (point.x, point.x, point.y, point.y)
        }

        func with(_ point: WebMercator.Point) -> Box {
            var box = self
            box.west = min(west, point.x)
            box.east = max(east, point.x)
            box.north = min(north, point.y)
            box.south = max(south, point.y)
            return box
        }

        /// Whether it has a point, or a copy of it in an adjacent world.
        func contains(_ point: WebMercator.Point) -> Bool {
            guard (north...south).contains(point.y) else { return false }
            let away = point.x - (west + east) / 2
            return abs(away - away.rounded()) <= (east - west) / 2
        }

        var center: WebMercator.Point { WebMercator.Point(x: (west + east) / 2, y: (north + south) / 2) }
    }

    /// The atlas of features with pages of a size in points, at a zoom that depends on the latitude of a page.
    public init(of features: [MapFeature], size: SceneSize, zoom: @escaping @Sendable (Coordinate) -> Double)
    {
        self.size = size
        self.zoom = zoom
        var points: [Coordinate] = []
        for feature in features {
            switch feature {
            case .route(let line), .track(let line): follow(line)
            case .line(let line, let style) where style.layer >= MapLayer.route: follow(line)
            case .polygon(let rings, _): for ring in rings.prefix(1) { follow(ring) }
            case .waypoint, .point, .position, .badge: points += feature.coordinates
            case .line, .tile, .milestones: break
            }
        }
        for coordinate in points where coordinate.isOnMercator {
            last = nil
            reach(WebMercator.project(coordinate), after: nil)
        }
        close()
    }

    /// The neighbours of a page: those that overlap it, and those before and after it.
    public func neighbours(of index: Int) -> [AtlasNeighbour] {
        let page = pages[index]
        return pages.indices.compactMap { other in
            let at = page.point(for: pages[other].center)
            let offset = ScenePoint(at.x - size.width / 2, at.y - size.height / 2)
            let isBeside = abs(offset.x) < size.width && abs(offset.y) < size.height
            guard other != index, isBeside || abs(other - index) == 1 else { return nil }
            return AtlasNeighbour(number: other + 1, offset: offset)
        }
    }

    /// The corners of a page.
    public func corners(of index: Int) -> [Coordinate] {
        let page = pages[index]
        return [
            ScenePoint(0, 0), ScenePoint(size.width, 0), ScenePoint(size.width, size.height),
            ScenePoint(0, size.height),
        ].map { page.coordinate(at: $0) }
    }

    // MARK: Layout

    private mutating func follow(_ line: [Coordinate]) {
        var before: WebMercator.Point?
        last = nil
        for coordinate in line {
            guard coordinate.isOnMercator else {
                before = nil
                continue
            }
            let point = unrolled(WebMercator.project(coordinate))
            let step = self.step(at: coordinate)
            let start = before ?? point
            let count = max(1, Int((max(abs(point.x - start.x), abs(point.y - start.y)) / step).rounded(.up)))
            guard count <= 1_000_000 else {
                isOverfull = true
                return
            }
            for index in 1...count where !isOverfull {
                let share = Double(index) / Double(count)
                let next = WebMercator.Point(
                    x: start.x + (point.x - start.x) * share, y: start.y + (point.y - start.y) * share)
                reach(next, after: before)
                before = next
            }
        }
    }

    private mutating func unrolled(_ point: WebMercator.Point) -> WebMercator.Point {
        var point = point
        if let last {
            let dx = point.x - last.x
            point.x = last.x + dx - dx.rounded()
        }
        last = point
        return point
    }

    /// Puts a point on a page: on the open one if it fits, else on a new one from the point before it.
    private mutating func reach(_ point: WebMercator.Point, after before: WebMercator.Point?) {
        if let box = open {
            let grown = box.with(point)
            if fits(grown) {
                open = grown
                return
            }
            close()
        }
        // A way that returns needs no second page.
        guard !inner.contains(where: { $0.contains(point) }), !isOverfull else { return }
        let start = Box(before ?? point).with(point)
        open = fits(start) ? start : Box(point)
    }

    private func fits(_ box: Box) -> Bool {
        let room = room(at: WebMercator.unproject(box.center))
        return box.east - box.west <= room.width && box.south - box.north <= room.height
    }

    private mutating func close() {
        guard let box = open else { return }
        open = nil
        guard pages.count < Settings.mostPages else {
            isOverfull = true
            return
        }
        let center = WebMercator.unproject(box.center)
        let room = room(at: center)
        pages.append(MapView(center: center, zoom: zoom(center), size: size))
        var whole = Box(box.center)
        (whole.west, whole.east) = (box.center.x - room.width / 2, box.center.x + room.width / 2)
        (whole.north, whole.south) = (box.center.y - room.height / 2, box.center.y + room.height / 2)
        inner.append(whole)
    }

    /// The part of a page without its margins, in widths of the world.
    private func room(at center: Coordinate) -> SceneSize {
        let margin = Settings.overlap * min(size.width, size.height)
        let world = GeodesySettings.tileSize * exp2(zoom(center))
        return SceneSize(width: (size.width - 2 * margin) / world, height: (size.height - 2 * margin) / world)
    }

    private func step(at center: Coordinate) -> Double {
        let room = room(at: center)
        return min(room.width, room.height) / Settings.checks
    }
}
