import CLibEdit

/// An action of a key, performed by the editor's owner.
enum EditorAction: Int32 {
    case complete, list, interrupt, leave, paste, up, down, previous, next, suspend, right, end, delete, word,
        edit
}

/// The editor's behaviour after an action.
enum ActionResult: Int32 {
    case nothing, refresh, beep, leave
}

/// A Swift wrapper of libedit. Confined to the thread that created it.
final class EditLine {
    /// The line being edited.
    struct Line {
        var text: Scalars
        var cursor: Int
    }

    /// Returns the next key, or nil at the end of the input.
    var nextKey: () -> UInt32? = { nil }
    /// Performs an action.
    var perform: (EditorAction) -> ActionResult = { _ in .beep }

    private var handle: OpaquePointer?
    private var reserved = 0

    /// Space that libedit needs beside a line while searching: the pattern, and the text around it.
    private static let searchRoom = 2048

    init(program: String, historyLimit: Int) throws(LineEditorError) {
        let callbacks = cle_callbacks(
            owner: Unmanaged.passUnretained(self).toOpaque(),
            read_scalar: { owner, scalar in
                guard let owner, let scalar else { return -1 }
                let editor = Unmanaged<EditLine>.fromOpaque(owner).takeUnretainedValue()
                guard let key = editor.nextKey() else { return 0 }
                scalar.pointee = key
                return 1
            },
            perform: { owner, action in
                guard let owner, let action = EditorAction(rawValue: action) else {
                    return ActionResult.beep.rawValue
                }
                return Unmanaged<EditLine>.fromOpaque(owner).takeUnretainedValue().perform(action).rawValue
            })
        handle = cle_editor_new(program, callbacks)
        guard handle != nil else { throw .unavailable("libedit") }
        cle_limit_history(handle, Int32(clamping: historyLimit))
    }

    deinit { cle_editor_free(handle) }

    var usesViKeys: Bool { cle_uses_vi_keys(handle) }
    var isEditing: Bool { cle_is_editing(handle) }
    var movesCursor: Bool { cle_moves_cursor(handle) }

    func setPrompt(_ prompt: String) { _ = cle_set_prompt(handle, prompt.terminatedScalars) }

    func bind(_ bindings: [KeyBinding]) {
        for binding in bindings {
            _ = cle_bind(
                handle, binding.inCommandMode, [binding.key, 0], binding.function.terminatedScalars)
        }
    }

    /// Executes a line of an editrc(5) file. libedit reports errors on standard error.
    func parse(_ line: String) { _ = cle_parse(handle, line.terminatedScalars) }

    /// Reads a line, without its newline; nil if editing ended without one.
    func readLine() -> Scalars? {
        var count: Int32 = 0
        guard let text = cle_read_line(handle, &count), count > 0 else { return nil }
        var scalars = Array(UnsafeBufferPointer(start: text, count: Int(count)))
        if let last = scalars.last, last == 0x0A || last == 0x0D { scalars.removeLast() }
        return scalars
    }

    var current: Line {
        let line = cle_current_line(handle)
        return Line(
            text: Array(UnsafeBufferPointer(start: line.text, count: Int(line.count))),
            cursor: Int(line.cursor))
    }

    func replace(with text: Scalars, cursor: Int) {
        _ = cle_replace_line(handle, text.filter { $0 != 0 } + [0], Int32(clamping: cursor))
    }

    func insert(_ text: String) { _ = cle_insert(handle, text.terminatedScalars) }
    func moveCursor(to offset: Int) { cle_move_cursor(handle, Int32(clamping: offset)) }
    func push(_ key: UInt32) { cle_push_key(handle, key) }
    func redraw() { cle_redraw(handle) }
    func resize() { cle_resize(handle) }
    func setEditingMode(_ isEditing: Bool) { cle_set_editing_mode(handle, isEditing) }

    /// Adds an entry to the searched history.
    ///
    /// libedit keeps pointers into its buffer while searching, and reallocates the buffer if a long entry
    /// needs more space: so space for the longest entry is allocated beforehand.
    func addHistory(_ entry: String) {
        let scalars = entry.terminatedScalars
        _ = cle_add_history(handle, scalars)
        let needed = scalars.count + Self.searchRoom
        if needed > reserved {
            cle_reserve(handle, Int32(clamping: needed))
            reserved = needed
        }
    }
}
