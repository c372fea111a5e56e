import Formats
import PluginKit

/// What is told of the words that the author of a plan wrote at a point.
enum CueText {
    /// The most characters that are told: what is longer is heard while the turn is passed.
    private static let longest = 160

    /// The words in one line, without the tags of planners that write HTML.
    static func plain(_ text: String) -> String {
        HTMLFragment.plain(text).inOneLine
    }

    /// The words of a cue as a sentence: programs write `turn right` in small letters, `right` alone, an arrow, or the turn as
    /// the name and the way as its description.
    static func told(_ text: String, named name: String?) -> String {
        if let turn = TurnWords.only(text), !text.contains(" ") { return RejoinWording.verb(turn) }
        if let (turn, rest) = TurnWords.arrow(at: text) {
            return rest.isEmpty ? RejoinWording.verb(turn) : "\(RejoinWording.verb(turn)): \(shortened(rest))"
        }
        let short = shortened(text)
        if TurnWords.among(text) == nil, let turn = name.flatMap(TurnWords.only) {
            return "\(RejoinWording.verb(turn)): \(short)"
        }
        return short.prefix(1).uppercased() + short.dropFirst()
    }

    /// The first words of a long text, to the end of a sentence if one is among them.
    private static func shortened(_ text: String) -> String {
        guard text.count > longest else { return text }
        let start = text.prefix(longest)
        if let end = start.ranges(of: ". ").last { return String(start[..<end.lowerBound]) }
        return (start.lastIndex(of: " ").map { start[..<$0] } ?? start) + "…"
    }
}
