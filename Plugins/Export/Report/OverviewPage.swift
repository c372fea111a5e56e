import Pictures

/// The first page of a report of several journeys: a row each, and the totals of known values.
struct OverviewPage {
    let collection: JourneyCollection
    let wording: JourneyWording

    /// Start or end of the columns in points from the left edge of the text.
    private enum Column {
        static let day = 0.0
        static let name = 66.0
        static let distance = 330.0
        static let gain = 388.0
        static let loss = 446.0
        static let walking = 511.0
    }

    func add(to flow: inout PageFlow) throws {
        flow.newPage()
        flow.write(collection.title, at: flow.y + 22, size: 22, weight: .bold)
        flow.skip(32)
        if let span = collection.span {
            flow.write(span, at: flow.y + 11, size: 10.5, color: PageFlow.faint)
            flow.skip(15)
        }
        flow.skip(12)
        head(&flow)
        for journey in collection.journeys {
            try row(
                day: journey.start.map(wording.isoDay) ?? "", name: journey.title,
                distance: journey.facts.distance, gain: journey.facts.gain, loss: journey.facts.loss,
                walking: journey.facts.walking, weight: .normal, in: &flow)
        }
        try totals(&flow)
    }

    private func totals(_ flow: inout PageFlow) throws {
        let distance = collection.total(\.distance)
        let gain = collection.total(\.gain)
        let loss = collection.total(\.loss)
        let walking = collection.total(\.walking)
        try row(
            day: "", name: "Total", distance: distance.sum, gain: gain.sum, loss: loss.sum,
            walking: walking.sum, weight: .bold, in: &flow)
        // An incomplete sum must not look complete.
        let lacking = [
            ("distance", distance.unknown), ("elevation gain and loss", max(gain.unknown, loss.unknown)),
            ("time in motion", walking.unknown),
        ].filter { $0.1 > 0 }
        for (what, count) in lacking {
            flow.need(PageFlow.lineHeight)
            flow.write(
                "Total \(what): without \(count) of \(collection.journeys.count), for which it is unknown.",
                at: flow.y + 9, size: 8, color: PageFlow.faint)
            flow.skip(12)
        }
    }

    private func head(_ flow: inout PageFlow) {
        func title(_ words: String, _ x: Double, _ anchor: TextAnchor = .end) {
            flow.write(
                words, x: PageFlow.left + x, at: flow.y + 9, size: 8, color: PageFlow.faint, anchor: anchor)
        }
        title("Day", Column.day, .start)
        title("Name", Column.name, .start)
        title("Distance", Column.distance)
        title("Gain", Column.gain)
        title("Loss", Column.loss)
        title("Moving", Column.walking)
        flow.skip(14)
        flow.rule()
    }

    private func row(
        day: String, name: String, distance: Double?, gain: Double?, loss: Double?, walking: Double?,
        weight: TextWeight, in flow: inout PageFlow
    ) throws {
        let lines = try TextMetrics.lines(
            of: name, size: PageFlow.textSize, weight: .bold, width: Column.distance - Column.name - 60)
        if flow.need(PageFlow.lineHeight * Double(min(3, lines.count)) + 6) { head(&flow) }
        let y = flow.y + 4 + PageFlow.textSize
        func cell(_ words: String, _ x: Double) {
            flow.write(words, x: PageFlow.left + x, at: y, size: 9, weight: weight, anchor: .end)
        }
        flow.write(day, x: PageFlow.left + Column.day, at: y, size: 9, color: PageFlow.faint)
        cell(wording.distance(distance), Column.distance)
        cell(wording.height(gain), Column.gain)
        cell(wording.height(loss), Column.loss)
        cell(wording.duration(walking), Column.walking)
        flow.skip(4)
        for line in lines {
            if flow.need(PageFlow.lineHeight) { head(&flow) }
            flow.write(line, x: PageFlow.left + Column.name, at: flow.y + PageFlow.textSize, weight: .bold)
            flow.skip(PageFlow.lineHeight)
        }
        flow.skip(3)
        flow.rule()
    }
}
