import Testing

@testable import LineEditing

/// Bytes to keys, without a terminal.
struct KeyReaderTests {
    /// All keys for some bytes. A nil is a pause longer than any key's.
    private func keys(_ bytes: [UInt8?], binding sequences: Set<String> = []) -> [UInt32] {
        var reader = KeyReader(prompt: "rutter> ", continuationPrompt: "   ...> ", escapeTimeout: 50)
        reader.userSequences = sequences
        var rest = bytes[...]
        let readByte = { (timeout: Int32) -> ByteEvent in
            while let next = rest.popFirst() {
                if let byte = next { return .byte(byte) }
                if timeout >= 0 { return .timeout }
            }
            return timeout >= 0 ? .timeout : .end
        }
        var result: [UInt32] = []
        while let key = reader.nextKey(readByte) { result.append(key) }
        return result
    }

    private func keys(_ text: String, binding sequences: Set<String> = []) -> [UInt32] {
        keys(Array(text.utf8), binding: sequences)
    }

    @Test(arguments: [
        ("aü東🙂", [0x61, 0xFC, 0x6771, 0x1F642]),
        ("\u{1B}[A\u{1B}OB", [Key.up, Key.down]),
        ("\u{1B}[1~\u{1B}[4~\u{1B}[3~", [Key.home, Key.end, Key.delete]),
        ("\u{1B}[1;5Cx", [Key.wordRight, 0x78]),
        ("\u{1B}f", [Key.escape, 0x66]),
        ("\u{1B}\u{1B}[A", [Key.escape, Key.up]),
        ("\u{1B}", [Key.escape]),
        ("\u{1B}[", [Key.escape, 0x5B]),
        ("\u{1B}[15~\u{1B}[[Ax\u{1B}OP", [0x78]),
        ("\u{1B}[200~a\rb\u{1B}[201~c", [Key.paste, 0x63]),
        ("\u{1B}[200~\u{1B}[201~c", [0x63]),
        ("\u{90}a", [0x61]),
    ])
    func sequences(text: String, expected: [UInt32]) {
        #expect(keys(text) == expected)
    }

    @Test func pausesSeparateKeys() {
        #expect(keys([0x1B, nil, 0x5B, 0x41]) == [Key.escape, 0x5B, 0x41])
        #expect(keys([0x1B, 0x5B, nil, 0x41]) == [Key.escape, 0x5B, 0x41])
        #expect(keys([0xE6, nil, 0x9D, nil, 0xB1]) == [0x6771])
    }

    @Test func sequencesOfTheUserPassThrough() {
        #expect(keys("\u{1B}[A\u{1B}[B", binding: ["\u{1B}[A"]) == [Key.escape, 0x5B, 0x41, Key.down])
    }

    @Test func unfinishedPastesEndWithTheInput() {
        #expect(keys("\u{1B}[200~abc") == [])
    }

    @Test func aPasteIsOneKeyHoweverManyLines() {
        var reader = KeyReader(prompt: "? ", continuationPrompt: ": ", escapeTimeout: 50)
        var rest = Array("\u{1B}[200~one\rtwo\r\u{1B}[201~".utf8)[...]
        let readByte = { (_: Int32) -> ByteEvent in rest.popFirst().map { .byte($0) } ?? .end }
        var seen: [String] = []
        while let key = reader.nextKey(readByte) {
            seen.append(key == Key.paste ? reader.takePaste() ?? "none" : "key \(key)")
        }
        #expect(seen == ["one\ntwo"])
        let untaken = reader.takePaste()
        #expect(untaken == nil)
    }

    @Test(arguments: [
        ([0x61], [0x61]), ([0xC3, 0xBC], [0xFC]), ([0xF0, 0x9F, 0x99, 0x82], [0x1F642]),
        ([0xFF, 0x61], [0xFFFD, 0x61]), ([0xC3, 0x61], [0xFFFD, 0x61]), ([0xC0, 0x80], [0xFFFD, 0xFFFD]),
        ([0xE0, 0x80, 0x80], [0xFFFD]), ([0xED, 0xA0, 0x80], [0xFFFD]),
        ([0xF4, 0x90, 0x80, 0x80], [0xFFFD]), ([0xE6, 0x9D, 0xC3, 0xBC], [0xFFFD, 0xFC]),
    ])
    func decoding(bytes: [UInt8], scalars: [UInt32]) {
        var decoder = UTF8Decoder()
        let decoded = bytes.flatMap { decoder.add($0) }
        #expect(decoded == scalars)
    }
}
