import Core
import Testing

@Suite struct TerminalTextTests {
    /// ECMA-48: C0 and C1 controls begin sequences. UAX #9: embeddings, overrides and isolates reorder text.
    @Test(arguments: [
        ("Hut", "Hut"), ("Refugi de Juclà", "Refugi de Juclà"), ("\u{1B}[31mred", "·[31mred"),
        ("\u{1B}]52;c;eA==\u{7}", "·]52;c;eA==·"), ("\u{9B}2J", "·2J"), ("a\rb", "a·b"), ("\u{7F}", "·"),
        ("abc\u{202E}fed", "abc·fed"), ("\u{2066}x\u{2069}", "·x·"), ("שלום", "שלום"), ("👩‍👩‍👧", "👩‍👩‍👧"),
    ])
    func oneLine(_ text: String, _ shown: String) {
        #expect(TerminalText.withoutControls(text) == shown)
    }

    @Test func linesKeepTheirBreaksAndTabs() {
        #expect(TerminalText.lines("a\tb\r\nc\u{1B}d\n") == "a\tb\nc·d\n")
    }
}
