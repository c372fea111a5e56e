/// Texts of times with the name of a zone behind them, as `2026-03-01 10:00 EST`: of several zones, letters do not have their order.
struct ZonedTexts {
    private var first: (text: String, zone: Substring)?
    private var other: String?

    /// Takes a text that begins as a day of ISO 8601 does.
    mutating func take(_ text: String) {
        if other != nil { return }
        guard let zone = Self.zone(of: text) else { return }
        guard let first else { return self.first = (text, zone) }
        if first.zone != zone { other = text }
    }

    /// What is compared by letters, in words; `nil` for times of one zone.
    var doubt: String? {
        guard let first, let other else { return nil }
        return
            "`\(first.text.prefix(Self.longest))` and `\(other.prefix(Self.longest))` are times of several zones"
    }

    private static let longest = 40
    /// Letters of the abbreviation of a zone.
    private static let abbreviations = 2...5

    /// The letters behind the time; `AM` and `PM` are none of a zone.
    private static func zone(of text: String) -> Substring? {
        guard let space = text.lastIndex(of: " "),
            text[..<space].last(where: { $0 != " " })?.isWholeNumber == true
        else { return nil }
        let word = text[text.index(after: space)...]
        // Other words than these say what happened then.
        let isAbbreviation =
            abbreviations.contains(word.count) && word.allSatisfy { ("A"..."Z").contains($0) }
        let isOfDatabase =
            word.contains("/") && word.allSatisfy { $0.isASCII && ($0.isLetter || "/_".contains($0)) }
        guard isAbbreviation || isOfDatabase, !["AM", "PM"].contains(word) else { return nil }
        return word
    }
}
