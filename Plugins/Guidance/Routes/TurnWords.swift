import Foundation
import Geodesy
import PluginKit

/// Words of turns in the cues of plans, in the languages of the instructions and those of other planners.
enum TurnWords {
    private static let left: Set<String> = [
        "left", "links", "linksaf", "gauche", "izquierda", "sinistra", "esquerra", "esquerda", "lewo",
        "vlevo",
        "doleva", "vľavo", "doľava", "levo", "lijevo", "venstre", "vänster", "vasemmalle", "balra", "stânga",
        "налево", "левее", "влево", "αριστερά", "左折", "左転", "左转", "左轉", "向左转",
    ]
    private static let right: Set<String> = [
        "right", "rechts", "rechtsaf", "droite", "derecha", "destra", "dreta", "direita", "prawo", "vpravo",
        "doprava", "desno", "højre", "høyre", "höger", "oikealle", "jobbra", "dreapta",
        "направо", "правее", "вправо", "δεξιά", "右折", "右転", "右转", "右轉", "向右转",
    ]
    private static let straight: Set<String> = [
        "straight", "geradeaus", "recto", "droit", "dritto", "diritto", "rechtdoor", "prosto", "rovně",
        "rovno",
        "naravnost", "ravno", "ligeud", "fremover", "rakt", "suoraan", "egyenesen", "прямо", "ευθεία", "直進",
        "直行",
    ]
    private static let around: Set<String> = ["uturn", "umkehren"]
    private static let slight: Set<String> = [
        "slight", "slightly", "keep", "bear", "veer", "fork", "halb", "leicht", "halten", "légèrement",
        "serrez",
        "ligeramente", "leggermente", "licht", "flauw",
    ]
    private static let sharp: Set<String> = ["sharp", "hard", "scharf", "scherp", "franchement", "cerrado"]
    /// Slight and sharp turns in one word.
    private static let compounds: [String: TurnDirection] = [
        "halblinks": .slightLeft, "halbrechts": .slightRight,
    ]
    /// Words before the side of a turn that make it no place: `Turn to the left`, `Girare a`.
    private static let leading: Set<String> = [
        "turn", "go", "continue", "ahead", "the", "at", "to", "then", "take", "make", "a", "again",
        "immediately", "head",
        "biegen", "biege", "abbiegen", "nach", "sie", "dann", "gehen", "weiter", "sla", "ga", "naar", "houd",
        "tournez", "tourner", "prenez", "prendre", "continuez", "continuer", "tout", "à", "la", "puis",
        "restez",
        "gire", "girar", "gira", "siga", "continúe", "manténgase", "por", "luego", "girare", "girate",
        "svolta",
        "svoltare", "prosegui", "proseguire", "vire", "virar", "skręć", "w", "zahněte", "odbočte", "drej",
        "til",
        "sväng", "käänny", "поверните", "идите", "ta", "av",
    ]
    /// Words after it that do the same: of `Right Bank Hut` and `Right of way` the side is no turn.
    private static let trailing: Set<String> = [
        "onto", "into", "on", "at", "to", "in", "up", "down", "over", "across", "through", "towards",
        "toward", "along",
        "after", "before", "past", "by", "and", "then", "turn", "again", "uphill", "downhill", "here",
        "immediately",
        "halten", "abbiegen", "auf", "an", "nach", "am", "bei", "beim", "zur", "zum", "durch", "über", "dann",
        "weiter",
        "sur", "vers", "dans", "au", "à", "après", "puis", "en", "por", "hacia", "y", "luego", "su", "verso",
        "per",
        "e", "poi", "na", "no", "para", "naar", "op", "de", "het", "进入", "на",
    ]
    /// Words after which a sentence says where the turn is: `At the church turn left`.
    private static let places: Set<String> = [
        "at", "after", "before", "by", "past", "near", "behind", "opposite", "in", "on", "from", "an", "am",
        "bei", "beim",
        "hinter", "nach", "vor", "im", "auf", "après", "avant", "au", "à", "en", "tras", "después", "dopo",
        "al", "alla",
    ]
    /// Words of a turn, with its side after them; and those that come after the side.
    private static let verbs: Set<String> = [
        "turn", "bear", "keep", "veer", "go", "fork", "biegen", "biege", "tournez", "tourner", "prenez",
        "prendre", "gire",
        "girar", "gira", "girare", "girate", "svoltare", "svolta",
    ]
    private static let verbsBehind: Set<String> = ["abbiegen", "halten"]
    /// Words of what is not done, or only sometimes.
    private static let conditions: Set<String> = [
        "if", "where", "when", "who", "that", "which", "not", "don't", "don’t", "ignore", "unless", "until",
        "you", "we",
        "wenn", "wo", "falls", "nicht", "bis", "si", "où", "quand", "ne", "pas", "no", "donde", "se", "non",
        "dove",
    ]
    private static let roundabouts: Set<String> = [
        "roundabout", "rotary", "kreisverkehr", "kreisel", "rond", "giratoire", "rotonda", "glorieta",
        "rotatoria", "rotunda",
        "rotonde", "rondo", "rundkørsel", "rundkjøring", "rondell", "liikenneympyrä",
    ]
    /// Words of an exit, which is that of a roundabout where it is counted.
    private static let exits: Set<String> = [
        "exit", "ausfahrt", "sortie", "salida", "uscita", "saída", "afslag", "zjazd",
    ]
    private static let ordinals: Set<String> = [
        "first", "second", "third", "fourth", "fifth", "erste", "ersten", "zweite", "zweiten", "dritte",
        "dritten", "vierte",
        "vierten", "première", "deuxième", "seconde", "troisième", "quatrième", "primera", "segunda",
        "tercera", "cuarta",
        "prima", "seconda", "terza", "quarta",
    ]
    /// Words of going on, which say no more than that there is no turn.
    private static let onwards: Set<String> = [
        "continue", "follow", "weiter", "folgen", "continuez", "continuer", "suivez", "suivre", "siga",
        "continúe",
        "proseguire", "prosegui", "continua", "vervolg", "volg",
    ]
    private static let others: Set<String> = [
        "cross", "via", "follow", "leave", "pass", "enter", "exit", "climb", "descend", "walk", "u-turn",
    ]
    private static let straightCode = "C"
    private static let roundaboutCodes = ["RNDB", "RNLB"]
    private static let turns = left.union(right).union(straight).union(around).union(compounds.keys)
    private static let all = turns.union(slight).union(sharp).union(leading)
    /// The turns of planners that write codes, as of OsmAnd and BRouter.
    private static let codes: [String: TurnDirection] = [
        "L": .left, "R": .right, "TL": .left, "TR": .right, "TSLL": .slightLeft, "TSLR": .slightRight,
        "TSHL": .sharpLeft, "TSHR": .sharpRight, "KL": .slightLeft, "KR": .slightRight, "TU": .uTurn,
        "TRU": .uTurn, "TLU": .uTurn,
    ]
    private static let arrows: [Unicode.Scalar: TurnDirection] = [
        "←": .left, "⬅": .left, "↰": .left, "→": .right, "➡": .right, "↱": .right, "↖": .slightLeft,
        "↗": .slightRight, "↙": .sharpLeft, "↘": .sharpRight, "↑": .straight, "⬆": .straight,
    ]
    /// Words at the start of a text that say the turn.
    private static let first = 4
    /// Turns of languages without blanks between words.
    private static let unspaced = [
        "向左转", "向右转", "左折", "左転", "左转", "左轉", "右折", "右転", "右转", "右轉", "直進", "直行",
    ]

    /// The turn of a text of nothing but such words, as `Slight Left`, `TURN_RIGHT` or an arrow; `nil` for another text. A single
    /// letter may be the name of a place.
    static func only(_ text: String) -> TurnDirection? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.count > 1, let code = codes[text] { return code }
        if let (turn, rest) = arrow(at: text), rest.isEmpty { return turn }
        let words = words(text)
        return words.allSatisfy { all.contains($0.text) } ? turn(words.map(\.text)) : nil
    }

    /// The turn that the first words of a text say; `nil` for none, and where the side is that of something else, as in
    /// `Pub on the left` and `Do not turn left`.
    static func among(_ text: String) -> TurnDirection? {
        if let (turn, _) = arrow(at: text) { return turn }
        let words = words(text)
        // `R. Tejo` is a river.
        if words.count > 1, let code = codes[words[0].written],
            words[0].text.count > 1 ? follows(words[1]) : trailing.contains(words[1].text)
        {
            return code
        }
        let known = words.prefix(first).prefix { all.contains($0.text) }
        guard let last = known.lastIndex(where: { turns.contains($0.text) }) else {
            return behindPlace(words)
        }
        guard last + 1 == words.count || follows(words[last + 1]) else { return nil }
        return turn(known[...last].map(\.text))
    }

    /// The turn of a sentence that says first where it is, such as `At the church turn left`; `nil` for others, and where it is
    /// not said for certain.
    private static func behindPlace(_ words: [Word]) -> TurnDirection? {
        guard let start = words.first, places.contains(start.text) else { return nil }
        let sides = words.indices.filter { left.contains(words[$0].text) || right.contains(words[$0].text) }
        for side in sides {
            let before = words[..<side]
            if before.contains(where: { conditions.contains($0.text) }) { return nil }
            let isBehind = side + 1 < words.count && verbsBehind.contains(words[side + 1].text)
            let end = side + (isBehind ? 2 : 1)
            guard end == words.count || follows(words[end]) else { continue }
            let led = (before.lastIndex { !leads($0.text) } ?? -1) + 1
            let verb = before[led...].lastIndex { verbs.contains($0.text) }
            if isBehind || verb != nil || words[side].isAfterSign {
                return turn(words[(verb ?? led)..<end].map(\.text))
            }
        }
        return nil
    }

    private static func leads(_ word: String) -> Bool {
        leading.contains(word) || slight.contains(word) || sharp.contains(word)
    }

    /// Whether a text is about the way through a roundabout.
    static func isRoundabout(_ text: String) -> Bool {
        let words = words(text).map(\.text)
        return words.contains(where: roundabouts.contains)
            || words.contains(where: exits.contains)
                && (words.contains(where: ordinals.contains) || text.contains(where: \.isNumber))
    }

    /// Whether a word begins instructions.
    static func isVerb(_ word: some StringProtocol) -> Bool {
        let word = word.lowercased()
        return all.contains(word) || onwards.contains(word) || others.contains(word)
    }

    /// The turn of a code that planners write beside their words, such as `TSLR`, `C` and `RNDB2` (OsmAnd, BRouter).
    static func coded(_ code: String) -> TurnDirection? { code == straightCode ? .straight : codes[code] }

    /// The exit that such a code of a roundabout says; `nil` for other codes.
    static func exit(_ code: String) -> Int? {
        roundaboutCodes.contains(where: code.hasPrefix) ? Int(code.drop { !$0.isNumber }) : nil
    }

    /// Whether a text begins with words of going on.
    static func goesOn(_ text: String) -> Bool {
        words(text).first.map { onwards.contains($0.text) } ?? false
    }

    /// Whether a word, or a sign before it, may come after a turn.
    private static func follows(_ word: Word) -> Bool { word.isAfterSign || trailing.contains(word.text) }

    /// The turn of an arrow at the start of a text, and the words after it.
    static func arrow(at text: String) -> (turn: TurnDirection, rest: String)? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let turn = text.unicodeScalars.first.flatMap({ arrows[$0] }) else { return nil }
        return (turn, text.dropFirst().trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Whether a text says something: neither a number nor a code such as `RPT012`.
    static func isSaying(_ text: String) -> Bool {
        text.split(whereSeparator: \.isWhitespace).contains { word in
            word.count(where: \.isLetter) > 1 && !word.contains(where: \.isNumber)
        }
    }

    /// The first turn that words say: `Straight, then left` is straight. Two sides of one turn are none.
    private static func turn(_ words: [String]) -> TurnDirection? {
        if let compound = words.lazy.compactMap({ compounds[$0] }).first { return compound }
        // The side of a U-turn is that on which one turns round.
        let round = words.firstIndex(where: around.contains)
        let sides = words.indices.filter { left.contains(words[$0]) || right.contains(words[$0]) }
        let ahead = words.firstIndex(where: straight.contains)
        if let round, round <= (sides.first ?? round) + 1, round <= ahead ?? round { return .uTurn }
        guard let side = sides.first, ahead.map({ side < $0 }) ?? true else {
            return ahead == nil ? nil : .straight
        }
        let isLeft = left.contains(words[side])
        if let other = sides.first(where: { left.contains(words[$0]) != isLeft }), other == side + 1 {
            return nil
        }
        if words.contains(where: slight.contains) { return isLeft ? .slightLeft : .slightRight }
        if words.contains(where: sharp.contains) { return isLeft ? .sharpLeft : .sharpRight }
        return isLeft ? .left : .right
    }

    /// A word of a text.
    private struct Word {
        /// In small letters.
        let text: String
        let written: String
        /// Whether a sign such as a comma is before it.
        let isAfterSign: Bool
    }

    private static func words(_ text: String) -> [Word] {
        let text = text.replacing(/[Uu][ -][Tt]urn/, with: "uturn")
        var words: [Word] = []
        var end = text.startIndex
        for part in text.split(whereSeparator: { !$0.isLetter && $0 != "'" && $0 != "’" }) {
            let isAfterSign = text[end..<part.startIndex].contains {
                !$0.isWhitespace && $0 != "_" && $0 != "-"
            }
            end = part.endIndex
            let turn = unspaced.first(where: part.hasPrefix)
            let pieces = turn.map { [part.prefix($0.count), part.dropFirst($0.count)] } ?? [part]
            for (index, piece) in pieces.enumerated() where !piece.isEmpty {
                words.append(
                    Word(
                        text: piece.lowercased(), written: String(piece),
                        isAfterSign: isAfterSign || index > 0))
            }
        }
        return words
    }
}
