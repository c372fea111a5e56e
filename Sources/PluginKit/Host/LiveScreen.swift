/// A terminal that a command owns for a while: it shows frames and gets keys.
public protocol LiveScreen: Sendable {
    /// Columns at present; they may change while the command runs.
    var columns: Int { get }
    /// Rows at present.
    var rows: Int { get }
    /// Shows a frame in place of the one before. Lines that are too many are left out.
    func show(_ lines: [String])
    /// Waits for a key, so many seconds; `nil` when none came. Throws `E-INTERRUPTED` after Ctrl-C.
    func key(within seconds: Double) async throws -> ScreenKey?
}

/// A key, as far as commands tell them apart.
public enum ScreenKey: Sendable, Hashable {
    /// A character as typed.
    case character(Character)
    /// The arrows.
    case up, down, left, right
    /// Return or Enter.
    case enter
    /// Escape alone.
    case escape
    /// The input has ended: the terminal is gone.
    case end
}

/// Lends the terminal to a command. There is none where nobody looks: in a pipe, a notebook, a test.
public protocol ScreenLending: Sendable {
    /// Runs a body that owns the terminal. Afterwards, also when it throws, the terminal is as it was before.
    func withScreen<T: Sendable>(_ body: @Sendable (any LiveScreen) async throws -> T) async throws -> T
}
