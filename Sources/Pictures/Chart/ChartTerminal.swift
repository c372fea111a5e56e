import Core

extension Chart {
    /// Default rows of the plot in a terminal.
    public static let terminalRows = 12

    /// The chart as lines of text, at most `columns` wide: a title, `rows` rows of plot, the axis and its numbers,
    /// and a legend where there are several lines.
    public func terminal(
        columns: Int = 80, rows: Int = terminalRows, style: TerminalStyle = .braille
    ) -> String {
        let limit = PictureSettings.maximumCells
        return TerminalChart(
            chart: self, columns: max(16, min(columns, limit)), rows: max(3, min(rows, limit)), style: style
        ).lines().joined(separator: "\n")
    }
}

/// Draws a chart with the characters of a terminal.
private struct TerminalChart {
    let chart: Chart
    let columns: Int
    let rows: Int
    let style: TerminalStyle
    private let layout: ChartLayout
    /// Cells left of the axis.
    private let gutter: Int

    /// Dashes that distinguish lines without colour, in dots.
    private static let dashes: [[Double]] = [[], [2, 2], [5, 2], [1, 3], [6, 2, 1, 2]]
    private static let dotted: [Double] = [1, 2]
    private static let thin: [Double] = [1, 1]

    init(chart: Chart, columns: Int, rows: Int, style: TerminalStyle) {
        self.chart = chart
        self.columns = columns
        self.rows = rows
        self.style = style
        layout = ChartLayout(
            chart, xCount: max(2, columns / ChartTheme.tickCells.x),
            yCount: max(2, rows / ChartTheme.tickCells.y))
        let labels = layout.yTicks.values.map(layout.yTicks.text)
        gutter = min(columns / 2, labels.map { DisplayWidth.of($0) }.max() ?? 0) + 1
    }

    private var isPlain: Bool { style.glyphs == .plain }
    private var plotColumns: Int { max(1, columns - gutter - 1) }

    func lines() -> [String] {
        header + plot() + [axis, numbers].map { $0.finished() } + legend
    }

    private func shown(_ text: String) -> String { style.shown(text) }

    private var header: [String] {
        let axes = [chart.y.title, chart.x.title].filter { !$0.isEmpty }.joined(separator: " over ")
        let parts = [chart.title, axes].filter { !$0.isEmpty }.map(shown)
        let line = parts.joined(separator: "   ")
        let mark: Character = isPlain ? "~" : "…"
        let rows = DisplayWidth.of(line) <= columns ? [line] : parts
        return rows.filter { !$0.isEmpty }.map { DisplayWidth.truncated($0, to: columns, mark: mark) }
    }

    /// The rows of the plot with the numbers of the y axis before them.
    private func plot() -> [String] {
        var canvas = CellCanvas(columns: columns, rows: rows, style: style)
        let field = SceneRect(
            x: Double((gutter + 1) * DotGrid.dotsAcross), y: 0,
            width: Double(plotColumns * DotGrid.dotsAcross) - 0.01,
            height: Double(rows * DotGrid.dotsDown) - 0.01)
        draw(on: &canvas, field: field)
        let ticked = labels(on: &canvas, field: field)
        for row in 0..<rows {
            let line = ticked.contains(row) ? (isPlain ? "+" : "┤") : (isPlain ? "|" : "│")
            canvas.write(line, column: gutter, row: row, color: .faint)
        }
        annotate(&canvas, field: field)
        return canvas.lines()
    }

    private func draw(on canvas: inout CellCanvas, field: SceneRect) {
        for threshold in chart.thresholds where layout.yRange.contains(threshold.y) {
            let y = layout.y(threshold.y, in: field)
            let line = [ScenePoint(field.x, y), ScenePoint(field.maxX, y)]
            canvas.dots.line(line, ink: Ink(threshold.color), width: 1, dash: Self.dotted)
        }
        for mark in chart.marks where layout.xRange.contains(mark.x) {
            let x = layout.x(mark.x, in: field)
            let line = [ScenePoint(x, field.y), ScenePoint(x, field.maxY)]
            canvas.dots.line(line, ink: Ink(mark.color), width: 1, dash: Self.thin)
        }
        for (index, series) in chart.series.enumerated() {
            let ink = Ink(series.color(index))
            for run in layout.runs(of: series, in: field) {
                if series.isFilled && !isPlain {
                    canvas.dots.fill(
                        [layout.area(under: run, in: field)], ink: ink, density: ChartTheme.fillDensity)
                }
                canvas.dots.line(run, ink: ink, width: 1, dash: Self.dashes[index % Self.dashes.count])
            }
        }
    }

    /// Writes the numbers of the y axis and returns their rows.
    private func labels(on canvas: inout CellCanvas, field: SceneRect) -> Set<Int> {
        var ticked: Set<Int> = []
        for value in layout.yTicks.values {
            let row = min(rows - 1, max(0, Int(layout.y(value, in: field)) / DotGrid.dotsDown))
            let text = layout.yTicks.text(value)
            let start = gutter - 1 - DisplayWidth.of(text)
            guard start >= 0, ticked.insert(row).inserted else { continue }
            canvas.write(text, column: start, row: row, color: .faint)
        }
        return ticked
    }

    /// The labels of thresholds and marks, if there is space for them.
    private func annotate(_ canvas: inout CellCanvas, field: SceneRect) {
        for threshold in chart.thresholds where layout.yRange.contains(threshold.y) {
            let row = Int(layout.y(threshold.y, in: field)) / DotGrid.dotsDown
            let words = shown(threshold.label)
            let width = DisplayWidth.of(words)
            let column = columns - width
            guard width > 0, canvas.isFree(column: column, row: row, width: width) else { continue }
            canvas.writeClear(words, column: column, row: row, color: threshold.color)
        }
        for mark in chart.marks where layout.xRange.contains(mark.x) {
            let column = Int(layout.x(mark.x, in: field)) / DotGrid.dotsAcross
            let words = shown(mark.label)
            let width = DisplayWidth.of(words)
            let places = [column + 2, column - 1 - width].flatMap { start in [(start, 0), (start, 1)] }
            guard width > 0 else { continue }
            let free = places.filter { canvas.isFree(column: $0.0, row: $0.1, width: width) }
            let covers = free.map { canvas.dotsCovered(column: $0.0, row: $0.1, width: width) }
            guard let best = free.indices.min(by: { (covers[$0], $0) < (covers[$1], $1) }) else { continue }
            canvas.writeClear(words, column: free[best].0, row: free[best].1, color: mark.color)
        }
    }

    private func tickColumn(_ value: Double) -> Int {
        let field = SceneRect(x: 0, y: 0, width: Double(plotColumns) - 0.01, height: 1)
        return max(0, min(plotColumns - 1, Int(layout.x(value, in: field))))
    }

    private var axis: StyledLine {
        var line = StyledLine(colors: style.colors)
        line.append(String(repeating: " ", count: gutter) + (isPlain ? "+" : "└"), .faint)
        let ticks = Set(layout.xTicks.values.map(tickColumn))
        for column in 0..<plotColumns {
            let tick: Character = isPlain ? "+" : "┬"
            line.append(ticks.contains(column) ? tick : isPlain ? "-" : "─", .faint)
        }
        return line
    }

    /// The numbers of the x axis, each under its tick; one that would touch the previous one is omitted.
    private var numbers: StyledLine {
        var line = StyledLine(colors: style.colors)
        var end = 0
        for value in layout.xTicks.values {
            let text = layout.xTicks.text(value)
            let width = DisplayWidth.of(text)
            let middle = gutter + 1 + tickColumn(value)
            let start = max(0, min(columns - width, middle - (width - 1) / 2))
            guard end == 0 || start > end else { continue }
            line.append(String(repeating: " ", count: start - end) + text, .faint)
            end = start + width
        }
        return line
    }

    private var legend: [String] {
        guard chart.series.count > 1 else { return [] }
        var flow = LegendFlow(columns: columns, maximum: 4, style: style)
        for (index, series) in chart.series.enumerated() where !series.name.isEmpty {
            var sample = CellCanvas(columns: 4, rows: 1, style: TerminalStyle(glyphs: style.glyphs))
            let line = [ScenePoint(0, 1.5), ScenePoint(7.9, 1.5)]
            let dash = Self.dashes[index % Self.dashes.count]
            sample.dots.line(line, ink: Ink(series.color(index)), width: 1, dash: dash)
            flow.begin(sample.lines()[0], color: series.color(index))
            flow.add(shown(series.name))
        }
        return flow.finished()
    }
}
