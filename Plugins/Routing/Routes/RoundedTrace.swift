import PluginKit

/// Takes the steps of a search with its costs rounded, so that they can be read, and compared from machine to machine.
struct RoundedTrace: TraceRecorder {
    /// Costs are told to a tenth of a metre of easy way.
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
