import PluginKit

/// `step next [N]`
struct StepNext: CommandProvider {
    let stepper: Stepper

    var name: String { "step next" }

    var command: Command {
        Command(
            name, "move forward in the active trace",
            .positional("count", .integer(1...Int.max), default: "1", "number of steps"),
            output: .value("record"), effect: .pure,
            examples: [
                .init(
                    "an active trace is required", "expect-error E-STEP-NONE step next",
                    gives: "no active trace")
            ]
        ) { _, count in
            let walk = try stepper.walk
            let last = walk.steps.count - 1
            guard walk.position < last else {
                throw StepErrors.end("step \(walk.steps.count) is the last", fix: "go back: step back")
            }
            return try stepper.move(to: walk.position + min(count, last - walk.position))
        }
    }
}

/// `step back [N]`
struct StepBack: CommandProvider {
    let stepper: Stepper

    var name: String { "step back" }

    var command: Command {
        Command(
            name, "move back in the active trace",
            .positional("count", .integer(1...Int.max), default: "1", "number of steps"),
            output: .value("record"), effect: .pure,
            examples: [
                .init(
                    "an active trace is required", "expect-error E-STEP-NONE step back",
                    gives: "no active trace")
            ]
        ) { _, count in
            let walk = try stepper.walk
            guard walk.position > 0 else {
                throw StepErrors.end("step 1 is the first", fix: "go forward: step next")
            }
            return try stepper.move(to: walk.position - min(count, walk.position))
        }
    }
}

/// `step goto N`
struct StepGoto: CommandProvider {
    let stepper: Stepper

    var name: String { "step goto" }

    var command: Command {
        Command(
            name, "move to a step of the active trace by its number",
            .positional("number", .integer(Int.min...Int.max), "number of the step, from 1; -1 is the last"),
            output: .value("record"), effect: .pure,
            examples: [
                .init(
                    "an active trace is required", "expect-error E-STEP-NONE step goto 5",
                    gives: "no active trace")
            ]
        ) { _, number in
            let walk = try stepper.walk
            let index = number < 0 ? walk.steps.count + number : number - 1
            guard walk.steps.indices.contains(index) else {
                throw CommonErrors.argumentRange(
                    "there is no step \(number): the trace has \(walk.steps.count)", at: .parameter("number"))
            }
            return try stepper.move(to: index)
        }
    }
}

/// `step until EXPRESSION`
struct StepUntil: CommandProvider {
    let stepper: Stepper

    var name: String { "step until" }

    var command: Command {
        Command(
            name, "move to the next step that matches a condition",
            details: """
                Bare names are the step's `kind`, `why` and values; a value that a step does not have is nothing. \
                `--back` comes before the expression.
                """,
            .flag("back", "search towards the beginning"),
            .positional("condition", .expression, "condition for the step"),
            output: .value("record"), effect: .pure,
            examples: [
                .init(
                    "an active trace is required", "expect-error E-STEP-NONE step until kind == settle",
                    gives: "no active trace")
            ]
        ) { context, back, condition in
            let walk = try stepper.walk
            let direction = back ? -1 : 1
            var index = walk.position + direction
            while walk.steps.indices.contains(index) {
                if index % 1024 == 0 { try context.checkCancelled() }
                if case .boolean(true) = try condition(walk.row(index)) { return try stepper.move(to: index) }
                index += direction
            }
            throw StepErrors.notFound(
                "no step \(direction > 0 ? "after" : "before") step \(walk.position + 1) matches `\(condition.text)`",
                at: .parameter("condition"))
        }
    }
}
