import Foundation

extension Chart {
    /// The default size of a chart: the width of a lesson's page.
    public static let defaultSize = SceneSize(width: 720, height: 300)

    /// The chart as a picture.
    public func scene(size: SceneSize = defaultSize) -> Scene {
        ChartDrawing(chart: self, size: size).scene()
    }

    /// The plot area of the picture of a size, for pages that mark positions in it.
    public func plot(size: SceneSize = defaultSize) -> ChartPlot {
        let drawing = ChartDrawing(chart: self, size: size)
        return ChartPlot(frame: drawing.plot, x: drawing.layout.xRange)
    }
}

/// The plot area of a chart's picture.
public struct ChartPlot: Sendable, Hashable {
    /// The frame in points, without labels.
    public let frame: SceneRect
    /// The values of x at its left and right edge.
    public let x: ClosedRange<Double>
}

/// Draws a chart as a scene.
private struct ChartDrawing {
    let chart: Chart
    let size: SceneSize
    let layout: ChartLayout
    let plot: SceneRect

    private static let text = ChartTheme.textSize

    init(chart: Chart, size: SceneSize) {
        self.chart = chart
        self.size = size
        let margin = ChartTheme.margin
        let top =
            margin + (chart.title.isEmpty && chart.series.count < 2 ? 0 : ChartTheme.titleSize + 8)
            + (chart.marks.contains { !$0.label.isEmpty } ? Self.text + 4 : 0)
        let bottom = margin + Self.text + 6 + (chart.x.title.isEmpty ? 0 : Self.text + 7)
        let height = max(20, size.height - top - bottom)
        let yCount = max(2, Int(height / ChartTheme.tickSpacing.y))
        let xCount = max(2, Int(size.width / ChartTheme.tickSpacing.x))
        layout = ChartLayout(chart, xCount: xCount, yCount: yCount)
        let labels = layout.yTicks.values.map(layout.yTicks.text)
        let widest = labels.map { TextShape.estimatedWidth(of: $0, size: Self.text) }.max() ?? 0
        let left = margin + widest + 8 + (chart.y.title.isEmpty ? 0 : Self.text + 8)
        plot = SceneRect(x: left, y: top, width: max(20, size.width - left - margin - 8), height: height)
    }

    func scene() -> Scene {
        var scene = Scene(size: size, background: .white, title: chart.title)
        grid(&scene)
        lines(&scene)
        thresholds(&scene)
        marks(&scene)
        titles(&scene)
        if chart.series.count > 1 { legend(&scene) }
        return scene
    }

    private func grid(_ scene: inout Scene) {
        for value in layout.yTicks.values {
            let y = layout.y(value, in: plot)
            scene.add(.polyline([ScenePoint(plot.x, y), ScenePoint(plot.maxX, y)], ChartTheme.grid))
            let at = ScenePoint(plot.x - 8, y + Self.text * 0.36)
            scene.add(
                .text(
                    TextShape(layout.yTicks.text(value), at: at, size: Self.text, anchor: .end, color: .faint)
                ))
        }
        let base = [ScenePoint(plot.x, plot.maxY), ScenePoint(plot.maxX, plot.maxY)]
        scene.add(.polyline(base, ChartTheme.axis), z: 2)
        for value in layout.xTicks.values {
            let x = layout.x(value, in: plot)
            scene.add(
                .polyline([ScenePoint(x, plot.maxY), ScenePoint(x, plot.maxY + 4)], ChartTheme.axis), z: 2)
            let at = ScenePoint(x, plot.maxY + Self.text + 7)
            scene.add(
                .text(
                    TextShape(
                        layout.xTicks.text(value), at: at, size: Self.text, anchor: .middle, color: .faint)))
        }
    }

    private func lines(_ scene: inout Scene) {
        for (index, series) in chart.series.enumerated() {
            let color = series.color(index)
            let runs = layout.runs(of: series, in: plot)
            for run in runs where series.isFilled {
                let fill = Fill(color, opacity: ChartTheme.fillOpacity)
                scene.add(.polygon([layout.area(under: run, in: plot)], fill: fill, stroke: nil), z: 1)
            }
            for run in runs { scene.add(.polyline(run, Stroke(color, width: ChartTheme.lineWidth)), z: 3) }
        }
    }

    private func thresholds(_ scene: inout Scene) {
        for threshold in chart.thresholds where layout.yRange.contains(threshold.y) {
            let y = layout.y(threshold.y, in: plot)
            let stroke = Stroke(threshold.color, width: 1.4, dash: [6, 4])
            scene.add(.polyline([ScenePoint(plot.x, y), ScenePoint(plot.maxX, y)], stroke), z: 4)
            let isHigh = y - plot.y < Self.text + 8
            let at = ScenePoint(plot.maxX - 2, isHigh ? y + Self.text + 3 : y - 5)
            let text = TextShape(
                threshold.label, at: at, size: Self.text, anchor: .end, color: threshold.color, halo: .white)
            if !threshold.label.isEmpty { scene.add(.text(text), z: 6) }
        }
    }

    /// Marks with their labels in one row above the plot; a label that would overlap the previous one is omitted.
    private func marks(_ scene: inout Scene) {
        var end = -Double.infinity
        for mark in chart.marks.sorted(by: { $0.x < $1.x }) where layout.xRange.contains(mark.x) {
            let x = layout.x(mark.x, in: plot)
            let stroke = Stroke(mark.color, width: 1.2, dash: [2, 3])
            scene.add(.polyline([ScenePoint(x, plot.y - 2), ScenePoint(x, plot.maxY)], stroke), z: 4)
            if let height = layout.height(of: chart, at: mark.x) {
                let center = ScenePoint(x, layout.y(height, in: plot))
                let edge = Stroke(.white, width: 1.5)
                if plot.contains(center) {
                    scene.add(
                        .circle(center: center, radius: 4.5, fill: Fill(mark.color), stroke: edge), z: 5)
                }
            }
            let half = TextShape.estimatedWidth(of: mark.label, size: Self.text) / 2
            let middle = min(max(x, half + 2), size.width - half - 2)
            guard !mark.label.isEmpty, middle - half > end else { continue }
            end = middle + half + 6
            let at = ScenePoint(middle, plot.y - 6)
            scene.add(
                .text(TextShape(mark.label, at: at, size: Self.text, anchor: .middle, color: .ink)), z: 6)
        }
    }

    private func titles(_ scene: inout Scene) {
        let margin = ChartTheme.margin
        if !chart.title.isEmpty {
            let at = ScenePoint(margin, margin + ChartTheme.titleSize * 0.8)
            scene.add(.text(TextShape(chart.title, at: at, size: ChartTheme.titleSize, weight: .bold)))
        }
        if !chart.x.title.isEmpty {
            let at = ScenePoint(plot.center.x, size.height - margin + 2)
            scene.add(.text(TextShape(chart.x.title, at: at, size: Self.text, anchor: .middle, color: .ink)))
        }
        if !chart.y.title.isEmpty {
            let at = ScenePoint(margin + Self.text * 0.7, plot.center.y)
            scene.add(
                .text(
                    TextShape(
                        chart.y.title, at: at, size: Self.text, anchor: .middle, color: .ink, rotation: -90)))
        }
    }

    /// The names of the lines, from the right end of the title's row.
    private func legend(_ scene: inout Scene) {
        var right = plot.maxX
        let y = ChartTheme.margin + ChartTheme.titleSize * 0.8
        for (index, series) in chart.series.enumerated().reversed() where !series.name.isEmpty {
            let text = TextShape(series.name, at: ScenePoint(right, y), size: Self.text, anchor: .end)
            scene.add(.text(text))
            right -= TextShape.estimatedWidth(of: series.name, size: Self.text) + 6
            let line = [ScenePoint(right - 18, y - 4), ScenePoint(right, y - 4)]
            scene.add(.polyline(line, Stroke(series.color(index), width: 3)))
            right -= 36
        }
    }
}

extension ChartSeries {
    /// Its own colour, or the palette's colour for its index.
    func color(_ index: Int) -> Color {
        color ?? ChartTheme.palette[index % ChartTheme.palette.count]
    }
}
