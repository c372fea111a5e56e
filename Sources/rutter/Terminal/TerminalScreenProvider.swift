import LineEditing
import PluginKit
import Synchronization

/// Gives commands the process's terminal.
struct TerminalScreenProvider: ScreenProvider {
    /// The terminal, if the process has one.
    static var present: TerminalScreenProvider? { LineEditor.isTerminal ? TerminalScreenProvider() : nil }

    private static let inUse = Atomic(false)

    /// Whether a command owns the terminal; nothing else writes to it then.
    static var isInUse: Bool { inUse.load(ordering: .acquiring) }

    func withScreen<T: Sendable>(_ body: @Sendable (any LiveScreen) async throws -> T) async throws -> T {
        let screen: TerminalScreen
        do {
            screen = try TerminalScreen()
        } catch {
            throw CommonErrors.fileAccess("the terminal cannot be used: \(error)")
        }
        Self.inUse.store(true, ordering: .releasing)
        defer {
            screen.close()
            Self.inUse.store(false, ordering: .releasing)
        }
        return try await body(CommandScreen(screen: screen))
    }

    /// The terminal as commands see it.
    private struct CommandScreen: LiveScreen {
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
