/// Characters of several scalars: a letter with a combining accent, a joined emoji, a flag.
///
/// libedit edits scalar by scalar. A key that moves over a character or deletes it is given to it once for each scalar, so that
/// no accent is left alone on the screen.
enum CharacterSpan {
    /// Scalars that are looked at on each side of the cursor; longer characters are edited in parts.
    private static let longest = 32
    /// The first scalar that can join the one before it.
    private static let firstCombining: UInt32 = 0x300

    /// How often a key must be given to libedit.
    static func count(of key: UInt32, in text: Scalars, at cursor: Int) -> Int {
        switch key {
        case Key.backspace, Key.rubout, Key.left, KeyBindings.control("B"): before(cursor, in: text)
        case Key.delete, Key.right, KeyBindings.control("F"): after(cursor, in: text)
        default: 1
        }
    }

    /// The scalars of the character that ends at an offset.
    private static func before(_ cursor: Int, in text: Scalars) -> Int {
        guard cursor > 1, cursor <= text.count, text[cursor - 1] >= firstCombining else { return 1 }
        let part = String(scalars: text[max(0, cursor - longest)..<cursor])
        return part.last?.unicodeScalars.count ?? 1
    }

    /// The scalars of the character that begins at an offset.
    private static func after(_ cursor: Int, in text: Scalars) -> Int {
        guard cursor + 1 < text.count, text[cursor + 1] >= firstCombining else { return 1 }
        let part = String(scalars: text[cursor..<min(text.count, cursor + longest)])
        return part.first?.unicodeScalars.count ?? 1
    }
}
