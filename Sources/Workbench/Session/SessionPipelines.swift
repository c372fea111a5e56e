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

    func value(ofWord word: String, for parameter: ParameterSpec) async throws -> Value {
        try await session.get().value(ofWord: word, for: parameter)
    }
}

/// The permissions of pipelines that a command runs.
enum PipelineLimit {
    /// The largest effect of their commands; `nil` outside of such pipelines.
    @TaskLocal static var effect: CommandSpec.Effect?

    private static let order: [CommandSpec.Effect] = [.pure, .reads, .changes]

    /// On whose behalf they run.
    enum Reason: Sendable {
        /// A command of an external plugin.
        case plugin
        /// A plugin that submits entries, such as a web server.
        case another
        /// A read-only client, which may not use these commands.
        case readOnly(Set<String>)
        /// An answer to an exercise, which may not use these commands.
        case answer(Set<String>)
    }

    /// On whose behalf they run.
    @TaskLocal static var reason = Reason.plugin

    /// Throws `E-PLUGIN-EFFECT` for a command whose effect is too large, and for one that ends the session;
    /// `E-READ-ONLY` for read-only clients.
    static func check(_ call: Call) throws(RutterError) {
        let spec = call.command.spec
        guard let effect, let most = order.firstIndex(of: effect),
            let wanted = order.firstIndex(of: call.effect)
        else { return }
        if case .readOnly(let others) = reason {
            guard wanted <= most, !others.contains(spec.name) else {
                throw RegistryErrors.readOnly(
                    "`\(spec.name)` changes the workspace or the session, which is open for reading only",
                    fix: "run it at the prompt, or open the session without --read-only")
            }
            return
        }
        if case .answer(let others) = reason {
            guard wanted <= most, !others.contains(spec.name) else {
                throw RegistryErrors.readOnly(
                    "an answer cannot change anything, and `\(spec.name)` changes the workspace or the session",
                    fix: "try it in a session of your own, and answer with its output")
            }
            return
        }
        guard wanted <= most, spec.name != "quit" else {
            if case .another = reason {
                throw RegistryErrors.readOnly(
                    "the session ends only where it was started", fix: "quit at the prompt, or Ctrl-C")
            }
            throw RegistryErrors.effect(
                "`\(spec.name)` \(call.effect == .changes ? "changes" : "reads") the workspace, and the plugin's command may not"
            )
        }
    }
}

extension Session {
    /// Runs one pipeline with an input value.
    func value(ofPipeline line: String, input: Value) async throws -> Value {
        try await open()
        let pipelines = try parse(line).pipelines
        guard pipelines.count == 1, let pipeline = pipelines.first else {
            throw LanguageErrors.syntax("a plugin runs one pipeline at a time")
        }
        return try await execute(pipeline, input: input, entry: line, tracing: nil)
    }
}
