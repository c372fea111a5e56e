/// Words of questions and of help, reduced so that different forms of a word agree.
enum HelpWords {
    /// Words that say nothing about the subject.
    private static let empty: Set<String> = [
        "a", "an", "and", "are", "as", "at", "be", "by", "can", "could", "did", "do", "does", "for", "from",
        "get", "got", "has", "have",
        "how", "i", "in", "into", "is", "it", "its", "me", "my", "of", "on", "one", "or", "our", "please",
        "should", "some", "still", "that", "two",
        "the", "their", "there", "this", "to", "us", "want", "was", "we", "were", "what", "when", "where",
        "which", "who", "why",
        "will", "with", "you", "your",
    ]

    /// Everyday words, by stem, for those that the commands use. Words of one area are search terms of its commands.
    static let synonyms: [String: [String]] = {
        let groups: [[String]] = [
            ["remove", "delete", "erase", "discard"], ["find", "search", "locate"],
            ["show", "see", "view", "display", "print", "output"],
            ["make", "create", "new"], ["write", "save", "store", "keep"],
            ["change", "edit", "modify", "update", "correct"], ["correct", "fix", "wrong"],
            ["convert", "export", "transform"], ["read", "open", "load"], ["time", "duration", "long"],
            ["distance", "length", "far"], ["fast", "quick", "speed"], ["speed", "pace"],
            ["near", "around", "nearby", "close"],
            ["picture", "image", "draw"], ["picture", "image", "photo"], ["start", "begin"],
            ["end", "finish", "leave"], ["repair", "fix", "recover", "rescue"],
            ["recover", "restore", "undelete", "deleted"], ["broken", "corrupt", "damaged"],
            ["average", "mean"], ["biggest", "largest", "max", "greatest"], ["smallest", "lowest", "min"],
            ["total", "sum"], ["check", "validate", "verify", "test"], ["combine", "merge", "join"],
            ["compare", "differ", "difference", "diff"], ["cut", "crop", "trim"],
            ["copy", "backup", "duplicate"],
            ["steep", "slope", "grade"], ["height", "elevation", "altitude", "high"],
            ["climb", "ascent", "gain"],
            ["way", "route", "path"], ["walk", "hike"], ["track", "recording", "hike", "activity"],
            ["trip", "journey"], ["train", "bus", "tram", "ferry", "transit"], ["station", "stop"],
            ["schedule", "timetable"], ["ticket", "fare", "price"], ["late", "delay"],
            ["arrive", "arrival"], ["depart", "departure"],
            ["sort", "order", "rank"], ["filter", "where"], ["learn", "lesson", "tutorial", "teach"],
            ["app", "phone"], ["phone", "device", "watch"], ["database", "store"], ["cloud", "icloud"],
            ["column", "field"], ["chart", "graph", "diagram", "plot"],
            ["option", "setting", "preference"], ["color", "colour"], ["bike", "bicycle", "cycling"],
            ["upload", "send", "share", "publish"], ["download", "import"],
            ["town", "city", "village", "place"],
            ["mountain", "peak", "summit"], ["direction", "bearing", "heading"], ["hotel", "hut", "shelter"],
            ["explain", "why", "reason"], ["result", "output"], ["problem", "error", "fault"],
        ]
        var table: [String: [String]] = [:]
        for group in groups.map({ $0.map(stem) }) {
            for word in group { table[word, default: []] += group.filter { $0 != word } }
        }
        return table
    }()

    /// The stems of the words that say something; of a question of empty words alone, all of them.
    static func wanted(in question: String) -> [String] { meaningful(in: question).map(stem) }

    /// The words that say something; of a question of empty words alone, all of them.
    static func meaningful(in question: String) -> [String] {
        let all = words(of: question)
        let full = all.filter { !empty.contains($0) }
        return full.isEmpty ? all : full
    }

    static func stems(of text: String) -> Set<String> {
        Set(words(of: text).filter { !empty.contains($0) }.map(stem))
    }

    /// The stems of all words, with the empty ones: a phrase such as "where am I" consists of them.
    static func allStems(of text: String) -> [String] { words(of: text).map(stem) }

    private static func words(of text: String) -> [String] {
        text.lowercased().filter { $0 != "'" && $0 != "’" }.split { !$0.isLetter && !$0.isNumber }.map(
            String.init)
    }

    /// A word without the ending of a plural, a participle or a gerund.
    static func stem(_ word: String) -> String {
        for (ending, instead) in [
            ("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", ""),
        ]
        where word.hasSuffix(ending) && word.count - ending.count >= 3 && !word.hasSuffix("ss") {
            let base = String(word.dropLast(ending.count)) + instead
            return base.count > 3 && base.hasSuffix("e") ? String(base.dropLast()) : base
        }
        return word.count > 4 && word.hasSuffix("e") ? String(word.dropLast()) : word
    }
}
