import PluginKit

/// `step next [N]`
struct StepNext: LegacyCommand {
    let stepper: Stepper
    private static let count = Parameter.positional(
        "count", .integer(1...Int.max), default: "1", "how many steps")

    let spec = CommandSpec(
        "step next", "goes forward in the trace that is stepped through",
        parameters: [count.spec], output: .value("record"), effect: .pure,
        examples: [
            .init(
                "something must be stepped through", "expect-error E-STEP-NONE step next",
                gives: "nothing is being stepped through")
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let walk = try stepper.walk
        let last = walk.steps.count - 1
        guard walk.position < last else {
            throw StepErrors.end("step \(walk.steps.count) is the last", fix: "go back: step back")
        }
        return try stepper.move(to: walk.position + min(try arguments[Self.count], last - walk.position))
    }
}

/// `step back [N]`
struct StepBack: LegacyCommand {
    let stepper: Stepper
    private static let count = Parameter.positional(
        "count", .integer(1...Int.max), default: "1", "how many steps")

    let spec = CommandSpec(
        "step back", "goes back in the trace that is stepped through",
        parameters: [count.spec], output: .value("record"), effect: .pure,
        examples: [
            .init(
                "something must be stepped through", "expect-error E-STEP-NONE step back",
                gives: "nothing is being stepped through")
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let walk = try stepper.walk
        guard walk.position > 0 else {
            throw StepErrors.end("step 1 is the first", fix: "go forward: step next")
        }
        return try stepper.move(to: walk.position - min(try arguments[Self.count], walk.position))
    }
}

/// `step goto N`
struct StepGoto: LegacyCommand {
    let stepper: Stepper
    private static let number = Parameter.positional(
        "number", .integer(Int.min...Int.max), "the step, counted from 1; -1 is the last")

    let spec = CommandSpec(
        "step goto", "goes to a step of the trace that is stepped through",
        parameters: [number.spec], output: .value("record"), effect: .pure,
        examples: [
            .init(
                "something must be stepped through", "expect-error E-STEP-NONE step goto 5",
                gives: "nothing is being stepped through")
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let walk = try stepper.walk
        let number = try arguments[Self.number]
        let index = number < 0 ? walk.steps.count + number : number - 1
        guard walk.steps.indices.contains(index) else {
            throw CommonErrors.argumentRange(
                "there is no step \(number): the trace has \(walk.steps.count)", at: .parameter("number"))
        }
        return try stepper.move(to: index)
    }
}

/// `step until EXPRESSION`
struct StepUntil: LegacyCommand {
    let stepper: Stepper
    private static let back = Parameter.flag("back", "looks towards the beginning")
    private static let condition = Parameter.positional(
        "condition", .expression, "what must hold for the step")

    let spec = CommandSpec(
        "step until", "goes to the next step for which an expression is true",
        details: """
            Bare names are the step's `kind`, `why` and values; a value that a step does not have is nothing. \
            `--back` stands before the expression.
            """,
        parameters: [back.spec, condition.spec], output: .value("record"), effect: .pure,
        examples: [
            .init(
                "something must be stepped through", "expect-error E-STEP-NONE step until kind == settle",
                gives: "nothing is being stepped through")
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let walk = try stepper.walk
        let condition = try arguments[Self.condition]
        let direction = try arguments[Self.back] ? -1 : 1
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
