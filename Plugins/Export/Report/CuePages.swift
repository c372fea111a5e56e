import Pictures
import PluginKit

/// The cue sheet of a planned route: the turn instructions.
struct CuePages {
    let journey: ExportJourney
    let wording: JourneyWording

    /// Start or end of the columns in points from the left edge of the text.
    private enum Column {
        static let distance = 62.0
        static let leg = 124.0
        static let words = 140.0
    }
    private static let rowHeight = 15.5

    func add(to flow: inout PageFlow) throws {
        guard !journey.cues.isEmpty else { return }
        flow.newPage()
        flow.heading("Cue sheet")
        head(&flow)
        for cue in journey.cues { try row(cue, &flow) }
        flow.skip(18)
    }

    private func head(_ flow: inout PageFlow) {
        let left = PageFlow.left
        func title(_ words: String, _ x: Double, isEnd: Bool) {
            flow.write(
                words, x: left + x, at: flow.y + 9, size: 8, color: PageFlow.faint,
                anchor: isEnd ? .end : .start)
        }
        title("At", Column.distance, isEnd: true)
        title("After", Column.leg, isEnd: true)
        title("Instruction", Column.words, isEnd: false)
        flow.skip(14)
    }

    private func row(_ cue: TurnInstruction, _ flow: inout PageFlow) throws {
        let size = PageFlow.textSize
        let lines = try TextMetrics.lines(
            of: cue.description, size: size, width: PageFlow.width - Column.words)
        if flow.need(Double(min(3, lines.count)) * Self.rowHeight) { head(&flow) }
        let left = PageFlow.left
        let y = flow.y + 11
        flow.write(
            wording.distance(cue.cumulativeDistance), x: left + Column.distance, at: y, size: size,
            anchor: .end)
        flow.write(
            wording.distance(cue.distanceFromPrevious), x: left + Column.leg, at: y, size: size,
            color: PageFlow.faint,
            anchor: .end)
        for line in lines {
            if flow.need(Self.rowHeight) { head(&flow) }
            flow.write(line, x: left + Column.words, at: flow.y + 11, size: size)
            flow.skip(Self.rowHeight)
        }
    }
}
