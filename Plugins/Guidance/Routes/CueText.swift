import Formats
import Geodesy
import PluginKit

/// What is told of the words that the author of a plan wrote at a point.
enum CueText {
    /// The most characters that are told: what is longer is heard while the turn is passed.
    private static let longest = 160

    /// The words in one line, without the tags of planners that write HTML.
    static func plain(_ text: String) -> String {
        HTMLFragment.plain(text).inOneLine
    }

    /// The words of a cue as a sentence, with the turn that its kind, symbol or name says, if the words do not: programs write `turn
    /// right` in small letters, `right` alone, an arrow, or the turn as the symbol and the way as the name.
    static func told(_ text: String, turn: TurnDirection?) -> String {
        if let turn = TurnWords.only(text), !text.contains(" ") { return RejoinWording.verb(turn) }
        if let (turn, rest) = TurnWords.arrow(at: text) {
            return rest.isEmpty ? RejoinWording.verb(turn) : "\(RejoinWording.verb(turn)): \(shortened(rest))"
        }
        let short = shortened(text)
        if let turn, TurnWords.among(text) == nil, turn != .straight || !TurnWords.goesOn(text) {
            return "\(RejoinWording.verb(turn)): \(short)"
        }
        return short.prefix(1).uppercased() + short.dropFirst()
    }

    /// The code of a turn in the extensions of a point, such as `<turn>TSLR</turn>`; `nil` without.
    static func code(_ markup: String) -> String? {
        guard let found = markup.firstMatch(of: /<(?:\w+:)?turn(?:\s[^>]*)?>\s*([A-Z]+-?\d*)\s*</) else {
            return nil
        }
        return String(found.1)
    }

    /// The kind of a course point in words; `nil` where it says nothing.
    static func kind(_ text: String) -> String? {
        let words = plain(text).replacing("_", with: " ")
        guard TurnWords.isSaying(words), words.lowercased() != "generic" else { return nil }
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// The first words of a long text, to the end of a sentence if one is among them.
    private static func shortened(_ text: String) -> String {
        guard text.count > longest else { return text }
        let start = text.prefix(longest)
        if let end = start.ranges(of: ". ").last { return String(start[..<end.lowerBound]) }
        return (start.lastIndex(of: " ").map { start[..<$0] } ?? start) + "…"
    }
}
