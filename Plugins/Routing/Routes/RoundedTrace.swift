import PluginKit

/// Records the steps of a search with rounded costs, which are readable and equal on every machine.
struct RoundedTrace: TraceRecorder {
    /// Costs are rounded to a tenth of a metre of easy way.
    private static let scale = 10.0

    private(set) var log: TraceLog

    init(limit: Int) { log = TraceLog(limit: limit) }

    mutating func record(_ step: @autoclosure () -> TraceStep) { log.record(Self.rounded(step())) }

    private static func rounded(_ step: TraceStep) -> TraceStep {
        let values = zip(step.values.keys, step.values.values).map { key, value in
            if case .number(let number) = value, number.isFinite {
                return (key, Value.number((number * scale).rounded() / scale))
            }
            return (key, value)
        }
        return TraceStep(step.kind, values, why: step.why)
    }
}
