import PluginKit

/// `step next [N]`
struct StepNext: CommandProvider {
    let stepper: Stepper

    var command: Command {
        Command(
            "step next", "goes forward in the trace that is stepped through",
            .positional("count", .integer(1...Int.max), default: "1", "how many steps"),
            output: .value("record"), effect: .pure,
            examples: [
                .init(
                    "something must be stepped through", "expect-error E-STEP-NONE step next",
                    gives: "nothing is being stepped through")
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

    var command: Command {
        Command(
            "step back", "goes back in the trace that is stepped through",
            .positional("count", .integer(1...Int.max), default: "1", "how many steps"),
            output: .value("record"), effect: .pure,
            examples: [
                .init(
                    "something must be stepped through", "expect-error E-STEP-NONE step back",
                    gives: "nothing is being stepped through")
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

    var command: Command {
        Command(
            "step goto", "goes to a step of the trace that is stepped through",
            .positional("number", .integer(Int.min...Int.max), "the step, counted from 1; -1 is the last"),
            output: .value("record"), effect: .pure,
            examples: [
                .init(
                    "something must be stepped through", "expect-error E-STEP-NONE step goto 5",
                    gives: "nothing is being stepped through")
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

    var command: Command {
        Command(
            "step until", "goes to the next step for which an expression is true",
            details: """
                Bare names are the step's `kind`, `why` and values; a value that a step does not have is nothing. \
                `--back` stands before the expression.
                """,
            .flag("back", "looks towards the beginning"),
            .positional("condition", .expression, "what must hold for the step"),
            output: .value("record"), effect: .pure,
            examples: [
                .init(
                    "something must be stepped through", "expect-error E-STEP-NONE step until kind == settle",
                    gives: "nothing is being stepped through")
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
                "no step \(direction > 0 ? "after" : "before") step \(walk.position + 1) fulfils `\(condition.text)`",
                at: .parameter("condition"))
        }
    }
}
