import PluginKit

/// Where the steps of a trace come from.
struct TraceOrigin: Sendable {
    /// The pipeline that was run.
    let text: String
    let collector: TraceCollector
}

/// A step of a trace as a row: number, kind, values and reason. The values are fields, too, so that `where f
/// > 300m` works; a value that only other steps have is nothing.
struct TraceRow: DomainObject {
    static let columns = ["step", "kind", "values", "why"]

    let number: Int
    let step: TraceStep
    /// The names of the values of all steps of the trace.
    let known: Set<String>
    /// The trace that the step belongs to.
    var origin: TraceOrigin?

    var typeName: String { "step" }
    var fieldNames: [String] { Self.columns }
    var summary: String { "step \(number): \(step.kind)" }

    func field(_ name: String) -> Value? {
        switch name {
        case "step": .integer(number)
        case "kind": .text(step.kind)
        case "values": .record(step.values)
        case "why": .text(step.why)
        default: step.values[name] ?? (known.contains(name) ? .nothing : nil)
        }
    }

    /// The rows of a trace.
    static func rows(_ steps: [TraceStep], origin: TraceOrigin? = nil) -> [Value] {
        let known = names(of: steps)
        return steps.enumerated().map {
            .object(TraceRow(number: $0 + 1, step: $1, known: known, origin: origin))
        }
    }

    /// The names of all values; steps of one kind have the same names, so only a few are inspected.
    static func names(of steps: [TraceStep]) -> Set<String> {
        var kinds: Set<String> = []
        var names: Set<String> = []
        for step in steps where kinds.insert(step.kind).inserted { names.formUnion(step.values.keys) }
        return names
    }

    /// The step of a row that `trace` returned; `nil` for other rows.
    static func step(_ row: Value) -> TraceStep? {
        if case .object(let object) = row, let row = object as? TraceRow { return row.step }
        guard case .text(let kind)? = row.field("kind"), case .record(let values)? = row.field("values"),
            case .text(let why)? = row.field("why")
        else { return nil }
        return TraceStep(kind, Array(zip(values.keys, values.values)), why: why)
    }
}
