import Formats
import Pictures

/// The table of waypoints, and the comments.
struct WaypointPages {
    let journey: ExportJourney
    let wording: JourneyWording

    /// Start or end of the columns in points from the left edge of the text.
    private enum Column {
        static let number = 18.0
        static let name = 26.0
        static let category = 204.0
        static let place = 288.0
        static let height = 436.0
        static let time = 511.0
    }

    func add(to flow: inout PageFlow) throws {
        if !journey.places.isEmpty {
            flow.newPage()
            flow.heading("Waypoints")
            head(&flow)
            for (index, place) in journey.places.enumerated() { try row(index + 1, place, &flow) }
            flow.skip(18)
        }
        guard !journey.comment.isEmpty else { return }
        if journey.places.isEmpty { flow.newPage() }
        flow.heading("Comments")
        try flow.paragraphs(journey.comment)
    }

    private func head(_ flow: inout PageFlow) {
        func title(_ words: String, _ x: Double, _ anchor: TextAnchor = .start) {
            flow.write(
                words, x: PageFlow.left + x, at: flow.y + 9, size: 8, color: PageFlow.faint, anchor: anchor)
        }
        title("#", Column.number, .end)
        title("Name", Column.name)
        title("Category", Column.category)
        title("Latitude, longitude", Column.place)
        title("Elevation", Column.height, .end)
        title("Time", Column.time, .end)
        flow.skip(14)
        flow.rule()
    }

    private func row(_ number: Int, _ place: MapPlace, _ flow: inout PageFlow) throws {
        let size = PageFlow.textSize
        let name = place.name.isEmpty ? place.categoryName(in: journey.categories) : place.name
        let names = try TextMetrics.lines(
            of: name, size: size, weight: .bold, width: Column.category - Column.name - 8)
        let notes =
            try (place.point.description?.nonEmpty).map {
                try TextMetrics.lines(of: $0, size: 8.5, width: PageFlow.width - Column.name - 8)
            } ?? []
        // The first lines of a row stay together; long rows continue below the header of the next page.
        if flow.need(PageFlow.lineHeight * Double(min(3, names.count + (notes.isEmpty ? 0 : 1))) + 6) {
            head(&flow)
        }
        let y = flow.y + 4 + size
        let left = PageFlow.left
        flow.write(String(number), x: left + Column.number, at: y, color: PageFlow.faint, anchor: .end)
        let category = try Fitting.cut(
            place.categoryName(in: journey.categories), size: 9, width: Column.place - Column.category - 18)
        if !category.isEmpty {
            flow.draw(
                .circle(
                    center: ScenePoint(left + Column.category + 3.5, y - 3.2), radius: 3.2,
                    fill: Fill(Color(hex: place.category(in: journey.categories).colorHex) ?? PageFlow.faint),
                    stroke: nil))
            flow.write(category, x: left + Column.category + 11, at: y, size: 9)
        }
        flow.write(wording.place(place.point.coordinate), x: left + Column.place, at: y, size: 9)
        let altitude = place.point.coordinate.altitude.map(wording.height) ?? JourneyWording.missing
        flow.write(altitude, x: left + Column.height, at: y, size: 9, anchor: .end)
        let time = place.point.time.map { wording.time($0, from: journey.start) } ?? JourneyWording.missing
        flow.write(time, x: left + Column.time, at: y, size: 9, anchor: .end)
        flow.skip(4)
        for line in names { self.line(line, size: size, color: PageFlow.ink, weight: .bold, in: &flow) }
        for line in notes { self.line(line, size: 8.5, color: PageFlow.faint, weight: .normal, in: &flow) }
        flow.skip(3)
        flow.rule()
    }

    private func line(
        _ words: String, size: Double, color: Color, weight: TextWeight, in flow: inout PageFlow
    ) {
        if flow.need(PageFlow.lineHeight) { head(&flow) }
        if !words.isEmpty {
            flow.write(
                words, x: PageFlow.left + Column.name, at: flow.y + size, size: size, color: color,
                weight: weight)
        }
        flow.skip(size + 3.5)
    }
}
