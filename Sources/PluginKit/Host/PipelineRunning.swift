/// Runs pipelines of the session for a command that has them as text, such as one of a plugin of others.
public protocol PipelineRunning: Sendable {
    /// The value of one pipeline that `input` goes into. Throws `E-PLUGIN-EFFECT` for a command in it whose effect is
    /// larger than `effect`, and the errors of the pipeline, whose places are in `line`.
    func run(_ line: String, input: Value, allowing effect: CommandSpec.Effect) async throws -> Value

    /// The value that the parser makes of a word for a parameter. Throws what is wrong with the word.
    func value(ofWord word: String, for parameter: ParameterSpec) async throws -> Value
}
