import PluginKit

/// `step show`
struct StepShow: CommandProvider {
    let stepper: Stepper

    var name: String { "step show" }

    var command: Command {
        Command(
            name, "show the current step of the active trace",
            .option("around", .integer(1...1000), "number of steps before and after to include, as rows"),
            output: .value("record"), effect: .pure,
            examples: [
                .init(
                    "an active trace is required", "expect-error E-STEP-NONE step show",
                    gives: "no active trace")
            ]
        ) { _, around in
            let walk = try stepper.walk
            guard let around else { return walk.shown }
            let first = max(0, walk.position - around)
            let last = min(walk.steps.count - 1, walk.position + around)
            return .table(columns: TraceRow.columns, rows: (first...last).map(walk.row))
        }
    }
}

/// `step differ PIPELINE`
struct StepDiffer: CommandProvider {
    let stepper: Stepper

    var name: String { "step differ" }

    var command: Command {
        Command(
            name, "move to the first step where another pipeline differs",
            details: """
                Steps are compared by kind, displayed values and reason. --on comes before the pipeline: step differ \
                --on node route plan … finds where two searches first visit different nodes.
                """,
            .options(
                "on", .field, "compare only the kind and this value; repeatable"),
            .positional("pipeline", .pipeline, "pipeline to compare with"),
            output: .rows(["value", "here", "there"]), effect: .pure,
            examples: [
                .init(
                    "an active trace is required", "expect-error E-STEP-NONE step differ 1 + 1",
                    gives: "no active trace")
            ], searchTerms: ["compare", "diff"]
        ) { context, fields, pipeline in
            let walk = try stepper.walk
            let other = try await StepRecording.walk(
                pipeline, limit: max(walk.steps.count, TraceSettings.limit), context: context)
            let common = min(walk.steps.count, other.steps.count)
            let first = (0..<common).first { !Self.isSame(walk.steps[$0], other.steps[$0], on: fields) }
            guard let index = first ?? (walk.steps.count == other.steps.count ? nil : common) else {
                throw StepErrors.notFound("the two traces are identical, \(walk.steps.count) steps long")
            }
            if index < walk.steps.count { _ = try stepper.move(to: index) }
            let here = index < walk.steps.count ? walk.shown(index) : .nothing
            let there = index < other.steps.count ? other.shown(index) : .nothing
            return Self.compared(here, there)
        }
    }

    /// The values of two steps side by side.
    private static func compared(_ here: Value, _ there: Value) -> Value {
        var names = here.fieldNames ?? []
        names += (there.fieldNames ?? []).filter { !names.contains($0) }
        return .table(
            columns: ["value", "here", "there"],
            cells: names.map { name in
                [.text(name), here.field(name) ?? .nothing, there.field(name) ?? .nothing]
            })
    }

    private static func isSame(_ left: TraceStep, _ right: TraceStep, on fields: [String]) -> Bool {
        guard fields.isEmpty else {
            return left.kind == right.kind
                && fields.allSatisfy { name in
                    ValueText.inline(left.values[name] ?? .nothing)
                        == ValueText.inline(right.values[name] ?? .nothing)
                }
        }
        return left.kind == right.kind && left.why == right.why && left.values.keys == right.values.keys
            && zip(left.values.values, right.values.values)
                .allSatisfy { ValueText.inline($0) == ValueText.inline($1) }
    }
}

/// `step picture`
struct StepPicture: CommandProvider {
    let stepper: Stepper

    var name: String { "step picture" }

    var command: Command {
        Command(
            name, "draw the algorithm's state at the current step",
            details: "Pipe it to `map`: step picture | map --out frontier.svg",
            output: .any, effect: .pure,
            examples: [
                .init(
                    "an active trace is required", "expect-error E-STEP-NONE step picture",
                    gives: "no active trace")
            ], searchTerms: ["frontier", "map"]
        ) { _ in
            let walk = try stepper.walk
            guard let picture = walk.picture(walk.position) else {
                throw StepErrors.picture(
                    "no picture for steps of kind \(walk.steps[walk.position].kind)",
                    fix: "`step show` lists the step's values")
            }
            if let board = picture as? StepBoard { return .object(board.drawing) }
            return .object(picture)
        }
    }
}

/// `step end`
struct StepEnd: CommandProvider {
    let stepper: Stepper

    var name: String { "step end" }

    var command: Command {
        Command(
            name, "discard the active trace",
            output: .nothing, effect: .pure,
            examples: [.init("discard the trace", "step end")], searchTerms: ["stop stepping"]
        ) { _ in
            stepper.stop()
            return .nothing
        }
    }
}
