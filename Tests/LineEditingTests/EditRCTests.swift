import Testing

@testable import LineEditing

/// Reading `~/.editrc` as far as the editor must.
struct EditRCTests {
    @Test(arguments: [
        ("bind -v", true, []), ("bind -e", true, []), ("rutter:bind -v", true, []),
        ("rut.*:bind -v", true, []), ("other:bind -v", false, []),
        ("bind ^T ed-move-to-end", false, ["\u{14}"]),
        ("bind ^[[A ed-search-prev-history", false, ["\u{1B}[A"]),
        (#"bind "\e[B" ed-search-next-history"#, false, ["\u{1B}[B"]),
        (#"bind -s '\033OP' help"#, false, ["\u{1B}OP"]), ("bind M-x ed-command", false, ["\u{1B}x"]),
        ("bind -k up ed-prev-history", false, ["\u{1B}[A", "\u{1B}OA"]), ("bind ^?", false, []),
        ("edit on", false, []), ("bind", false, []),
    ])
    func lines(text: String, resets: Bool, keys: [String]) {
        let line = EditRCLine(text, programName: "rutter")
        #expect(line?.resetsBindings == resets)
        #expect(line?.boundKeys == keys)
    }

    @Test func commentsAndEmptyLinesSayNothing() {
        #expect(EditRCLine.lines(of: "# bind -v\n\n   \n", programName: "rutter").isEmpty)
    }

    @Test(arguments: [
        ("^[", "\u{1B}"), ("^?", "\u{7F}"), ("^a", "\u{01}"), (#"\t"#, "\t"), (#"\^"#, "^"), (#"\101"#, "A"),
        ("東", "東"), ("M-", "M-"), ("^", ""), (#"\"#, ""),
    ])
    func notation(text: String, key: String) {
        #expect(KeyNotation.decode(text) == key)
    }
}
