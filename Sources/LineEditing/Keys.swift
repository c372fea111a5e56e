/// Keys defined by the editor.
///
/// A terminal sends an arrow or a paste as an escape sequence. libedit can bind those, but then a lone
/// Escape, which vi users need, waits for the next key, and an unknown sequence inserts garbage. So the
/// sequences are recognised while reading and passed on as single keys from U+0080 to U+009F: control
/// characters that no keyboard sends and libedit does not use.
enum Key {
    static let up: UInt32 = 0x80
    static let down: UInt32 = 0x81
    static let left: UInt32 = 0x82
    static let right: UInt32 = 0x83
    static let home: UInt32 = 0x84
    static let end: UInt32 = 0x85
    static let delete: UInt32 = 0x86
    static let wordLeft: UInt32 = 0x87
    static let wordRight: UInt32 = 0x88
    static let paste: UInt32 = 0x90
    static let list: UInt32 = 0x91
    static let leave: UInt32 = 0x92
    static let nextWord: UInt32 = 0x93

    static let escape: UInt32 = 0x1B
    static let newline: UInt32 = 0x0A
    /// What terminals send for Backspace.
    static let backspace: UInt32 = 0x08
    static let rubout: UInt32 = 0x7F

    /// Control characters used for our keys, which cannot be part of an entry.
    static func isPrivate(_ value: UInt32) -> Bool { (0x80...0x9F).contains(value) }
}

/// A key that terminals send as an escape sequence.
struct NamedKey: Sendable {
    /// libedit's name for it (`bind -k up …`).
    let name: String
    let code: UInt32
    /// The bytes after the Escape, for current terminals.
    let sequences: [String]

    static let all: [NamedKey] = [
        NamedKey(name: "up", code: Key.up, sequences: ["[A", "OA"]),
        NamedKey(name: "down", code: Key.down, sequences: ["[B", "OB"]),
        NamedKey(name: "right", code: Key.right, sequences: ["[C", "OC"]),
        NamedKey(name: "left", code: Key.left, sequences: ["[D", "OD"]),
        NamedKey(name: "home", code: Key.home, sequences: ["[H", "OH", "[1~", "[7~"]),
        NamedKey(name: "end", code: Key.end, sequences: ["[F", "OF", "[4~", "[8~"]),
        NamedKey(name: "delete", code: Key.delete, sequences: ["[3~"]),
        NamedKey(name: "word-left", code: Key.wordLeft, sequences: ["[1;5D", "[1;3D", "[5D", "Od"]),
        NamedKey(name: "word-right", code: Key.wordRight, sequences: ["[1;5C", "[1;3C", "[5C", "Oc"]),
    ]
}
