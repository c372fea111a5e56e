import Synchronization

/// One decision of an algorithm.
public struct TraceStep: Sendable {
    /// The kind of step, such as `settle` or `relax`, in camelCase.
    public let kind: String
    /// The values of the decision.
    public let values: Record
    /// The reason of the decision.
    public let why: String

    /// A step.
    public init(_ kind: String, _ values: [(String, Value)], why: String) {
        self.kind = kind
        self.values = Record(values)
        self.why = why
    }
}

/// Records the steps of an algorithm. Algorithms are generic over it, so that without a trace it compiles to nothing.
public protocol TraceRecorder {
    /// Records a step, which is evaluated only when recording.
    mutating func record(_ step: @autoclosure () -> TraceStep)
}

/// Records nothing and costs nothing.
public struct NoTrace: TraceRecorder {
    /// The recorder of ordinary runs.
    @inlinable public init() {}
    /// Does not evaluate the step.
    @inlinable public mutating func record(_ step: @autoclosure () -> TraceStep) {}
}

/// Records steps up to a limit, and counts the rest.
public struct TraceLog: TraceRecorder, Sendable {
    /// The steps kept.
    public private(set) var steps: [TraceStep] = []
    /// The number of steps beyond the limit.
    public private(set) var dropped = 0
    /// The limit.
    public let limit: Int

    /// A log that keeps up to `limit` steps.
    public init(limit: Int = TraceSettings.limit) { self.limit = limit }

    /// Keeps a step, or counts it when the limit is reached.
    public mutating func record(_ step: @autoclosure () -> TraceStep) {
        if steps.count < limit { steps.append(step()) } else { dropped += 1 }
    }

    /// Appends the steps of another log, and its count of dropped steps.
    public mutating func append(_ other: TraceLog) {
        let room = max(0, limit - steps.count)
        steps += other.steps.prefix(room)
        dropped += other.dropped + max(0, other.steps.count - room)
    }
}

/// Constants of tracing.
public enum TraceSettings {
    /// The default limit of a trace.
    public static let limit = 100_000
}

/// Collects the steps of a command that runs under `trace`.
public final class TraceCollector: Sendable {
    private struct State: Sendable {
        var log: TraceLog
        var sections: [(first: Int, picture: (any TracePicturing)?)] = []
    }

    private let state: Mutex<State>

    /// A collector with a limit of steps.
    public init(limit: Int = TraceSettings.limit) { state = Mutex(State(log: TraceLog(limit: limit))) }

    /// The limit, for the algorithm's own log.
    public var limit: Int { state.withLock { $0.log.limit } }

    /// Appends the steps of an algorithm that has run, and the drawing of its state.
    public func keep(_ other: TraceLog, picture: (any TracePicturing)? = nil) {
        state.withLock { state in
            state.sections.append((state.log.steps.count, picture))
            state.log.append(other)
        }
    }

    /// The collected steps.
    public var collected: TraceLog { state.withLock { $0.log } }

    /// A picture of the algorithm's state at a step, counted from 0; `nil` if the algorithm has no pictures.
    public func picture(at step: Int) -> (any DomainObject)? {
        let (drawn, steps) = state.withLock { state in
            (state.sections.last { $0.first <= step }, state.log.steps)
        }
        guard let drawn, let picture = drawn.picture, steps.indices.contains(step) else { return nil }
        return picture.picture(after: steps[drawn.first...step])
    }

    /// The steps of each algorithm, as indexes into the collected steps, with their drawings.
    public var sections: [(steps: Range<Int>, picture: (any TracePicturing)?)] {
        let (sections, count) = state.withLock { ($0.sections, $0.log.steps.count) }
        return sections.indices.compactMap { index in
            let end = index + 1 < sections.count ? sections[index + 1].first : count
            return end > sections[index].first ? (sections[index].first..<end, sections[index].picture) : nil
        }
    }
}
