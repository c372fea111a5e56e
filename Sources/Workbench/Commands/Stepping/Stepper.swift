import PluginKit
import Synchronization

/// The active trace of a session and its current step.
final class Stepper: Sendable {
    /// A trace with its current step.
    struct Walk: Sendable {
        /// The pipeline that was run.
        let text: String
        let steps: [TraceStep]
        /// The names of the values of all steps.
        let known: Set<String>
        /// Draws the state at a step, counted from 0.
        let picture: @Sendable (Int) -> (any DomainObject)?
        /// The current step, counted from 0.
        var position = 0

        init(
            text: String, steps: [TraceStep],
            picture: @escaping @Sendable (Int) -> (any DomainObject)? = { _ in nil }
        ) {
            self.text = text
            self.steps = steps
            self.picture = picture
            known = TraceRow.names(of: steps)
        }

        /// A step as a row, for conditions.
        func row(_ index: Int) -> Value {
            .object(TraceRow(number: index + 1, step: steps[index], known: known))
        }

        /// The current step with all its values, for display.
        var shown: Value { shown(position) }

        func shown(_ index: Int) -> Value {
            let step = steps[index]
            var record = Record([
                ("step", .integer(index + 1)), ("of", .integer(steps.count)), ("kind", .text(step.kind)),
            ])
            for (key, value) in zip(step.values.keys, step.values.values) where record[key] == nil {
                record[key] = value
            }
            record["why"] = .text(step.why)
            return .record(record)
        }
    }

    private let state = Mutex<Walk?>(nil)

    /// Sets the active trace.
    func start(_ walk: Walk) { state.withLock { $0 = walk } }

    /// Discards the trace.
    func stop() { state.withLock { $0 = nil } }

    /// The active trace. Throws `E-STEP-NONE` without one.
    var walk: Walk {
        get throws(RutterError) {
            guard let walk = state.withLock({ $0 }) else {
                throw StepErrors.none(
                    "no active trace", fix: "start with: step PIPELINE")
            }
            return walk
        }
    }

    /// Moves to a step, counted from 0, and shows it.
    func move(to position: Int) throws(RutterError) -> Value {
        var walk = try walk
        walk.position = position
        start(walk)
        return walk.shown
    }
}

/// Kinds of error of stepping.
enum StepErrors {
    static let none = ErrorKind(
        "E-STEP-NONE", "no active trace",
        explanation: """
            `step PIPELINE` runs a pipeline, records the decisions of its algorithms and stops at the first. Then \
            `step next`, `step back` and `step to` move through them.
            """)
    static let empty = ErrorKind(
        "E-STEP-EMPTY", "the pipeline made no decisions",
        explanation: """
            Only commands that run an algorithm record steps, such as a route search or turn instructions; the \
            help page of a command states it.
            """)
    static let end = ErrorKind(
        "E-STEP-END", "end of the trace",
        explanation: "The current step is the first or last of the trace.")
    static let notFound = ErrorKind(
        "E-STEP-NOTFOUND", "no matching step",
        explanation: """
            No step in this direction matches the condition; the current step is unchanged. `step to --back` \
            searches towards the beginning, `step to 1` moves there.
            """)
    static let picture = ErrorKind(
        "E-STEP-NOPICTURE", "no picture of this step",
        explanation:
            "This algorithm does not support pictures. Route searches do: they show their frontier.")

    static let all = [none, empty, end, notFound, picture]
}
