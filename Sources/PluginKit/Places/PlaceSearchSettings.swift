/// Constants of matching names.
package enum PlaceSearchSettings {
    /// Longest word that may have one mistake; longer ones may have two.
    static let oneMistake = 7
    /// The shortest word that may have one: shorter ones are equal to half of all words then.
    static let shortestMistaken = 3
    /// The shortest word whose beginning may have a mistake, as one types.
    static let shortestMistakenStart = 5
    /// The longest word that is compared letter by letter.
    static let longestWord = 60

    /// What a word is worth that is written another way (abbreviated, `ue` for `ü`).
    static let otherSpelling = 0.99
    /// A word of the town or postcode that a place lies in.
    static let contextWord = 0.9
    /// A word of which only the beginning is there is worth at most this.
    static let prefix = 0.95
    /// A word with a mistake is worth this, less the share of mistakes in its letters.
    static let mistaken = 0.93
    /// A match without one of the words is worth this share.
    static let partial = 0.6
    /// A match by a further name, against the same by the main one.
    static let otherName = 0.97
    /// What a place scores that is of the kind looked for, when no name is.
    static let category = 0.5

    /// Most words of a query.
    static let words = 12
    /// Most interpretations of a query, with words joined or split.
    static let readings = 10
    /// Most completions of a misspelt prefix.
    static let mistakenStarts = 200
}
