/// A terminal that a command temporarily owns: it shows frames and receives keys.
public protocol LiveScreen: Sendable {
    /// Current columns; may change while the command runs.
    var columns: Int { get }
    /// Current rows.
    var rows: Int { get }
    /// Shows a frame in place of the previous one. Excess lines are dropped.
    func show(_ lines: [String])
    /// Waits for a key for a number of seconds; `nil` on timeout. Throws `E-INTERRUPTED` after Ctrl-C.
    func key(within seconds: Double) async throws -> ScreenKey?
}

/// A key, as distinguished by commands.
public enum ScreenKey: Sendable, Hashable {
    /// A character as typed.
    case character(Character)
    /// The arrows.
    case up, down, left, right
    /// Return or Enter.
    case enter
    /// Escape alone.
    case escape
    /// End of input: the terminal was closed.
    case end
}

/// Gives a command exclusive use of the terminal. Unavailable in pipes, notebooks and tests.
public protocol ScreenProvider: Sendable {
    /// Runs a body that owns the terminal, and restores the terminal afterwards, also when it throws.
    func withScreen<T: Sendable>(_ body: @Sendable (any LiveScreen) async throws -> T) async throws -> T
}
