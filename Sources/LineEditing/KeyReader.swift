/// The result of waiting for a byte.
enum ByteEvent: Equatable {
    case byte(UInt8)
    case timeout
    /// The terminal was closed, or editing must stop.
    case end
}

/// Converts the terminal's bytes to keys for libedit: scalars, keys sent as escape sequences, and pastes.
struct KeyReader {
    /// Sequences (Escape and all) that the user's `~/.editrc` binds: libedit receives them unchanged.
    var userSequences: Set<String> = []
    /// The prompts that identify a pasted transcript.
    let prompt: String
    let continuationPrompt: String
    /// Timeout for the rest of an escape sequence, in milliseconds.
    let escapeTimeout: Int32

    /// Whether a key that starts a search was read since `forgetSearch`.
    private(set) var hasSearched = false

    private var decoder = UTF8Decoder()
    private var keys: [UInt32] = []
    private var pasted: [String] = []
    private var readyPaste: String?

    /// Longest escape sequence; longer ones are not keys.
    private static let longestSequence = 32
    private static let pasteStart = "[200~"
    private static let pasteEnd = Array("\u{1B}[201~".utf8)
    private static let searchKeys: Set<UInt32> = [0x12, 0x13]

    init(prompt: String, continuationPrompt: String, escapeTimeout: Int) {
        self.prompt = prompt
        self.continuationPrompt = continuationPrompt
        self.escapeTimeout = Int32(clamping: escapeTimeout)
    }

    /// The next key, or nil at the end of the input. `readByte` waits a number of milliseconds, forever if negative.
    mutating func nextKey(_ readByte: (Int32) -> ByteEvent) -> UInt32? {
        while true {
            if let key = takeKey() { return key }
            guard case .byte(let byte) = readByte(-1) else { return nil }
            if byte == 0x1B, !decoder.isWithinScalar {
                readEscape(readByte)
            } else {
                keys += decoder.add(byte).filter { !Key.isPrivate($0) }
            }
        }
    }

    /// The text of the last paste key.
    mutating func takePaste() -> String? {
        defer { readyPaste = nil }
        return readyPaste
    }

    /// Discards a paste that has not been inserted yet.
    mutating func discardPaste() {
        pasted = []
        readyPaste = nil
    }

    /// Resets the search flag, at the start of a line or after a search was handled.
    mutating func forgetSearch() { hasSearched = false }

    private mutating func takeKey() -> UInt32? {
        if keys.isEmpty, !pasted.isEmpty {
            readyPaste = pasted.removeFirst()
            keys.append(Key.paste)
        }
        guard !keys.isEmpty else { return nil }
        let key = keys.removeFirst()
        if Self.searchKeys.contains(key) { hasSearched = true }
        return key
    }

    /// Reads the bytes after an Escape: nothing, another key (Meta), or a sequence `ESC [ … final` or `ESC O final`.
    private mutating func readEscape(_ readByte: (Int32) -> ByteEvent) {
        guard case .byte(let first) = readByte(escapeTimeout) else {
            keys.append(Key.escape)
            return
        }
        guard first == UInt8(ascii: "[") || first == UInt8(ascii: "O") else {
            keys.append(Key.escape)
            if first == 0x1B { readEscape(readByte) } else { keys += decoder.add(first) }
            return
        }
        var sequence = [first]
        while sequence.count < Self.longestSequence {
            guard case .byte(let byte) = readByte(escapeTimeout) else { break }
            sequence.append(byte)
            // The Linux console sends `ESC [ [ A` for F1: there the second bracket is not the end.
            let isSecondBracket = byte == UInt8(ascii: "[") && sequence.count == 2
            if (0x40...0x7E).contains(byte), !isSecondBracket { break }
        }
        take(sequence, readByte)
    }

    private mutating func take(_ bytes: [UInt8], _ readByte: (Int32) -> ByteEvent) {
        let sequence = String(decoding: bytes, as: UTF8.self)
        if sequence == Self.pasteStart {
            readPaste(readByte)
        } else if bytes.count == 1 || userSequences.contains("\u{1B}" + sequence) {
            keys += [Key.escape] + bytes.map(UInt32.init)
        } else if let key = NamedKey.all.first(where: { $0.sequences.contains(sequence) }) {
            keys.append(key.code)
        }
    }

    private mutating func readPaste(_ readByte: (Int32) -> ByteEvent) {
        var bytes: [UInt8] = []
        while !bytes.hasSuffix(Self.pasteEnd) {
            guard case .byte(let byte) = readByte(-1) else { return }
            bytes.append(byte)
        }
        bytes.removeLast(Self.pasteEnd.count)
        let commands = TranscriptPaste.commands(
            in: PastedText.clean(bytes), prompt: prompt, continuationPrompt: continuationPrompt)
        // Regardless of the number of lines, nothing runs before Enter, so that the paste can be reviewed.
        let text = commands.trimmingSuffix("\n")
        if !text.isEmpty { pasted.append(text) }
    }
}

extension String {
    /// Without repetitions of a suffix.
    fileprivate func trimmingSuffix(_ last: Character) -> String {
        var rest = self[...]
        while rest.last == last { rest.removeLast() }
        return String(rest)
    }
}

extension [UInt8] {
    fileprivate func hasSuffix(_ suffix: [UInt8]) -> Bool {
        count >= suffix.count && self[(count - suffix.count)...].elementsEqual(suffix)
    }
}
