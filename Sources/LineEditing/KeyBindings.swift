/// A key and the libedit function it runs.
struct KeyBinding: Sendable, Equatable {
    let key: UInt32
    let function: String
    /// Whether it is a binding of vi's command mode.
    var inCommandMode = false
}

/// The default bindings, which `~/.editrc` can change, and the few that it cannot.
enum KeyBindings {
    /// Bindings of emacs mode.
    static let emacs: [KeyBinding] =
        common + [
            KeyBinding(key: Key.wordLeft, function: "ed-prev-word"),
            KeyBinding(key: Key.wordRight, function: "line-word"),
            KeyBinding(key: Key.nextWord, function: "em-next-word"),
            KeyBinding(key: Key.right, function: "line-right"),
            KeyBinding(key: Key.end, function: "line-end"),
            KeyBinding(key: control("F"), function: "line-right"),
            KeyBinding(key: control("E"), function: "line-end"),
        ]

    /// Bindings of vi mode, in insert and command mode.
    static let vi: [KeyBinding] =
        viInsert + viInsert.filter { $0.key >= 0x80 }.map(inCommandMode)
        + [
            KeyBinding(key: control("R"), function: "em-inc-search-prev", inCommandMode: true),
            KeyBinding(key: UInt32(ascii: "k"), function: "line-up", inCommandMode: true),
            KeyBinding(key: UInt32(ascii: "j"), function: "line-down", inCommandMode: true),
            // In command mode, libedit treats Escape as the start of an arrow key, and waits.
            KeyBinding(key: Key.escape, function: "ed-ignore", inCommandMode: true),
        ]

    /// Keys that the editor requires: bound last, in every mode.
    static let essential: [KeyBinding] =
        ownKeys + ownKeys.map(inCommandMode)

    /// Ctrl-X Ctrl-E, as in shells, as a line of an editrc(5) file: two keys.
    static let outside = "bind ^X^E line-edit"

    static func control(_ letter: Unicode.Scalar) -> UInt32 { letter.value & 0x1F }

    private static let ownKeys: [KeyBinding] = [
        KeyBinding(key: control("C"), function: "line-interrupt"),
        KeyBinding(key: Key.paste, function: "line-paste"),
        KeyBinding(key: Key.list, function: "line-list"),
        KeyBinding(key: Key.leave, function: "line-leave"),
    ]

    private static let common: [KeyBinding] = [
        KeyBinding(key: control("I"), function: "line-complete"),
        KeyBinding(key: control("R"), function: "em-inc-search-prev"),
        KeyBinding(key: control("P"), function: "line-previous"),
        KeyBinding(key: control("N"), function: "line-next"),
        KeyBinding(key: control("Z"), function: "line-suspend"),
        KeyBinding(key: Key.up, function: "line-up"),
        KeyBinding(key: Key.down, function: "line-down"),
        KeyBinding(key: Key.left, function: "ed-prev-char"),
        KeyBinding(key: Key.right, function: "ed-next-char"),
        KeyBinding(key: Key.home, function: "ed-move-to-beg"),
        KeyBinding(key: Key.end, function: "ed-move-to-end"),
        KeyBinding(key: Key.delete, function: "ed-delete-next-char"),
    ]

    private static let viInsert: [KeyBinding] =
        common + [
            KeyBinding(key: Key.wordLeft, function: "vi-prev-word"),
            KeyBinding(key: Key.wordRight, function: "line-word"),
            KeyBinding(key: Key.nextWord, function: "vi-next-word"),
            KeyBinding(key: Key.right, function: "line-right"),
            KeyBinding(key: Key.end, function: "line-end"),
            KeyBinding(key: Key.delete, function: "line-delete"),
        ]

    private static func inCommandMode(_ binding: KeyBinding) -> KeyBinding {
        KeyBinding(key: binding.key, function: binding.function, inCommandMode: true)
    }
}

extension UInt32 {
    /// The code of an ASCII letter.
    init(ascii scalar: Unicode.Scalar) { self = scalar.value }
}
