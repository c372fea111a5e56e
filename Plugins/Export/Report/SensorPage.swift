import Pictures
import PluginKit

/// Charts of heart rate and pace, if recorded.
struct SensorPage {
    let journey: ExportJourney
    let wording: JourneyWording

    func add(to flow: inout PageFlow) {
        for (title, chart) in SensorCharts(journey: journey, wording: wording).charts {
            let size = SceneSize(width: PageFlow.width, height: ReportSettings.sensorHeight)
            flow.need(size.height + 50)
            flow.heading(title)
            flow.draw(chart.scene(size: size).shape(at: ScenePoint(PageFlow.left, flow.y)))
            flow.skip(size.height + 16)
        }
    }
}

/// Heart rate and pace along the journey, if recorded.
struct SensorCharts {
    /// Titles and charts, in order.
    private(set) var charts: [(title: String, chart: Chart)] = []

    init(journey: ExportJourney, wording: JourneyWording) {
        guard journey.kind == .recorded else { return }
        let sensors = JourneySensors(journey)
        let units = ScaleUnits(wording.units)
        let longest = (sensors.heartRates + sensors.paces).map(\.distance).max() ?? 0
        let along = ChartAxis.distance(longest: longest, units: units)
        if !sensors.heartRates.isEmpty {
            let axis = ChartAxis("heart rate", unit: "bpm")
            add("Heart rate", sensors.heartRates, x: along, y: axis, color: Color(0xE03131))
        }
        if !sensors.paces.isEmpty {
            let metric = units == .metric
            let axis = ChartAxis(
                "pace", unit: metric ? "min/km" : "min/mi", factor: metric ? 1000.0 / 60 : 1609.344 / 60)
            add("Pace", sensors.paces, x: along, y: axis, color: Color(0x2F7DE1))
        }
    }

    private mutating func add(
        _ title: String, _ points: [JourneySensors.Point], x: ChartAxis, y: ChartAxis, color: Color
    ) {
        let series = ChartSeries(points: points.map { ScenePoint($0.distance, $0.value) }, color: color)
        charts.append((title, Chart(x: x, y: y, series: [series])))
    }
}
