import LineEditing
import PluginKit
import Synchronization

/// Lends the process's terminal to commands.
struct ScreenLender: ScreenLending {
    /// The terminal, if the process has one.
    static var present: ScreenLender? { LineEditor.isTerminal ? ScreenLender() : nil }

    private static let lent = Atomic(false)

    /// Whether a command owns the terminal; nothing else writes to it then.
    static var isLent: Bool { lent.load(ordering: .acquiring) }

    func withScreen<T: Sendable>(_ body: @Sendable (any LiveScreen) async throws -> T) async throws -> T {
        let screen: TerminalScreen
        do {
            screen = try TerminalScreen()
        } catch {
            throw CommonErrors.fileAccess("the terminal cannot be used: \(error)")
        }
        Self.lent.store(true, ordering: .releasing)
        defer {
            screen.close()
            Self.lent.store(false, ordering: .releasing)
        }
        return try await body(Lent(screen: screen))
    }

    /// A terminal as commands see it.
    private struct Lent: LiveScreen {
        let screen: TerminalScreen

        var columns: Int { screen.size.columns }
        var rows: Int { screen.size.rows }
        func show(_ lines: [String]) { screen.show(lines) }

        func key(within seconds: Double) async throws -> ScreenKey? {
            let interrupted = StopFlag()
            let event = await withTaskCancellationHandler {
                await screen.key(within: seconds) { !interrupted.isRaised }
            } onCancel: {
                interrupted.raise()
            }
            try Interruption.check()
            return switch event {
            case .character(let character): .character(character)
            case .up: .up
            case .down: .down
            case .left: .left
            case .right: .right
            case .enter: .enter
            case .escape: .escape
            case .end: .end
            case .nothing: nil
            }
        }
    }
}
