import PluginKit

/// `expect-error CODE PIPELINE`
struct ExpectErrorCommand: CommandProvider {
    var name: String { "expect-error" }

    var command: Command {
        Command(
            name, "succeed when a pipeline fails with an error code",
            details:
                "Returns the error's message. A syntax error in the pipeline fails the whole line.",
            .positional("code", .text, "error code, such as E-UNIT-DIMENSION").completing(.errorCodes),
            .positional("pipeline", .pipeline, "pipeline that must fail"),
            output: .value("text"), effect: .pure,
            examples: [
                .init(
                    "units are checked", "expect-error E-UNIT-DIMENSION 2km > 3s",
                    gives: "a length cannot be compared with a duration")
            ], searchTerms: ["should fail", "test an error", "test that a command fails", "negative test"]
        ) { _, code, pipeline in
            do {
                let value = try await pipeline.run()
                try value.runThrough()
            } catch {
                let failure = Session.asRutterError(error)
                if failure.code == code { return .text(failure.message) }
                throw LanguageErrors.expected(
                    "failed with \(failure.code), not \(code): \(failure.message)", at: .parameter("code"))
            }
            throw LanguageErrors.expected(
                "the pipeline succeeded; expected \(code)", at: .parameter("pipeline"))
        }
    }
}
