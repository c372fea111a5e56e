import Synchronization

/// The state shared by the editor's thread and its callers.
final class EditorState: Sendable {
    private struct Values {
        var prompt: String
        var history: [String] = []
        var historyProblem: String?
        var discardsInput = false
        var notices: [String] = []
        var look: PromptLook?
    }

    private let values: Mutex<Values>

    init(prompt: String) { values = Mutex(Values(prompt: prompt)) }

    var prompt: String {
        get { values.withLock { $0.prompt } }
        set { values.withLock { $0.prompt = newValue } }
    }

    /// How the prompt looks, if it was changed since the start.
    var look: PromptLook? {
        get { values.withLock { $0.look } }
        set { values.withLock { $0.look = newValue } }
    }

    var history: [String] {
        get { values.withLock { $0.history } }
        set { values.withLock { $0.history = newValue } }
    }

    var historyProblem: String? {
        get { values.withLock { $0.historyProblem } }
        set { values.withLock { $0.historyProblem = newValue } }
    }

    func addNotices(_ lines: [String]) { values.withLock { $0.notices += lines } }

    /// The lines to show since the last call.
    func takeNotices() -> [String] {
        values.withLock { values in
            defer { values.notices = [] }
            return values.notices
        }
    }

    func requestDiscard() { values.withLock { $0.discardsInput = true } }

    /// Whether a discard was requested since the last call.
    func takeDiscard() -> Bool {
        values.withLock { values in
            defer { values.discardsInput = false }
            return values.discardsInput
        }
    }
}
