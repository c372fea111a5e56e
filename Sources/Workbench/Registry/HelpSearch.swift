import Foundation
import PluginKit

/// What help can find: a command of the language, or of the program in a shell.
struct HelpEntry: Sendable {
    let name: String
    let summary: String
    /// Texts with the weight of a word in them.
    let fields: [(text: String, weight: Double)]
    /// Words and phrases that people use for it.
    let terms: [String]

    init(_ spec: CommandSpec) {
        name = spec.name
        summary = spec.summary
        terms = spec.searchTerms
        fields = [
            (spec.name, Weight.name), (spec.summary, Weight.summary), (spec.details, Weight.details),
            (spec.examples.map(\.title).joined(separator: " "), Weight.example),
            (spec.parameters.map(\.help).joined(separator: " "), Weight.parameter),
        ]
    }

    init(_ function: Function) {
        name = "\(function.name)()"
        summary = function.summary + "; a function, of `where`, `each`, `extend`"
        terms = function.searchTerms
        // A command of the same name comes first.
        fields = [(function.name, Weight.function), (function.summary, Weight.summary)]
    }

    init(operator usage: String, _ summary: String, terms: [String]) {
        name = usage
        self.summary = summary + "; an operator of expressions"
        self.terms = terms
        fields = [(summary, Weight.summary)]
    }

    init(_ setting: SettingSpec) {
        name = "set \(setting.name)"
        summary = setting.help
        terms = []
        fields = [
            (setting.name.replacing(".", with: " ").replacing("-", with: " "), Weight.settingName),
            (setting.help, Weight.settingSummary),
        ]
    }

    init(_ topic: ShellTopic) {
        name = topic.name
        summary = topic.summary
        terms = topic.terms
        fields = [(topic.name, Weight.name), (topic.summary, Weight.summary)]
    }

    /// How much a word says about a command, by where it stands.
    enum Weight {
        static let name = 5.0
        static let function = 4.5
        /// People ask for what they want done; a setting is seldom the first answer.
        static let settingName = 3.0
        static let settingSummary = 1.5
        static let term = 4.0
        static let summary = 3.0
        static let example = 1.2
        static let details = 1.0
        static let parameter = 0.6
        /// A word that only begins like the wanted one.
        static let prefix = 0.6
        /// A word of the same meaning.
        static let synonym = 0.7
        /// Each word of a phrase that occurs as a whole.
        static let phrase = 5.0
        /// Each word of a name of several words that occurs as a whole: `lines at a station` asks for `stop lines`.
        static let wholeName = 4.0
        /// The list of what a question names in the plural.
        static let list = 8.0
        /// A question that begins with a command's name of one word: `undo an import`.
        static let firstWord = 16.0
        /// How much more an entry weighs that has all words of a question.
        static let coverage = 0.5
    }
}

/// Ranks commands by the words of a question, in any order: rare words count more, and so do words of a name.
///
/// A question in newcomers' words is matched through the commands' search terms and through words of the same meaning.
struct HelpSearch: Sendable {
    private let entries: [HelpEntry]
    private let words: [[String: Double]]
    /// The search terms of several words, with the stems of all of them.
    private let phrases: [[[String]]]
    /// The stems of names.
    private let names: [[String]]
    /// In how many entries a word occurs.
    private let frequency: [String: Int]

    /// An index of all commands, topics of a shell, functions and settings. It takes longer to make than to ask.
    init(_ registry: CommandRegistry, settings: [SettingSpec]) {
        var entries = registry.entries.map { HelpEntry($0.command.spec) }
        entries += ShellTopic.all.map(HelpEntry.init)
        entries += FunctionLibrary.all.map(HelpEntry.init)
        entries += FunctionPages.operators.map { HelpEntry(operator: $0.usage, $0.summary, terms: $0.terms) }
        self.init(entries + settings.map(HelpEntry.init))
    }

    private init(_ entries: [HelpEntry]) {
        self.entries = entries
        words = entries.map { entry in
            var weights: [String: Double] = [:]
            for (text, weight) in entry.fields + entry.terms.map({ ($0, HelpEntry.Weight.term) }) {
                for word in HelpWords.stems(of: text) { weights[word] = max(weights[word] ?? 0, weight) }
            }
            return weights
        }
        phrases = entries.map { $0.terms.map(HelpWords.phraseStems).filter { $0.count > 1 } }
        names = entries.map { HelpWords.allStems(of: $0.name) }
        frequency = words.reduce(into: [:]) { counts, weights in
            for word in weights.keys { counts[word, default: 0] += 1 }
        }
    }

    /// The entries about a question, best first; at most `limit`.
    func results(_ question: String, limit: Int = 12) -> [HelpEntry] {
        let wanted = HelpWords.wanted(in: question)
        let phrase = HelpWords.allStems(of: question)
        let said = Set(HelpWords.words(of: question))
        let scored = entries.indices.map { index in
            (
                index: index,
                score: score(index, wanted) + phraseScore(index, phrase) + nameScore(index, wanted)
                    + listScore(index, said)
            )
        }
        // Ties keep the order of names.
        let sorted = scored.filter { $0.score > 0 }.sorted {
            $0.score != $1.score ? $0.score > $1.score : $0.index < $1.index
        }
        guard let best = sorted.first?.score else { return [] }
        // What shares one common word with the question is not about it.
        return sorted.filter { $0.score > best / 4 }.prefix(limit).map { entries[$0.index] }
    }

    /// The words of a question that no entry has, in any form or as a word of the same meaning.
    func unknown(in question: String) -> [String] {
        HelpWords.meaningful(in: question).filter { word in
            let stem = HelpWords.stem(word)
            let known = [stem] + (HelpWords.synonyms[stem] ?? [])
            return !known.contains { word in entries.indices.contains { weight(word, in: $0) > 0 } }
        }
    }

    private func score(_ index: Int, _ wanted: [String]) -> Double {
        let weights = wanted.map { word in
            let synonyms = HelpWords.synonyms[word] ?? []
            let direct = weight(word, in: index)
            let other = synonyms.map { weight($0, in: index) * HelpEntry.Weight.synonym }.max() ?? 0
            return max(direct, other)
        }
        let covered = Double(weights.count { $0 > 0 }) / Double(max(1, wanted.count))
        return weights.reduce(0, +) * (1 + HelpEntry.Weight.coverage * covered)
    }

    /// A name of several words, each of which is another word of the question, or has its meaning; a name of one word with which the
    /// question begins.
    private func nameScore(_ index: Int, _ wanted: [String]) -> Double {
        let name = names[index]
        guard name.count > 1 else { return name == Array(wanted.prefix(1)) ? HelpEntry.Weight.firstWord : 0 }
        var rest = wanted
        for part in name {
            let found = rest.firstIndex { $0 == part || HelpWords.synonyms[$0]?.contains(part) == true }
            guard let found else { return 0 }
            rest.remove(at: found)
        }
        return Double(name.count) * HelpEntry.Weight.wholeName
    }

    /// A question about things in the plural is often one about the list of them: `hikes near a place`, `which waypoints`.
    private func listScore(_ index: Int, _ said: Set<String>) -> Double {
        let name = entries[index].name.split(separator: " ")
        guard name.count == 2, name[1] == "list" else { return 0 }
        return said.contains(name[0] + "s") || said.contains(name[0].dropLast() + "ies")
            ? HelpEntry.Weight.list : 0
    }

    private func weight(_ word: String, in index: Int) -> Double {
        if let weight = words[index][word] { return weight * rarity(word) }
        guard word.count >= 4 else { return 0 }
        let longer = words[index].filter { $0.key.hasPrefix(word) }
        return longer.map { $0.value * HelpEntry.Weight.prefix * rarity($0.key) }.max() ?? 0
    }

    private func rarity(_ word: String) -> Double {
        log(Double(entries.count + 1) / Double(frequency[word] ?? 1))
    }

    private func phraseScore(_ index: Int, _ question: [String]) -> Double {
        let said = Set(question)
        let whole = phrases[index].filter { said.isSuperset(of: $0) }
        return Double(whole.map(\.count).max() ?? 0) * HelpEntry.Weight.phrase
    }
}
