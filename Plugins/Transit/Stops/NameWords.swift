import Foundation
import PluginKit

/// The spellings of a word of a stop's name: abbreviated or not, with `ss` or `ß`.
enum NameWords {
    /// Words with their abbreviations, in lower case. Each word of a row matches the others.
    private static let abbreviations: [[String]] = [
        ["strasse", "straße", "str", "strase"], ["street", "st", "str"], ["saint", "st", "sainte", "ste"],
        ["sankt", "st", "skt"], ["avenue", "ave", "av"], ["avenida", "av", "avda"], ["road", "rd"],
        ["boulevard", "blvd", "bd", "boul"], ["drive", "dr"], ["lane", "ln"], ["court", "ct"],
        ["place", "pl"], ["platz", "pl"], ["plaza", "pza", "plz", "pl"], ["square", "sq"],
        ["parkway", "pkwy"],
        ["highway", "hwy"], ["terrace", "tce", "ter"], ["circuit", "cct"], ["crescent", "cres", "cr"],
        ["hauptbahnhof", "hbf"], ["bahnhof", "bhf", "bf"], ["station", "stn", "sta"],
        ["center", "centre", "ctr", "cntr"], ["mount", "mt"], ["fort", "ft"], ["north", "n"], ["south", "s"],
        ["east", "e"], ["west", "w"], ["university", "univ", "uni"], ["universität", "univ", "uni"],
        ["hospital", "hosp"], ["international", "intl"], ["junction", "jct", "jn"], ["opposite", "opp"],
        ["rua", "r"], ["calle", "c"], ["ulica", "ul"], ["aleja", "al"], ["plac", "pl"],
    ]
    /// Endings of compound words: `Bahnhofstr.` for `Bahnhofstraße`.
    private static let endings: [[String]] = [["strasse", "straße", "str"], ["platz", "pl"]]
    private static let mostForms = 12

    /// The spellings of a word in lower case, the word itself first.
    static func forms(_ word: String) -> [String] {
        let plain = word.lowercased()
        var forms = [plain]
        let key = folded(plain)
        for row in abbreviations where row.contains(where: { folded($0) == key }) { forms += row }
        for row in endings {
            for ending in row where plain.hasSuffix(ending) && plain.count > ending.count + 1 {
                forms += row.map { plain.dropLast(ending.count) + $0 }
                break
            }
        }
        forms += forms.flatMap(sharp)
        var seen: Set<String> = []
        return Array(forms.filter { seen.insert($0).inserted }.prefix(mostForms))
    }

    /// The word with each of its `ss` and `ß` written as the other.
    private static func sharp(_ word: String) -> [String] {
        let parts = word.replacingOccurrences(of: "ß", with: "ss").components(separatedBy: "ss")
        guard parts.count > 1, parts.count <= 4 else { return [] }
        return (0..<1 << (parts.count - 1)).map { choice in
            parts.enumerated().reduce("") { text, part in
                let joint = part.offset == 0 ? "" : choice >> (part.offset - 1) & 1 == 1 ? "ß" : "ss"
                return text + joint + part.element
            }
        }
    }

    /// Variants of the sequence with one word at a time in another spelling.
    static func phrases(_ words: [String]) -> [String] {
        var phrases = [words.joined(separator: " ")]
        for index in words.indices {
            for form in forms(words[index]).dropFirst() {
                var other = words
                other[index] = form
                phrases.append(other.joined(separator: " "))
            }
        }
        return phrases
    }

    /// A text without case and accents, with `ss` for `ß`, for comparison.
    static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            .replacingOccurrences(of: "ß", with: "ss")
    }
}
