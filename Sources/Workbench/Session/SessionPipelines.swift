import PluginKit

/// Runs pipelines of a session for commands that have them as text.
struct SessionPipelines: PipelineRunning {
    let session: SessionHandle

    func run(_ line: String, input: Value, allowing effect: CommandSpec.Effect) async throws -> Value {
        let session = try session.get()
        return try await PipelineLimit.$effect.withValue(effect) {
            try await session.value(ofPipeline: line, input: input)
        }
    }
}

/// What the pipelines that a command runs may do.
enum PipelineLimit {
    /// The largest effect of their commands; `nil` outside of such pipelines.
    @TaskLocal static var effect: CommandSpec.Effect?

    private static let order: [CommandSpec.Effect] = [.pure, .reads, .changes]

    /// Throws `E-PLUGIN-EFFECT` for a command whose effect is larger, and for one that ends the session.
    static func check(_ spec: CommandSpec) throws(RutterError) {
        guard let effect, let most = order.firstIndex(of: effect),
            let wanted = order.firstIndex(of: spec.effect)
        else { return }
        guard wanted <= most, spec.name != "quit" else {
            throw RegistryErrors.effect(
                "`\(spec.name)` \(spec.effect == .changes ? "changes" : "reads") the workspace, and the plugin's command may not"
            )
        }
    }
}

extension Session {
    /// The value of one pipeline that a value goes into.
    func value(ofPipeline line: String, input: Value) async throws -> Value {
        try await open()
        let pipelines = try parse(line).pipelines
        guard pipelines.count == 1, let pipeline = pipelines.first else {
            throw LanguageErrors.syntax("a plugin runs one pipeline at a time")
        }
        return try await execute(pipeline, input: input, entry: line, tracing: nil)
    }
}
