/// A pipeline that was parsed but not run: what follows `let x =`, `trace` or `expect-error CODE`.
public struct DeferredPipeline: DomainObject {
    /// The pipeline as written.
    public let text: String
    private let body: @Sendable (TraceCollector?) async throws -> Value

    /// A pipeline by its text and its body, which receives the trace collector.
    public init(text: String, run: @escaping @Sendable (TraceCollector?) async throws -> Value) {
        self.text = text
        body = run
    }

    /// Runs it; records decisions into `collector`, if any.
    public func run(tracing: TraceCollector? = nil) async throws -> Value { try await body(tracing) }

    /// `pipeline`.
    public var typeName: String { "pipeline" }
    /// Its only field is its text.
    public var fieldNames: [String] { ["text"] }
    /// The text, as a field.
    public func field(_ name: String) -> Value? { name == "text" ? .text(text) : nil }
    /// The pipeline as written.
    public var summary: String { text }
}
