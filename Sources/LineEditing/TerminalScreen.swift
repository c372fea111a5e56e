import Dispatch
import Glibc
import Synchronization

/// The whole terminal, for a program that shows frames and reads single keys.
///
/// While it is open, the terminal is on its alternate screen, without echo, and delivers each key at once;
/// Ctrl-C is still SIGINT. `close()` restores everything. Only one at a time, and not while a line editor
/// waits for an entry.
public final class TerminalScreen: Sendable {
    /// The result of waiting for a key.
    public enum Event: Sendable, Equatable {
        /// A character as typed.
        case character(Character)
        /// An arrow.
        case up, down, left, right
        /// Return, Escape alone.
        case enter, escape
        /// Timeout, or the terminal's size changed: draw a new frame.
        case nothing
        /// The terminal was closed, or the process must end.
        case end
    }

    private struct State: ~Copyable {
        var reader: KeyReader
        var original: termios
        var signals: ForwardedSignals?
        var isTerminated = false
    }

    private let pipe: WakePipe
    private let state: Mutex<State>
    /// Waits for keys on a separate thread, so that no task is blocked.
    private let waiting = DispatchQueue(label: "keys of the screen")

    /// Interval of `isWanted` checks, in milliseconds.
    private static let slice: Int32 = 50
    private static let escapeTimeout = 50
    private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
    private static let leave = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// Opens the screen. Throws if standard input and output are not a terminal.
    public init() throws(LineEditorError) {
        guard Terminal.isInteractive else { throw .notATerminal }
        guard let pipe = WakePipe() else { throw .tooManyFiles }
        var original = termios()
        guard tcgetattr(STDIN_FILENO, &original) == 0 else {
            pipe.close()
            throw .unavailable("the terminal's settings")
        }
        self.pipe = pipe
        var own = original
        own.c_lflag &= ~tcflag_t(ICANON | ECHO)
        withUnsafeMutableBytes(of: &own.c_cc) { keys in
            keys[Int(VMIN)] = 1
            keys[Int(VTIME)] = 0
            // A stopped process would leave the terminal in this state.
            keys[Int(VSUSP)] = 0
        }
        let reader = KeyReader(prompt: "", continuationPrompt: "", escapeTimeout: Self.escapeTimeout)
        let signals = ForwardedSignals(TerminalInput.signals, to: pipe)
        state = Mutex(State(reader: reader, original: original, signals: signals))
        _ = tcsetattr(STDIN_FILENO, TCSADRAIN, &own)
        Terminal.write(Self.enter)
    }

    deinit { close() }

    /// Restores the terminal. Further calls do nothing.
    public func close() {
        let wasTerminated = state.withLock { state -> Bool in
            guard let signals = state.signals else { return false }
            Terminal.write(Self.leave)
            _ = tcsetattr(STDIN_FILENO, TCSADRAIN, &state.original)
            signals.restore()
            state.signals = nil
            pipe.close()
            return state.isTerminated
        }
        // The terminal is restored: now deliver the signal's default action.
        if wasTerminated { kill(getpid(), SIGTERM) }
    }

    /// Current rows and columns.
    public var size: (rows: Int, columns: Int) { Terminal.size }

    /// Replaces the shown lines; lines below the last row are dropped.
    public func show(_ lines: [String]) {
        let shown = lines.prefix(size.rows)
        Terminal.write(
            "\u{1B}[H" + shown.map { $0 + "\u{1B}[0m\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
    }

    /// Waits for a key for a number of seconds. `isWanted` is called about every 50 ms.
    public func key(within seconds: Double, isWanted: @escaping @Sendable () -> Bool) async -> Event {
        await withCheckedContinuation { continuation in
            waiting.async { continuation.resume(returning: self.wait(seconds, isWanted)) }
        }
    }

    private func wait(_ seconds: Double, _ isWanted: () -> Bool) -> Event {
        // Clamped, so that the conversion cannot overflow.
        var left = Int32(max(0, min(seconds, 3600)) * 1000)
        return state.withLock { state in
            guard state.signals != nil else { return .end }
            let input = TerminalInput(pipe: pipe)
            while isWanted() {
                let turn = min(left, Self.slice)
                var outcome = ByteEvent.timeout
                var wasResized = false
                var isTerminated = false
                let key = state.reader.nextKey { timeout in
                    outcome = input.readByte(timeout: timeout < 0 ? turn : timeout) { event in
                        switch event {
                        case .resized, .continued: wasResized = true
                        case .terminate: isTerminated = true
                        case .hangUp, .closed, .noticed: break
                        }
                        return [.resized, .continued, .noticed].contains(event)
                    }
                    return outcome
                }
                if isTerminated { state.isTerminated = true }
                if let key { return Self.event(key) }
                if outcome == .end { return .end }
                left -= turn
                if left <= 0 || wasResized { return .nothing }
            }
            return .nothing
        }
    }

    private static func event(_ key: UInt32) -> Event {
        switch key {
        case Key.up: .up
        case Key.down: .down
        case Key.left: .left
        case Key.right: .right
        case Key.escape: .escape
        case Key.newline, 0x0D: .enter
        default: Unicode.Scalar(key).map { .character(Character($0)) } ?? .nothing
        }
    }
}
