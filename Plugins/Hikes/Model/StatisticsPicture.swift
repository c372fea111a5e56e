import Pictures
import PluginKit
import TrailStores

/// Draws the progress of counting climbs.
struct StatisticsPicturing: TracePicturing {
    let segments: [[TrackPoint]]
    let method: HikeStatistics.Method

    func picture(after steps: ArraySlice<TraceStep>) -> any DomainObject {
        StatisticsPicture(
            altitudes: HikeStatistics.altitudes(segments, method), steps: Array(steps))
    }
}

/// The measured and smoothed elevations, the anchors of counted climbs, and the current point.
struct StatisticsPicture: FieldedObject, ChartDrawable {
    let altitudes: [(measured: Double, smoothed: Double)?]
    let steps: [TraceStep]

    let typeName = "statistics"
    var summary: String { "\(counted) climbs and descents counted, \(rests) rests" }

    private var counted: Int { steps.count { $0.kind == "climb" && $0.isTrue("counts") } }
    private var rests: Int { steps.count { $0.kind == "rest" && $0.isTrue("counts") } }

    static let fields = FieldTable<Self> {
        Field("counted") { .integer($0.counted) }
        Field("rests") { .integer($0.rests) }
    }

    func chart(units: ScaleUnits) -> Chart {
        func line(_ height: ((measured: Double, smoothed: Double)) -> Double) -> [ScenePoint] {
            altitudes.enumerated().map { index, known in
                ScenePoint(Double(index + 1), known.map(height) ?? .nan)
            }
        }
        var anchors = altitudes.compactMap { $0 }.first.map { [ScenePoint(1, $0.smoothed)] } ?? []
        for step in steps where step.kind == "climb" && step.isTrue("counts") {
            guard let point = step.integer("point"), let height = step.number("counted") else { continue }
            anchors.append(ScenePoint(Double(point), height))
        }
        var chart = Chart(
            title: summary, x: ChartAxis("point"), y: .elevation(units: units),
            series: [
                ChartSeries("measured", points: line { $0.measured }),
                ChartSeries("smoothed", points: line { $0.smoothed }),
                ChartSeries("counted", points: anchors),
            ])
        if let point = steps.last?.integer("point") {
            let word = steps.last?.kind == "rest" ? "rest" : "current"
            chart.marks = [ChartMark(x: Double(point), label: word)]
        }
        return chart
    }
}
