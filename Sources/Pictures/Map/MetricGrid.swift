import Foundation
import Geodesy

/// The grid of UTM: lines at round metres in each zone, in their true direction, which differs from north by the meridian
/// convergence, and the borders of the zones.
struct MetricGrid {
    let view: MapView
    /// Whether labels are those of MGRS.
    let isMGRS: Bool
    var blocked: [SceneRect] = []

    private static let steps = [1.0, 10, 100, 1_000, 10_000, 100_000]
    /// Points between two lines at least: a kilometre is drawn up to 1:100,000, less only where its numbers have room.
    private static let spacing = (whole: 25.0, part: 56.0)
    /// Metres of a line whose number has no decimals.
    private static let whole = 1_000.0
    /// Sections of a line that is curved on the map.
    private static let sections = 24
    /// Samples along a side of a zone's part of the picture, for the range of its lines.
    private static let samples = 8
    private static let color = Color(0x31518F)
    private static let line = Stroke(color, width: 0.5, opacity: 0.75)
    /// Every tenth line.
    private static let bold = Stroke(color, width: 0.9, opacity: 0.8)
    private static let border = Stroke(color, width: 1.4, dash: [8, 3], opacity: 0.9)
    private static let size = MapTheme.smallSize
    private static let zoneSize = MapTheme.smallSize + 2
    /// Points between a label and the edge.
    private static let inset = 4.0
    /// Points of a zone's part that is labelled.
    private static let leastPart = 12.0

    /// Metres between lines; `nil` if even the widest are too near to each other.
    var step: Double? {
        Self.steps.first {
            $0 / view.metresPerPoint >= ($0 < Self.whole ? Self.spacing.part : Self.spacing.whole)
        }
    }

    /// Why a grid that was asked for has no lines; `nil` if it has some.
    var lack: String? {
        if UTMZone.meeting(view.bounds).isEmpty {
            return "UTM ends at 84° north and 80° south; no grid is drawn"
        }
        return step == nil
            ? "at this scale the lines of UTM are too near to each other; no lines are drawn" : nil
    }

    func add(to scene: inout Scene) {
        var labels = Labels(view: view, taken: blocked)
        let parts = UTMZone.meeting(view.bounds).compactMap(part)
        for part in parts { border(part, &scene) }
        for part in parts { name(part, &labels, &scene) }
        guard let step else { return }
        for part in parts { lines(part, step, &labels, &scene) }
    }

    // MARK: Zones

    /// A zone with its part of the picture.
    private struct Part {
        var zone: UTMZone
        /// The zone in the picture.
        var whole: SceneRect
        /// The visible part of it.
        var shown: SceneRect
    }

    private func part(_ zone: UTMZone) -> Part? {
        guard let area = zone.area else { return nil }
        let visible = view.visible
        let half = (area.east - area.west) / 2
        let middle = Angle.longitude(area.west + half - view.center.longitude)
        func x(_ degrees: Double) -> Double { view.size.width / 2 + degrees / 360 * view.worldWidth }
        func y(_ latitude: Double) -> Double {
            view.point(for: Coordinate(latitude: latitude, longitude: view.center.longitude)).y
        }
        // Half of a zone may be at either end of the world.
        for shift in [0.0, -360, 360] {
            let (left, right) = (x(middle - half + shift), x(middle + half + shift))
            let whole = SceneRect(
                x: left, y: y(area.north), width: right - left, height: y(area.south) - y(area.north))
            let (west, east) = (max(whole.x, visible.x), min(whole.maxX, visible.maxX))
            let (north, south) = (max(whole.y, visible.y), min(whole.maxY, visible.maxY))
            guard east > west, south > north else { continue }
            let shown = SceneRect(x: west, y: north, width: east - west, height: south - north)
            return Part(zone: zone, whole: whole, shown: shown)
        }
        return nil
    }

    /// The western and southern edge of a zone: the others are those of its neighbours.
    private func border(_ part: Part, _ scene: inout Scene) {
        let (whole, shown) = (part.whole, part.shown)
        if whole.x >= shown.x - 0.01, whole.x > view.visible.x {
            let edge = [ScenePoint(whole.x, shown.y), ScenePoint(whole.x, shown.maxY)]
            scene.add(.polyline(edge, Self.border), z: MapLayer.graticule)
        }
        if whole.maxY <= shown.maxY + 0.01, whole.maxY < view.visible.maxY {
            let edge = [ScenePoint(shown.x, whole.maxY), ScenePoint(shown.maxX, whole.maxY)]
            scene.add(.polyline(edge, Self.border), z: MapLayer.graticule)
        }
    }

    /// The name of a zone, beside the numbers at its left and right edge.
    private func name(_ part: Part, _ labels: inout Labels, _ scene: inout Scene) {
        guard part.shown.width > Self.leastPart, part.shown.height > Self.leastPart else { return }
        let shown = part.shown
        // Below the numbers along the upper edge, and the title.
        for share in [0.0, 0.3, 0.6, 0.9] {
            let y = shown.y + Self.inset + (Self.size + Self.zoneSize) * 1.6 + share * shown.height
            let places = [
                (ScenePoint(shown.x + Self.inset, y), TextAnchor.start),
                (ScenePoint(shown.maxX - Self.inset, y), .end),
            ]
            for (at, anchor) in places {
                let text = TextShape(
                    part.zone.name, at: at, size: Self.zoneSize, anchor: anchor, color: Self.color,
                    weight: .bold, halo: .white)
                if labels.place(text, in: shown, &scene) { return }
            }
        }
    }

    // MARK: Lines

    private func lines(_ part: Part, _ step: Double, _ labels: inout Labels, _ scene: inout Scene) {
        let shown = part.shown
        let edge = (0...Self.samples).map { Double($0) / Double(Self.samples) }
        let ring = edge.flatMap { share in
            [
                ScenePoint(shown.x + share * shown.width, shown.y),
                ScenePoint(shown.x + share * shown.width, shown.maxY),
                ScenePoint(shown.x, shown.y + share * shown.height),
                ScenePoint(shown.maxX, shown.y + share * shown.height),
            ]
        }.map { part.zone.position(of: view.coordinate(at: $0)) }
        guard let west = ring.map(\.east).min(), let east = ring.map(\.east).max(),
            let south = ring.map(\.north).min(), let north = ring.map(\.north).max()
        else { return }
        // A side that curves outwards has its extreme between two samples.
        let eastings = multiples(of: step, from: west - step, to: east + step)
        let northings = multiples(of: step, from: south - step, to: north + step)
        func line(_ count: Double, _ coordinate: (Double) -> Coordinate) -> [[ScenePoint]] {
            let points = (0...Self.sections).map {
                view.point(for: coordinate(Double($0) / Double(Self.sections)))
            }
            return Clipping.line(points, in: shown)
        }
        for easting in eastings {
            let runs = line(easting) {
                part.zone.coordinate(east: easting, north: south - step + $0 * (north - south + 2 * step))
            }
            for run in runs { draw(run, easting, step, &scene) }
            guard let ends = Self.ends(runs, by: \.y) else { continue }
            let text = label(easting, step)
            write(text, at: ScenePoint(ends.low.x, shown.y + Self.size + 2), .middle, part, &labels, &scene)
            write(text, at: ScenePoint(ends.high.x, shown.maxY - Self.inset), .middle, part, &labels, &scene)
        }
        for northing in northings {
            let runs = line(northing) {
                part.zone.coordinate(east: west - step + $0 * (east - west + 2 * step), north: northing)
            }
            for run in runs { draw(run, northing, step, &scene) }
            guard let ends = Self.ends(runs, by: \.x) else { continue }
            let text = label(northing, step)
            write(text, at: ScenePoint(shown.x + Self.inset, ends.low.y - 2), .start, part, &labels, &scene)
            write(text, at: ScenePoint(shown.maxX - Self.inset, ends.high.y - 2), .end, part, &labels, &scene)
        }
        if isMGRS { squares(part, (west, east), (south, north), &labels, &scene) }
    }

    private func multiples(of step: Double, from low: Double, to high: Double) -> [Double] {
        let (first, last) = ((low / step).rounded(.up), (high / step).rounded(.down))
        guard first <= last, last - first < 2_000 else { return [] }
        return stride(from: first, through: last, by: 1).map { $0 * step }
    }

    private func draw(_ run: [ScenePoint], _ metres: Double, _ step: Double, _ scene: inout Scene) {
        let isBold = Int((metres / step).rounded()) % 10 == 0
        scene.add(.polyline(run, isBold ? Self.bold : Self.line), z: MapLayer.graticule)
    }

    private static func ends(
        _ runs: [[ScenePoint]], by value: KeyPath<ScenePoint, Double>
    ) -> (low: ScenePoint, high: ScenePoint)? {
        let points = runs.joined()
        guard let low = points.min(by: { $0[keyPath: value] < $1[keyPath: value] }),
            let high = points.max(by: { $0[keyPath: value] < $1[keyPath: value] })
        else { return nil }
        return (low, high)
    }

    // MARK: Labels

    /// Kilometres, with decimals where lines are nearer; in MGRS the digits within the square.
    private func label(_ metres: Double, _ step: Double) -> String {
        guard isMGRS else {
            let places = max(0, Int((3 - log10(step)).rounded()))
            return NumberText.fixed(metres / 1_000, places: step >= Self.whole ? 0 : places)
        }
        let digits = max(0, Int((5 - log10(step)).rounded()))
        let within = Int((metres / step).rounded()) % Int((UTMZone.squareSide / step).rounded())
        let text = String(within)
        return digits == 0 ? "" : String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private func write(
        _ text: String, at: ScenePoint, _ anchor: TextAnchor, _ part: Part, _ labels: inout Labels,
        _ scene: inout Scene
    ) {
        let shape = TextShape(
            text, at: at, size: Self.size, anchor: anchor, color: Self.color, halo: .white)
        if !text.isEmpty { _ = labels.place(shape, in: part.shown, &scene) }
    }

    /// The letters of each square of 100 km, in the middle of its visible part.
    private func squares(
        _ part: Part, _ across: (Double, Double), _ along: (Double, Double), _ labels: inout Labels,
        _ scene: inout Scene
    ) {
        let side = UTMZone.squareSide
        let columns = multiples(of: side, from: across.0 - side, to: across.1)
        let rows = multiples(of: side, from: along.0 - side, to: along.1)
        for column in columns {
            for row in rows {
                let (west, east) = (max(across.0, column), min(across.1, column + side))
                let (south, north) = (max(along.0, row), min(along.1, row + side))
                guard west < east, south < north else { continue }
                let middle = ((west + east) / 2, (south + north) / 2)
                guard let letters = part.zone.square(east: middle.0, north: middle.1) else { continue }
                let at = view.point(for: part.zone.coordinate(east: middle.0, north: middle.1))
                let text = TextShape(
                    letters, at: at, size: Self.zoneSize, anchor: .middle,
                    color: Self.color, weight: .bold, halo: .white)
                _ = labels.place(text, in: part.shown, &scene)
            }
        }
    }

    /// Labels that do not overlap each other.
    private struct Labels {
        let view: MapView
        var taken: [SceneRect]

        mutating func place(_ text: TextShape, in part: SceneRect, _ scene: inout Scene) -> Bool {
            let box = GridDrawing.box(of: text)
            guard part.encloses(box), !taken.contains(where: { $0.intersects(box) }) else { return false }
            taken.append(box)
            scene.add(.text(text), z: MapLayer.graticule)
            return true
        }
    }
}
