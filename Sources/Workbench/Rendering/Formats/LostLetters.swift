import Formats

/// Letters that were lost before a file was written: bytes of UTF-8 that a program took for Windows-1252 and wrote as UTF-8 again
/// (`ZÃ¼rich`), or characters that a program could not read and replaced (`Z�rich`).
struct LostLetters {
    private static let replaced: Character = "\u{FFFD}"
    /// Lines that are looked at, at most.
    private static let most = 2000
    private static let shownText = 30

    private enum Loss { case twice(String), replaced }

    private let line: Int
    private let text: String
    private let loss: Loss

    /// `nil` if the sample shows no such loss.
    init?(in sample: [UInt8]) {
        // What was written twice begins with Â or Ã (C3 82, C3 83), or with â (C3 A2) before a sign of punctuation.
        guard sample.contains(where: { $0 == 0xC3 || $0 == 0xEF }) else { return nil }
        for (index, bytes) in sample.split(separator: 10, omittingEmptySubsequences: false).prefix(Self.most)
            .enumerated() where bytes.contains(where: { $0 == 0xC3 || $0 == 0xEF })
        {
            guard let line = String(validating: bytes, as: UTF8.self) else { continue }
            for word in line.split(whereSeparator: { $0.isWhitespace || ",;\t\"|".contains($0) }) {
                let repaired = TwiceEncodedText.original(word)
                guard repaired != nil || word.contains(Self.replaced) else { continue }
                (self.line, text, loss) = (index + 1, String(word), repaired.map { .twice($0) } ?? .replaced)
                return
            }
        }
        return nil
    }

    /// What is said of it.
    func note(file: String?) -> String {
        let place = "`\(text.prefix(Self.shownText))` in line \(line)"
        switch loss {
        case .replaced: return "\(place) has �: a program that could not read letters has replaced them"
        case .twice(let repaired):
            let name = file ?? "FILE"
            return
                "\(place) is `\(repaired.prefix(Self.shownText))` that was written as UTF-8 twice; as it was: "
                + "iconv -f UTF-8 -t WINDOWS-1252 '\(name)' > repaired"
        }
    }
}
