import Geodesy
import Pictures
import PluginKit

/// A journey in a report: map and summary, elevation, sensors, cue sheet, photos, waypoints, comments.
struct ReportSection {
    let journey: ExportJourney
    let wording: JourneyWording
    /// The background of the map.
    let base: (MapView) throws -> BaseLayer
    let check: () throws -> Void

    /// Adds its pages.
    func add(to flow: inout PageFlow, warnings: inout [String]) throws {
        try cover(&flow)
        try check()
        if journey.kind != .places {
            try ElevationPage(journey: journey, wording: wording).add(to: &flow)
            SensorPage(journey: journey, wording: wording).add(to: &flow)
            try CuePages(journey: journey, wording: wording).add(to: &flow)
        }
        try check()
        try PhotoPages(journey: journey, wording: wording, check: check).add(to: &flow, warnings: &warnings)
        try check()
        try WaypointPages(journey: journey, wording: wording).add(to: &flow)
    }

    // MARK: First page

    private func cover(_ flow: inout PageFlow) throws {
        flow.newPage()
        let lines = try TextMetrics.lines(of: journey.title, size: 22, weight: .bold, width: PageFlow.width)
        // A name may be a whole sentence; one as long as a page is truncated, to leave space for the map.
        for line in lines.prefix(ReportSettings.mostTitleLines) {
            flow.write(line, at: flow.y + 22, size: 22, weight: .bold)
            flow.skip(29)
        }
        flow.skip(3)
        for line in JourneyHeadline(journey, wording).lines {
            let words = try Fitting.cut(line, size: 10.5, width: PageFlow.width)
            flow.write(words, at: flow.y + 11, size: 10.5, color: PageFlow.faint)
            flow.skip(15)
        }
        flow.skip(9)
        try map(&flow)
        summary(&flow)
    }

    private func map(_ flow: inout PageFlow) throws {
        // The height left by the summary and the legend of the map.
        let room =
            PageFlow.bottom - flow.y - SummaryGrid.height(of: cells.count, columns: Self.columns) - 36
            - ReportSettings.legendHeight
        let size = SceneSize(width: PageFlow.width, height: min(ReportSettings.mapHeight, room))
        let lines = JourneyDrawing.printedLines(journey)
        let pins = JourneyDrawing.pins(journey, numbered: true)
        let places = (lines + pins).lazy.flatMap(\.coordinates)
        guard
            let view = MapView(
                fitting: places, size: size, padding: ReportSettings.mapPadding, nearest: 17)
        else {
            flow.write("No track was recorded.", at: flow.y + 12, color: PageFlow.faint)
            return flow.skip(30)
        }
        let furniture = MapFurniture(
            scale: ScaleUnits(wording.units), legend: true)
        let scene = try base(view).scene(of: view, lines + pins, furniture)
        flow.draw(scene.shape(at: ScenePoint(PageFlow.left, flow.y)))
        // The legend below the map increases its height.
        let frame = SceneRect(x: PageFlow.left, y: flow.y, width: size.width, height: scene.size.height)
        flow.draw(.polygon([frame.corners], fill: nil, stroke: Stroke(PageFlow.rule, width: 1)))
        flow.skip(scene.size.height + 14)
    }

    /// Number of facts per row.
    private static let columns = 3

    /// The facts of the summary.
    private var cells: [(String, String)] {
        let facts = journey.facts
        switch journey.kind {
        case .places: return []
        case .planned:
            let profile = JourneyProfile(journey)
            return [
                ("Distance", wording.distance(facts.distance)),
                ("Elevation gain", wording.height(facts.gain)),
                ("Elevation loss", wording.height(facts.loss)),
                ("Estimated duration", wording.duration(facts.duration)),
                ("Highest point", wording.height(profile?.highest)),
                ("Lowest point", wording.height(profile?.lowest)),
            ]
        case .recorded:
            return [
                ("Distance", wording.distance(facts.distance)),
                ("Elevation gain", wording.height(facts.gain)),
                ("Elevation loss", wording.height(facts.loss)),
                (journey.motion.capitalized, wording.duration(facts.walking)),
                ("Resting", wording.duration(facts.resting)),
                ("Average speed", wording.speed(facts.speed)),
                ("Average heart rate", wording.heartRate(facts.averageHeartRate)),
                ("Maximum heart rate", wording.heartRate(facts.maximumHeartRate)),
                ("Calories", wording.calories(facts.calories)),
            ]
        }
    }

    private func summary(_ flow: inout PageFlow) {
        let facts = journey.facts
        if journey.kind == .places { return }
        SummaryGrid(columns: Self.columns).add(cells, to: &flow)
        if let method = facts.method, facts.gain != nil || facts.walking != nil {
            flow.skip(2)
            flow.write("Method: \(method).", at: flow.y + 8, size: 7.5, color: PageFlow.faint)
            flow.skip(14)
        }
    }
}

/// Facts in boxes side by side.
struct SummaryGrid {
    let columns: Int
    private static let height = 38.0
    private static let gap = 8.0

    /// The height of a number of facts.
    static func height(of count: Int, columns: Int) -> Double {
        Double((count + columns - 1) / columns) * (height + gap)
    }

    func add(_ cells: [(String, String)], to flow: inout PageFlow) {
        let width = (PageFlow.width - Double(columns - 1) * Self.gap) / Double(columns)
        for row in stride(from: 0, to: cells.count, by: columns) {
            flow.need(Self.height)
            for (column, cell) in cells[row..<min(cells.count, row + columns)].enumerated() {
                let x = PageFlow.left + Double(column) * (width + Self.gap)
                let box = SceneRect(x: x, y: flow.y, width: width, height: Self.height)
                flow.draw(.polygon([box.corners], fill: Fill(PageFlow.panel), stroke: nil))
                flow.write(cell.0, x: x + 9, at: flow.y + 13, size: 8, color: PageFlow.faint)
                let isMissing = cell.1 == JourneyWording.missing
                flow.write(
                    cell.1, x: x + 9, at: flow.y + 29.5, size: 14,
                    color: isMissing ? PageFlow.faint : PageFlow.ink, weight: isMissing ? .normal : .bold)
            }
            flow.skip(Self.height + Self.gap)
        }
    }
}
