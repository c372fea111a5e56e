import PluginKit

/// `expect-error CODE PIPELINE`
struct ExpectErrorCommand: CommandProvider {
    var command: Command {
        Command(
            "expect-error", "passes when a pipeline fails with a certain error",
            details:
                "Gives the error's message. A mistake in the pipeline's grammar is an error of the whole line.",
            .positional("code", .text, "the error's code, such as E-UNIT-DIMENSION").completing(.errorCodes),
            .positional("pipeline", .pipeline, "what must fail"),
            output: .value("text"), effect: .pure,
            examples: [
                .init(
                    "units are checked", "expect-error E-UNIT-DIMENSION 2km > 3s",
                    gives: "a length cannot be compared with a duration")
            ]
        ) { _, code, pipeline in
            do {
                let value = try await pipeline.run()
                try value.runThrough()
            } catch {
                let failure = Session.asRutterError(error)
                if failure.code == code { return .text(failure.message) }
                throw LanguageErrors.expected(
                    "it failed with \(failure.code), not \(code): \(failure.message)", at: .parameter("code"))
            }
            throw LanguageErrors.expected("it succeeded, \(code) did not come", at: .parameter("pipeline"))
        }
    }
}
