import PluginKit

/// Words for true and false beside those two, in columns of text.
///
/// They stay text, as in other readers of tables: `no` is Norway, too, and N is north.
struct YesAndNo {
    private static let pairs = [
        ("yes", "no"), ("y", "n"), ("t", "f"), ("on", "off"), ("1", "0"), ("ja", "nein"), ("j", "n"),
        ("oui", "non"), ("si", "no"), ("sí", "no"), ("sì", "no"), ("sim", "não"),
    ]

    /// What a word means in a column that is said to be one of booleans.
    static func value(_ text: String) -> Bool? {
        let word = text.lowercased().filter { $0 != " " }
        if pairs.contains(where: { $0.0 == word }) { return true }
        return pairs.contains { $0.1 == word } ? false : nil
    }

    /// The different texts of a column, as long as there are two.
    private var texts: [String] = []
    private var hasOthers = false

    /// Takes a value of the column.
    mutating func take(_ value: Value) {
        guard !hasOthers else { return }
        guard case .text(let text) = value else {
            hasOthers = true
            return
        }
        if texts.contains(text) { return }
        texts.append(text)
        hasOthers = texts.count > 2
    }

    /// The text for true and the one for false, if the column has these two alone.
    var found: (yes: String, no: String)? {
        guard !hasOthers, texts.count == 2 else { return nil }
        for (yes, no) in [(texts[0], texts[1]), (texts[1], texts[0])]
        where Self.pairs.contains(where: { $0 == (yes.lowercased(), no.lowercased()) }) {
            return (yes, no)
        }
        return nil
    }
}
