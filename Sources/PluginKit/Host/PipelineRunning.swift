/// Runs pipelines of the session for a command that has them as text, such as one of an external plugin.
public protocol PipelineRunning: Sendable {
    /// Runs one pipeline with `input` and returns its value. Throws `E-PLUGIN-EFFECT` for a command in it whose effect is
    /// larger than `effect`, and the errors of the pipeline, with locations in `line`.
    func run(_ line: String, input: Value, allowing effect: CommandSpec.Effect) async throws -> Value

    /// Parses a word for a parameter. Throws if the word is invalid.
    func value(ofWord word: String, for parameter: ParameterSpec) async throws -> Value
}
