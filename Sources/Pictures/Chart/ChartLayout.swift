/// The ranges of a chart and the mapping from values to points.
struct ChartLayout {
    let xRange: ClosedRange<Double>
    let yRange: ClosedRange<Double>
    let xTicks: ChartTicks
    let yTicks: ChartTicks

    /// Finds ranges and ticks for a maximum number of ticks. The y axis ends at ticks; the x axis ends with the data.
    init(_ chart: Chart, xCount: Int, yCount: Int) {
        let points = chart.series.flatMap(\.points).filter(\.isFinite)
        let across = chart.x.range ?? Self.range(points.map(\.x))
        let shown = points.filter { across.contains($0.x) }.map(\.y)
        let thresholds = chart.thresholds.map(\.y).filter(\.isFinite)
        let tight = chart.y.range ?? Self.range(shown + thresholds)
        xRange = across
        xTicks = ChartTicks(across, axis: chart.x, atMost: xCount)
        let ticks = ChartTicks(tight, axis: chart.y, atMost: yCount)
        yRange = chart.y.range ?? Self.widened(tight, to: ticks.spacing)
        yTicks = ticks.over(yRange)
    }

    /// Where values are drawn in a rectangle.
    func point(_ value: ScenePoint, in rect: SceneRect) -> ScenePoint {
        ScenePoint(x(value.x, in: rect), y(value.y, in: rect))
    }

    func x(_ value: Double, in rect: SceneRect) -> Double {
        rect.x + (value - xRange.lowerBound) / (xRange.upperBound - xRange.lowerBound) * rect.width
    }

    func y(_ value: Double, in rect: SceneRect) -> Double {
        rect.maxY - (value - yRange.lowerBound) / (yRange.upperBound - yRange.lowerBound) * rect.height
    }

    /// The pieces of a line to draw, cut to the rectangle.
    func runs(of series: ChartSeries, in rect: SceneRect) -> [[ScenePoint]] {
        Clipping.finiteRuns(series.points).flatMap { run in
            let places = Self.condensed(run.map { point($0, in: rect) })
            return Clipping.line(places, in: rect)
        }
    }

    /// The area under a piece of a line.
    func area(under run: [ScenePoint], in rect: SceneRect) -> [ScenePoint] {
        guard let first = run.first, let last = run.last else { return [] }
        return [ScenePoint(first.x, rect.maxY)] + run + [ScenePoint(last.x, rect.maxY)]
    }

    /// The height of the first line above a value of x, in values.
    func height(of chart: Chart, at x: Double) -> Double? {
        guard let points = chart.series.first?.points else { return nil }
        for (from, to) in zip(points, points.dropFirst()) where from.isFinite && to.isFinite {
            guard min(from.x, to.x) <= x, x <= max(from.x, to.x) else { continue }
            return to.x == from.x ? to.y : from.y + (to.y - from.y) * (x - from.x) / (to.x - from.x)
        }
        return points.first { $0.x == x && $0.isFinite }?.y
    }

    /// Reduces a line with more points than pixels to the first, lowest, highest and last point of each column.
    private static func condensed(_ line: [ScenePoint]) -> [ScenePoint] {
        guard line.count > 4_000, zip(line, line.dropFirst()).allSatisfy({ $0.x <= $1.x }) else {
            return line
        }
        var result: [ScenePoint] = []
        var column: [ScenePoint] = []
        for point in line {
            if let first = column.first, (first.x * 2).rounded(.down) != (point.x * 2).rounded(.down) {
                result += extremes(column)
                column.removeAll(keepingCapacity: true)
            }
            column.append(point)
        }
        return result + extremes(column)
    }

    private static func extremes(_ column: [ScenePoint]) -> [ScenePoint] {
        guard column.count > 4 else { return column }
        let order = column.indices.sorted { (column[$0].y, $0) < (column[$1].y, $1) }
        let kept = Set([0, column.count - 1, order[0], order[order.count - 1]])
        return kept.sorted().map { column[$0] }
    }

    /// The range of values; a range without width is widened.
    private static func range(_ values: [Double]) -> ClosedRange<Double> {
        guard let low = values.min(), let high = values.max() else { return 0...1 }
        guard high - low > abs(high) * 1e-9 else {
            let half = max(0.5, abs(high) * 0.01)
            return low - half...high + half
        }
        return low...high
    }

    private static func widened(_ range: ClosedRange<Double>, to step: Double) -> ClosedRange<Double> {
        guard step > 0 else { return range }
        let low = (range.lowerBound / step + 1e-9).rounded(.down) * step
        let high = (range.upperBound / step - 1e-9).rounded(.up) * step
        return low < high ? low...high : range
    }
}
