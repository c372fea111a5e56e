import Core
import Foundation
import Geodesy
import Pictures

/// A candidate for a height label on a contour.
struct ContourLabel {
    var text: String
    var at: ScenePoint
    /// Degrees clockwise; the top points uphill.
    var rotation: Double
}

/// Draws hillshade and contours.
struct ReliefDrawing {
    let table: MapTable
    let grid: Int
    let frame: MapProjection
    let style: MapStyle
    /// The units of contours.
    let units: ScaleUnits
    /// The rings of each sea, whose noise is no ground.
    let sea: [[[MapPoint]]]

    /// The approximate distance between height labels on contours, in points.
    private static let labelSpacing = 190.0
    /// Points of the picture between the points of a contour.
    private static let nearest = 1.5

    /// The visible area, and the step of contours in words; `nil` for no contours.
    func draw() throws -> (elements: [SceneElement], labels: [ContourLabel], step: String?) {
        guard frame.zoom >= 6, var window = try HeightWindow(table, grid: grid, frame: frame) else {
            return ([], [], nil)
        }
        try sink(&window)
        let positions = Positions(window, frame)
        var elements: [SceneElement] = []
        if let shade = shade(window, positions) { elements.append(shade) }
        try Interruption.check()
        guard let rule = style.contours, rule.zooms.contains(frame.zoom) else { return (elements, [], nil) }
        let steps = MapHeights.Steps(metric: rule.step.step(frame.zoom), units)
        let step = steps.metres
        let room = frame.rect(margin: 24)
        let thin = Stroke(rule.color, width: rule.width.at(frame.zoom))
        let bold = Stroke(rule.color, width: rule.bold.at(frame.zoom))
        var labels: [ContourLabel] = []
        let picture = frame.rect(margin: 0)
        var hasLines = false
        for line in Contours.lines(window, step: step) {
            let number = Int((line.height / step).rounded())
            // The level of the sea is its coast.
            if number == 0, !sea.isEmpty { continue }
            let isBold = number % 5 == 0
            let points = Self.rounded(line.points.map(positions.point))
            for run in SceneClipping.line(points, in: room) {
                elements.append(SceneElement(shape: .polyline(run, isBold ? bold : thin)))
                hasLines = hasLines || run.contains(where: picture.contains)
            }
            if isBold { labels += self.labels(line, steps.text(line.height), window, positions) }
        }
        return (elements, labels, hasLines ? steps.words : nil)
    }

    /// Removes points too near to the previous one: at small scales most of the drawing time would be spent
    /// on strokes of half a point.
    private static func thinned(_ points: [ScenePoint]) -> [ScenePoint] {
        guard var last = points.first else { return [] }
        var kept = [last]
        for (index, point) in points.enumerated().dropFirst() {
            let (dx, dy) = (point.x - last.x, point.y - last.y)
            guard dx * dx + dy * dy >= nearest * nearest || index == points.count - 1 else { continue }
            kept.append(point)
            last = point
        }
        return kept
    }

    /// Smooths a line by one pass of Chaikin's corner cutting (1974).
    private static func rounded(_ all: [ScenePoint]) -> [ScenePoint] {
        let points = thinned(all)
        guard points.count > 3, let first = points.first, let last = points.last else { return points }
        var result: [ScenePoint] = []
        result.reserveCapacity(points.count * 2)
        let isRing = first == last
        if !isRing { result.append(first) }
        for (a, b) in zip(points, points.dropFirst()) {
            result.append(ScenePoint(a.x * 0.75 + b.x * 0.25, a.y * 0.75 + b.y * 0.25))
            result.append(ScenePoint(a.x * 0.25 + b.x * 0.75, a.y * 0.25 + b.y * 0.75))
        }
        result.append(isRing ? result[0] : last)
        return result
    }

    /// Makes the heights of the sea unknown.
    private func sink(_ window: inout HeightWindow) throws {
        for rings in sea {
            for row in 0..<window.rows {
                if row % 64 == 0 { try Interruption.check() }
                let place = Coordinate(latitude: window.latitude(row: Double(row)), longitude: 0)
                let y = WebMercator.project(place).y * MapLevel.world
                let columns = RingMeasures.crossings(of: rings, at: y).sorted()
                    .map { $0 / MapLevel.world * 360 * window.perDegree - Double(window.firstColumn) }
                for index in stride(from: 0, to: columns.count - 1, by: 2) {
                    let first = max(0, Int(columns[index].rounded(.up)))
                    let last = min(window.columns - 1, Int(columns[index + 1].rounded(.down)))
                    guard first <= last else { continue }
                    for column in first...last { window.values[row * window.columns + column] = .nan }
                }
            }
        }
    }

    /// Numbers where a line crosses every n-th column or row of the global grid: positions that do not depend on the
    /// drawn area, on lines of each direction. Their tops point uphill.
    private func labels(
        _ line: Contours.Line, _ text: String, _ window: HeightWindow, _ positions: Positions
    ) -> [ContourLabel] {
        let cell = MapLevel.world / 360 / window.perDegree * frame.scale
        var step = 1
        while Double(step) * cell < Self.labelSpacing { step *= 2 }
        var labels: [ContourLabel] = []
        for index in line.points.indices {
            let point = line.points[index]
            let isOnColumn =
                point.x == point.x.rounded() && (window.firstColumn + Int(point.x)) % step == 0
            let isOnRow = point.y == point.y.rounded() && (window.firstRow + Int(point.y)) % step == 0
            guard isOnColumn || isOnRow, index > 1, index + 2 < line.points.count,
                let uphill = window.uphill(at: point)
            else { continue }
            let before = positions.point(line.points[index - 2])
            let after = positions.point(line.points[index + 2])
            var angle = atan2(after.y - before.y, after.x - before.x)
            // The top of a text turned by an angle points to (sin, −cos).
            if sin(angle) * uphill.x - cos(angle) * uphill.y < 0 { angle += .pi }
            if angle > .pi { angle -= 2 * .pi }
            labels.append(ContourLabel(text: text, at: positions.point(point), rotation: angle.degrees))
        }
        return labels
    }

    /// Slopes in classes over the visible area; `nil` if no heights are known, or too many are in view.
    func slopes() throws -> (element: SceneElement, legend: [LegendEntry], isPartlyUnknown: Bool)? {
        guard var window = try HeightWindow(table, grid: grid, frame: frame, isExact: true) else {
            return nil
        }
        let isPartlyUnknown = isUnknown(window)
        try sink(&window)
        let shading = SlopeShading(rules: style.slopes)
        let degrees = SlopeShading.degrees(window)
        try Interruption.check()
        let positions = Positions(window, frame)
        let picture = frame.rect(margin: 0)
        var classes: Set<Int> = []
        for row in 0..<window.rows where picture.y...picture.maxY ~= positions.y[row] {
            for column in 0..<window.columns where picture.x...picture.maxX ~= positions.x(Double(column)) {
                let slope = degrees[row * window.columns + column]
                if let index = shading.index(Double(slope)) { classes.insert(index) }
            }
        }
        let sample = SceneRect(
            x: -LegendEntry.sample.width / 2, y: -LegendEntry.sample.height / 2,
            width: LegendEntry.sample.width, height: LegendEntry.sample.height)
        var legend = classes.sorted().map { index in
            let fill = Fill(style.slopes[index].color, opacity: style.slopes[index].opacity)
            return LegendEntry(
                [SceneElement(shape: .polygon([sample.corners], fill: fill, stroke: nil))],
                words: shading.words(index))
        }
        let metres = 2 * Double.pi * GeodesySettings.earthRadius / 360 / Double(grid)
        legend.append(
            LegendEntry(
                [], words: "slopes of heights \(Int(metres.rounded())) m apart; shorter steps do not show"))
        let element = raster(degrees, window, positions) { shading.pixel($0) }
        return (element, legend, isPartlyUnknown)
    }

    /// Whether a height in view is unknown.
    private func isUnknown(_ window: HeightWindow) -> Bool {
        let positions = Positions(window, frame)
        let picture = frame.rect(margin: 0)
        return (0..<window.rows).contains { row in
            picture.y...picture.maxY ~= positions.y[row]
                && (0..<window.columns).contains { column in
                    picture.x...picture.maxX ~= positions.x(Double(column))
                        && window.values[row * window.columns + column].isNaN
                }
        }
    }

    private func shade(_ window: HeightWindow, _ positions: Positions) -> SceneElement? {
        let rule = style.relief
        guard rule.shadow > 0 || rule.highlight > 0 else { return nil }
        let light = Hillshade.brightness(window, exaggeration: rule.exaggeration.at(frame.zoom))
        return raster(light, window, positions) { rule.pixel($0) }
    }

    /// A picture of values at a window's samples.
    private func raster(
        _ light: [Float], _ window: HeightWindow, _ positions: Positions, _ pixel: (Float) -> UInt32
    ) -> SceneElement {
        let (columns, rows) = (window.columns, window.rows)
        var pixels = [UInt32](repeating: 0, count: columns * rows)
        let top = positions.y[0]
        let height = positions.y[rows - 1] - top
        var source = 0
        for row in 0..<rows {
            // Rows of the picture are evenly spaced, those of the heights are not.
            let y = top + height * Double(row) / Double(rows - 1)
            while source < rows - 2, positions.y[source + 1] <= y { source += 1 }
            let share = Float((y - positions.y[source]) / (positions.y[source + 1] - positions.y[source]))
            let near = share < 0.5 ? source : source + 1
            for column in 0..<columns {
                let (a, b) = (light[source * columns + column], light[(source + 1) * columns + column])
                var value = a + (b - a) * max(0, min(1, share))
                if value.isNaN { value = light[near * columns + column] }
                guard !value.isNaN else { continue }
                pixels[row * columns + column] = pixel(value)
            }
        }
        let half = (positions.x(1) - positions.x(0)) / 2
        let line = height / Double(rows - 1) / 2
        let rect = SceneRect(
            x: positions.x(0) - half, y: top - line,
            width: positions.x(Double(columns - 1)) - positions.x(0) + 2 * half,
            height: height + 2 * line)
        return SceneElement(
            shape: .raster(SceneRaster(width: columns, height: rows, pixels: pixels), rect))
    }

    /// The positions of a window's samples in the picture.
    private struct Positions {
        let y: [Double]
        private let left: Double
        private let step: Double

        init(_ window: HeightWindow, _ frame: MapProjection) {
            y = (0..<window.rows).map { row in
                let place = Coordinate(latitude: window.latitude(row: Double(row)), longitude: 0)
                return (WebMercator.project(place).y * MapLevel.world - frame.originY) * frame.scale
            }
            step = MapLevel.world / 360 / window.perDegree * frame.scale
            left = Double(window.firstColumn) * step - frame.originX * frame.scale
        }

        func x(_ column: Double) -> Double { left + column * step }

        func point(_ place: SIMD2<Double>) -> ScenePoint {
            let row = min(Int(place.y), y.count - 2)
            let share = place.y - Double(row)
            return ScenePoint(x(place.x), y[row] + (y[row + 1] - y[row]) * share)
        }
    }
}

extension ReliefRule {
    /// Black for shadow and white for light, with opacity by strength; alpha first, premultiplied.
    fileprivate func pixel(_ brightness: Float) -> UInt32 {
        if brightness < 0 {
            let alpha = min(1, Double(-brightness)) * shadow
            return UInt32((alpha * 255).rounded()) << 24
        }
        let alpha = UInt32((min(1, Double(brightness) * 2.4) * highlight * 255).rounded())
        return alpha << 24 | alpha << 16 | alpha << 8 | alpha
    }
}
