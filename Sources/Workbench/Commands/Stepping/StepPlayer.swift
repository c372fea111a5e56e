import Pages
import Pictures
import PluginKit

/// Trace data for a player in an existing page.
enum StepPlayer {
    /// The data of a trace, or of two in a list with their first difference; `nil` if the value is not a trace.
    static func data(_ value: Value, units: ScaleUnits, on bases: PlayedBases) throws -> String? {
        let all = try traces(in: value)
        guard !all.isEmpty else { return nil }
        let played = try all.map { steps in
            let text = steps.walk.text
            return try steps.played(title: text.isEmpty ? "trace" : text, units: units, on: bases) {
                try Interruption.check()
            }.trace
        }
        let differs = played.count > 1 ? played[0].firstDifference(from: played[1]) : nil
        return PlayerPage.data(traces: played, differs: differs)
    }

    private static func traces(in value: Value) throws -> [RecordedSteps] {
        if case .list(let items) = value, items.count == 2 {
            let both = try items.map(steps)
            if both.allSatisfy({ !$0.walk.steps.isEmpty }) { return both }
        }
        let one = try steps(of: value)
        return one.walk.steps.isEmpty ? [] : [one]
    }

    private static func steps(of value: Value) throws -> RecordedSteps {
        RecordedSteps(rows: try value.asRows?.collect() ?? [])
    }
}
