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
            ], searchTerms: ["forward", "next decision"]
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
            ], searchTerms: ["previous step", "backwards", "undo a step"]
        ) { _, count in
            let walk = try stepper.walk
            guard walk.position > 0 else {
                throw StepErrors.end("step 1 is the first", fix: "go forward: step next")
            }
            return try stepper.move(to: walk.position - min(count, walk.position))
        }
    }
}

/// `step to N`, `step to CONDITION`
struct StepTo: CommandProvider {
    let stepper: Stepper

    var name: String { "step to" }

    var command: Command {
        Command(
            name, "move to a step of the active trace, or to the next match",
            details: """
                By its number, from 1; -1 is the last. Or to the next step that matches a condition: bare names are the step's \
                `kind`, `why` and values; a value that a step does not have is nothing. `--back` comes before the condition.
                """,
            .flag("back", "search towards the beginning"),
            .positional("target", .expression, "number of the step, or condition for it"),
            output: .value("record"), effect: .pure,
            examples: [
                .init(
                    "an active trace is required", "expect-error E-STEP-NONE step to 5",
                    gives: "no active trace"),
                .init(
                    "to a kind", "expect-error E-STEP-NONE step to kind == settle",
                    gives: "no active trace"),
            ], searchTerms: ["goto", "until", "jump", "search"]
        ) { context, back, target in
            let walk = try stepper.walk
            if let number = try Self.number(target, walk) {
                return try stepper.move(to: Self.index(of: number, in: walk, isSearch: back))
            }
            let direction = back ? -1 : 1
            var index = walk.position + direction
            while walk.steps.indices.contains(index) {
                if index % 1024 == 0 { try context.checkCancelled() }
                if case .boolean(true) = try target(walk.row(index)) { return try stepper.move(to: index) }
                index += direction
            }
            throw StepErrors.notFound(
                "no step \(direction > 0 ? "after" : "before") step \(walk.position + 1) matches `\(target.text)`",
                at: .parameter("target"))
        }
    }

    /// The number of a step, written or in a variable; `nil` for a condition.
    private static func number(_ target: RowExpression, _ walk: Stepper.Walk) throws -> Int? {
        let text = target.text.split(separator: " ").joined()
        if let number = Int(text) { return number }
        guard text.hasPrefix("$"), case .integer(let number) = try target(walk.row(walk.position))
        else { return nil }
        return number
    }

    private static func index(
        of number: Int, in walk: Stepper.Walk, isSearch: Bool
    ) throws(RutterError) -> Int {
        guard !isSearch else {
            throw CommonErrors.argumentRange(
                "--back searches for a condition, and \(number) is the number of a step",
                at: .parameter("back"),
                fix: "step to \(number)")
        }
        let index = number < 0 ? walk.steps.count + number : number - 1
        guard walk.steps.indices.contains(index) else {
            throw CommonErrors.argumentRange(
                "there is no step \(number): the trace has \(walk.steps.count)", at: .parameter("target"))
        }
        return index
    }
}
