/// A command: its declaration, and what it does.
///
/// It parses nothing and prints nothing: it gets typed arguments and returns a value. It happens wholly or not
/// at all: a command that throws has changed nothing.
public protocol Command: Sendable {
    /// The declaration.
    var spec: CommandSpec { get }
    /// Runs it. Throws `RutterError`; calls `context.checkCancelled()` at least every 50 ms of work.
    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value
}
