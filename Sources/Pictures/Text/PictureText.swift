/// Text from data as a picture shows it.
enum PictureText {
    /// The text in one line, in its own order: breaks of lines are blanks, other control characters and noncharacters are
    /// U+FFFD, and what has no glyph but would turn the letters after it (embeddings and overrides of UAX #9) or hide
    /// others among them (tags, byte order marks) is left out. Marks that only help a text of two directions stay.
    static func shown(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09...0x0D, 0x85, 0x2028, 0x2029: shown.append(" ")
            case 0..<0x20, 0x7F...0x9F, 0xFDD0...0xFDEF: shown.append("\u{FFFD}")
            case let value where value & 0xFFFE == 0xFFFE: shown.append("\u{FFFD}")
            case 0x202A...0x202E, 0xFEFF: continue
            // Tags are a part of flags alone, after U+1F3F4.
            case 0xE0001...0xE007F where !text.unicodeScalars.contains("\u{1F3F4}"): continue
            default: shown.append(scalar)
            }
        }
        return String(shown)
    }
}
