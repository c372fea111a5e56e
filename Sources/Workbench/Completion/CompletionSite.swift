import PluginKit

/// The context of the cursor in an unfinished entry: the preceding words of its command, and the unfinished word.
struct CompletionSite {
    /// A word with its position.
    struct Piece: Equatable {
        var text: String
        var start: Int
    }

    /// The complete words of the command so far.
    var words: [Piece]
    /// The word at the cursor, empty after a blank.
    var current: Piece
    /// The text of the pipeline's part before this command, without its `|`.
    var upstream: String?

    /// Finds the site at the end of a text.
    init(_ text: String) {
        let bytes = Array(text.utf8)
        var scanner = SiteScanner(bytes: bytes)
        scanner.scan()
        words = scanner.words
        current = scanner.current
        if let pipe = scanner.lastPipe {
            upstream = String(decoding: bytes[scanner.pipelineStart..<pipe], as: UTF8.self)
        }
    }

    /// The site when the words from `index` on are a pipeline of their own, as after `let x =`.
    func nested(from index: Int) -> CompletionSite {
        var copy = self
        copy.words = Array(words.dropFirst(index))
        return copy
    }
}

/// Splits an unfinished entry into words. Quotes and brackets may be open.
private struct SiteScanner {
    let bytes: [UInt8]
    var words: [CompletionSite.Piece] = []
    var current = CompletionSite.Piece(text: "", start: 0)
    var pipelineStart = 0
    var lastPipe: Int?

    private var wordStart: Int?

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func scan() {
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"): endWord(at: index)
            case UInt8(ascii: "|"):
                endWord(at: index)
                beginCommand()
                lastPipe = index
            case UInt8(ascii: ";"), UInt8(ascii: "\n"):
                endWord(at: index)
                beginCommand()
                lastPipe = nil
                pipelineStart = index + 1
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                if wordStart == nil { wordStart = index }
                guard mayOpenQuote(at: index), let end = quoteEnd(from: index) else { break }
                index = end
            default:
                if wordStart == nil { wordStart = index }
            }
            index += 1
        }
        let start = wordStart ?? bytes.count
        current = .init(text: String(decoding: bytes[start...], as: UTF8.self), start: start)
    }

    private mutating func endWord(at index: Int) {
        guard let start = wordStart else { return }
        words.append(.init(text: String(decoding: bytes[start..<index], as: UTF8.self), start: start))
        wordStart = nil
    }

    private mutating func beginCommand() {
        words = []
        wordStart = nil
    }

    private func mayOpenQuote(at index: Int) -> Bool {
        index == 0 || !NumberScanner.isWordByte(bytes[index - 1])
    }

    /// The closing quote, or the end of the text when the quote is still open.
    private func quoteEnd(from index: Int) -> Int? {
        let quote = bytes[index]
        var position = index + 1
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                position += 1
            } else if bytes[position] == quote {
                return position
            }
            position += 1
        }
        return bytes.count
    }
}
