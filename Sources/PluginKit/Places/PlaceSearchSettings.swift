/// Constants of matching names.
enum PlaceSearchSettings {
    /// Longest word that may have one mistake; longer ones may have two.
    static let oneMistake = 7
    /// The shortest word that may have one: shorter ones would match half of all words.
    static let shortestMistaken = 3
    /// The shortest word whose beginning may have a mistake, as one types.
    static let shortestMistakenStart = 5
    /// The longest word that is compared letter by letter.
    static let longestWord = 60

    /// The score of a word in another spelling (abbreviated, `ue` for `ü`).
    static let otherSpelling = 0.99
    /// The factor of a word of the town or postcode that a place lies in.
    static let contextWord = 0.9
    /// The maximum score of a word of which only the beginning was typed.
    static let prefix = 0.95
    /// The score of a misspelt word, less the share of mistakes in its letters.
    static let mistaken = 0.93
    /// The factor of a match without one of the words.
    static let partial = 0.6
    /// The factor of a match by an alternative name.
    static let otherName = 0.97
    /// The score of a place of the requested kind if no name was typed.
    static let category = 0.5

    /// Most words of a query.
    static let words = 12
    /// Most interpretations of a query, with words joined or split.
    static let readings = 10
    /// Most completions of a misspelt prefix.
    static let mistakenStarts = 200
}
