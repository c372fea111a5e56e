import Geodesy
import Pictures
import PluginKit

/// The elevation chart over the whole width, and the table of splits.
struct ElevationPage {
    let journey: ExportJourney
    let wording: JourneyWording

    func add(to flow: inout PageFlow) throws {
        let profile = JourneyProfile(journey)
        let splits = JourneySplits(journey, units: wording.units, most: ReportSettings.mostSplits)
        guard profile != nil || splits.parts.count > 1 else { return }
        flow.newPage()
        flow.heading("Elevation")
        if let profile {
            chart(profile, &flow)
        } else {
            flow.write("No elevation was recorded.", at: flow.y + 10, color: PageFlow.faint)
            flow.skip(30)
        }
        if splits.parts.count > 1 { table(splits, &flow) }
    }

    private func chart(_ profile: JourneyProfile, _ flow: inout PageFlow) {
        let units = ScaleUnits(wording.units)
        let marks = journey.places.prefix(ReportSettings.mostChartMarks).enumerated().compactMap {
            index, place -> ChartMark? in
            profile.distance(of: place.point, reach: ReportSettings.chartReach).map {
                ChartMark(
                    x: $0, label: String(index + 1),
                    color: Color(hex: place.category(in: journey.categories).colorHex) ?? PageFlow.accent)
            }
        }
        var chart = Chart.profile(
            parts: profile.drawn, length: profile.length, units: units, marks: marks)
        chart.thresholds = [
            ChartThreshold(
                y: profile.average, label: "average \(wording.height(profile.average))",
                color: Color(0x52606D))
        ]
        let size = SceneSize(width: PageFlow.width, height: ReportSettings.chartHeight)
        flow.draw(chart.scene(size: size).shape(at: ScenePoint(PageFlow.left, flow.y)))
        flow.skip(size.height + 10)
        SummaryGrid(columns: 3).add(
            [
                ("Minimum", wording.height(profile.lowest)), ("Maximum", wording.height(profile.highest)),
                ("Average over the distance", wording.height(profile.average)),
            ], to: &flow)
        if !marks.isEmpty {
            flow.write(
                "The numbers above the chart are those of the waypoints.", at: flow.y + 8, size: 7.5,
                color: PageFlow.faint)
            flow.skip(14)
        }
        flow.skip(12)
    }

    // MARK: Splits

    /// The end of a column as a share of the width, and its title.
    private typealias Column = (end: Double, title: String)
    private static let heights: [Column] = [(0.17, "Distance"), (0.36, "Elevation"), (0.55, "Change")]
    private static let times: [Column] = [(0.76, "Reached at"), (1, "Duration")]
    private static let rowHeight = 15.5

    private func table(_ splits: JourneySplits, _ flow: inout PageFlow) {
        // A plan has no times.
        let hasTimes = splits.parts.contains { $0.seconds != nil }
        let columns = Self.heights + (hasTimes ? Self.times : [])
        func head(_ flow: inout PageFlow) { row(columns.map(\.title), columns, &flow, isHead: true) }
        flow.need(100)
        flow.write("Splits", at: flow.y + 11, size: 11.5, weight: .bold)
        flow.skip(21)
        head(&flow)
        for part in splits.parts {
            if flow.need(Self.rowHeight) { head(&flow) }
            let cells = [
                wording.distance(part.end), wording.height(part.elevation), change(part.change),
                part.time.map { wording.time($0, from: journey.start) } ?? JourneyWording.missing,
                wording.duration(part.seconds),
            ]
            row(cells, columns, &flow, isHead: false)
        }
        flow.skip(14)
    }

    private func change(_ metres: Double?) -> String {
        guard let metres else { return JourneyWording.missing }
        let words = wording.height(abs(metres))
        if words.hasPrefix("0 ") { return words }
        return (metres < 0 ? "−" : "+") + words
    }

    private func row(_ cells: [String], _ columns: [Column], _ flow: inout PageFlow, isHead: Bool) {
        for (cell, column) in zip(cells, columns) {
            flow.write(
                cell, x: PageFlow.left + column.end * PageFlow.width - 4, at: flow.y + 11,
                size: isHead ? 8 : PageFlow.textSize, color: isHead ? PageFlow.faint : PageFlow.ink,
                anchor: .end)
        }
        let y = flow.y + Self.rowHeight
        flow.draw(
            .polyline(
                [ScenePoint(PageFlow.left, y), ScenePoint(PageFlow.right, y)],
                Stroke(PageFlow.rule, width: 0.5)))
        flow.skip(Self.rowHeight)
    }
}
