import Testing

@testable import LineEditing

/// Pasted text without a terminal.
struct PasteTextTests {
    @Test(arguments: [
        ("plain", "plain"),
        ("two\nlines\n", "two\nlines\n"),
        ("rutter> one", "one"),
        ("rutter> one\n", "one\n"),
        ("rutter> one\noutput\nrutter> two\noutput", "one\ntwo\n"),
        ("rutter> one\r\noutput\r\nrutter> two\r\n", "one\ntwo\n"),
        ("output first\nrutter> a [\n   ...> b\n   ...> ]\n3 rows\nrutter> ", "a [\nb\n]\n"),
        ("rutter> a\nout\n   ...> not a continuation\nrutter> b\n", "a\nb\n"),
        ("rutter>\nrutter> a '\n   ...>\n   ...> '\n", "a '\n\n'\n"),
        ("rutter> let x = 'rutter> '\n", "let x = 'rutter> '\n"),
        ("  rutter> indented is no prompt", "  rutter> indented is no prompt"),
        ("rutter>   \nrutter> \n", ""),
        ("[bug, read-only] rutter> one\noutput\nrutter> two\n", "one\ntwo\n"),
        ("", ""),
    ])
    func transcripts(text: String, commands: String) {
        #expect(TranscriptPaste.commands(in: text) == commands)
    }

    @Test func transcriptsOfOtherPrompts() {
        let text = "? one\n: two\noutput\n"
        let commands = TranscriptPaste.commands(in: text, prompt: "? ", continuationPrompt: ": ")
        #expect(commands == "one\ntwo\n")
    }

    @Test(arguments: [
        ("a\rb\rc", "a\nb\nc"), ("a\r\nb", "a\nb"), ("a\n\rb", "a\nb"), ("a\r\rb", "a\n\nb"),
        ("a\n\r\n\rb", "a\n\nb"), ("a\tb\u{07}\u{1B}c\u{7F}\u{85}d", "a\tbcd"), ("Zürich", "Zürich"),
    ])
    func cleaning(pasted: String, text: String) {
        #expect(PastedText.clean(Array(pasted.utf8)) == text)
    }

    @Test func cleaningRepairsBytes() {
        #expect(PastedText.clean([0x61, 0xFF, 0x62]) == "a\u{FFFD}b")
    }
}
