import CLibEdit
import Foundation
import Synchronization

/// Reads entries from the terminal with editing, history and completion, by libedit on its own thread.
///
/// The terminal is in editing mode only while `nextLine()` waits; otherwise it is in normal mode, so that
/// Ctrl-C is SIGINT (see `InterruptMonitor`) and a command can use the terminal. Create the editor early: it
/// sets the process's LC_CTYPE to a UTF-8 locale, which is not thread-safe. Only one may exist at a time.
public final class LineEditor: Sendable {
    private let state: EditorState
    private let requests = RequestQueue()
    private let pipe: WakePipe
    private let ended = DispatchSemaphore(value: 0)

    /// Whether standard input and output are a terminal. If not, read plain lines instead.
    public static var isTerminal: Bool { Terminal.isInteractive }

    /// Creates an editor and reads the history.
    ///
    /// The closures run on the editor's thread while the user waits: they should return within 50 ms, and
    /// must not close the editor. `isIncomplete` returns whether the entry so far needs another line;
    /// `complete` returns the candidates at the cursor, or nil for none. `highlight` returns the styles of
    /// the entry so far, in order and without overlap; it is called for each key, and never without colour.
    public init(
        configuration: LineEditorConfiguration,
        isIncomplete: @escaping @Sendable (String) -> Bool,
        complete: @escaping @Sendable (CompletionRequest) -> CompletionAnswer?,
        highlight: @escaping @Sendable (String) -> [StyledRange] = { _ in [] }
    ) throws(LineEditorError) {
        guard Terminal.isInteractive else { throw .notATerminal }
        guard cle_use_utf8_locale() else { throw .noUTF8Locale }
        guard let pipe = WakePipe() else { throw .tooManyFiles }
        self.pipe = pipe
        state = EditorState(prompt: configuration.prompt)
        let startup = Startup()
        let thread = Thread { [state, requests, ended] in
            defer { ended.signal() }
            do throws(LineEditorError) {
                let session = try EditorSession(
                    configuration: configuration, state: state, pipe: pipe,
                    isIncomplete: isIncomplete, complete: complete, highlight: highlight)
                startup.finish(nil)
                while let request = requests.next() { request.resume(returning: session.readEntry()) }
            } catch {
                startup.finish(error)
            }
        }
        thread.name = "line editor"
        thread.start()
        if let error = startup.wait() {
            ended.wait()
            _ = requests.close()
            pipe.close()
            throw error
        }
    }

    deinit { close() }

    /// Waits until an entry is complete, discarded, or the input has ended. Calls are served in order.
    /// Cancelling the task does not end the wait; `close()` does.
    public func nextLine() async -> LineEvent {
        await withCheckedContinuation { requests.submit($0) }
    }

    /// Sets the prompt of later entries.
    public func setPrompt(_ prompt: String) { state.prompt = prompt }

    /// Sets how the prompt of later entries looks.
    public func setLook(_ look: PromptLook) { state.look = look }

    /// The entries kept, oldest first.
    public var history: [String] { state.history }

    /// Why history could not be read or saved, if so. Editing continues without the file.
    public var historyProblem: String? { state.historyProblem }

    /// Shows lines above the entry that is being edited, which is unchanged; otherwise before the next prompt. Must
    /// not be called after `close()`.
    public func show(_ lines: [String]) {
        state.addNotices(lines)
        pipe.wake(WakePipe.notice)
    }

    /// Discards the lines of a paste that have not run yet: after Ctrl-C has stopped a command, the commands
    /// pasted with it should not run.
    public func discardPendingInput() { state.requestDiscard() }

    /// Closes the editor and restores the terminal. Pending calls return `.endOfInput`.
    public func close() {
        guard requests.close() else { return }
        pipe.wake()
        ended.wait()
        pipe.close()
    }
}

/// Reports to the creator of a thread whether it started.
private final class Startup: Sendable {
    private let error = Mutex<LineEditorError?>(nil)
    private let done = DispatchSemaphore(value: 0)

    func finish(_ error: LineEditorError?) {
        self.error.withLock { $0 = error }
        done.signal()
    }

    func wait() -> LineEditorError? {
        done.wait()
        return error.withLock { $0 }
    }
}
