import PluginKit

/// Makes the steps of a search readable: node names, and rounded costs, which are equal on every machine.
struct ReadableTrace: TraceRecorder {
    /// Costs are rounded to a tenth of a metre of easy way.
    private static let places = 1
    /// The maximum number of decimals, used if the two costs that a step compares would look the same.
    private static let finest = 6
    /// The keys of values that are node ids.
    private static let nodeKeys: Set = [
        "node", "from", "to", "parent", "above", "goal", "nodes", "goals", "way", "through",
    ]

    private(set) var log: TraceLog
    private let names: NodeNames

    init(limit: Int, names: NodeNames) {
        log = TraceLog(limit: limit)
        self.names = names
    }

    mutating func record(_ step: @autoclosure () -> TraceStep) {
        let names = names
        log.record(Self.readable(step(), names))
    }

    private static func readable(_ step: TraceStep, _ names: NodeNames) -> TraceStep {
        var places = places
        var why = step.why
        if case .number(let old)? = step.values["old"], case .number(let new)? = step.values["new"],
            old != new
        {
            while rounded(old, places) == rounded(new, places), places < finest { places += 1 }
            if rounded(old, places) == rounded(new, places) {
                why += ", by less than a millionth of a metre: the same lengths added in a different order"
            }
        }
        let values = zip(step.values.keys, step.values.values).map { key, value in
            (key, self.value(value, isNode: nodeKeys.contains(key), places, names))
        }
        return TraceStep(step.kind, values, why: why)
    }

    private static func value(_ value: Value, isNode: Bool, _ places: Int, _ names: NodeNames) -> Value {
        switch value {
        case .number(let number): .number(rounded(number, places))
        case .integer(let id) where isNode: names.value(id)
        case .list(let list): .list(list.map { self.value($0, isNode: isNode, places, names) })
        default: value
        }
    }

    private static func rounded(_ number: Double, _ places: Int) -> Double {
        guard number.isFinite else { return number }
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        return (number * scale).rounded() / scale
    }
}
