import Foundation

/// Round values on an axis.
struct ChartTicks {
    /// The values, ascending.
    let values: [Double]
    private let axis: ChartAxis
    private let step: Double

    /// As many round values within a range as there is space for.
    init(_ range: ClosedRange<Double>, axis: ChartAxis, atMost count: Int) {
        let span = (range.upperBound - range.lowerBound) * Self.factor(axis)
        self.init(range, axis: axis, step: Self.step(span / Double(max(1, count)), scale: axis.scale))
    }

    /// The same ticks over another range.
    func over(_ range: ClosedRange<Double>) -> ChartTicks {
        ChartTicks(range, axis: axis, step: step)
    }

    private init(_ range: ClosedRange<Double>, axis: ChartAxis, step shown: Double) {
        self.axis = axis
        step = shown
        let factor = Self.factor(axis)
        let first = (range.lowerBound * factor / shown - 1e-9).rounded(.up)
        let last = (range.upperBound * factor / shown + 1e-9).rounded(.down)
        guard shown > 0, first <= last, last - first < 1_000 else {
            values = []
            return
        }
        values = stride(from: first, through: last, by: 1).map { $0 * shown / factor }
    }

    /// The distance between two ticks, in values.
    var spacing: Double { step / Self.factor(axis) }

    private static func factor(_ axis: ChartAxis) -> Double {
        axis.factor.isFinite && axis.factor > 0 ? axis.factor : 1
    }

    /// A value as text, with enough decimals to distinguish it from its neighbours.
    func text(_ value: Double) -> String {
        let shown = value * Self.factor(axis)
        switch axis.scale {
        case .number:
            let places = step > 0 ? max(0, Int((-log10(step * 1.0001)).rounded(.up))) : 0
            return NumberText.fixed(shown, places: min(places, 9))
        case .duration: return Self.clock(shown, step: step)
        }
    }

    private static func step(_ least: Double, scale: ChartScale) -> Double {
        guard scale == .duration, least > 1 else { return RoundNumber.ceiling(least) }
        let steps = [
            2.0, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
        ]
        return steps.first { $0 >= least } ?? RoundNumber.ceiling(least / 86_400) * 86_400
    }

    /// `h:mm` where the steps are minutes, `m:ss` where they are seconds.
    private static func clock(_ seconds: Double, step: Double) -> String {
        let isFine = step < 60
        let units = Int((abs(seconds) / (isFine ? 1 : 60)).rounded())
        let rest = String(units % 60)
        let text = "\(units / 60):" + (rest.count < 2 ? "0" : "") + rest
        return seconds < 0 && units > 0 ? "-" + text : text
    }
}
