/// Words that mean the same in names of places and streets.
enum PlaceAbbreviations {
    /// Groups of interchangeable folded words: as typed, and as written on signs. Sources: the
    /// abbreviations of the OpenStreetMap wiki (`Name_finder:Abbreviations`) for the shipped languages.
    private static let groups = [
        "st saint sankt street sant santa sint", "str strasse street", "ave av avenue avinguda avenida",
        "bd blvd boulevard", "rd road", "dr drive doktor doctor doutor", "ln lane", "sq square", "ct court",
        "c carrer calle", "pl platz place placa plaza piazza", "pg passeig paseo", "ctra cra carretera",
        "mt mount mont monte", "mtn mountain", "r rue rua", "ch chemin", "rte route", "fbg faubourg",
        "v via", "vle viale", "cso corso", "p pza", "gr gross grosse grosser", "kl klein kleine kleiner",
        "ob ober obere oberer", "unt unter untere unterer", "hl heilig heilige heiliger", "bhf bahnhof",
        "hbf hauptbahnhof", "stn station", "hosp hospital", "univ university universitat universite",
        "prof professor", "n north nord", "s south sud", "e east est", "w west",
        "hwy highway", "pkwy pkway parkway", "cres crescent", "tce terr terrace", "gdns gardens",
        "gdn garden", "ft fort", "bdwy bway bwy broadway", "expy expwy expressway", "fwy freeway",
        "tpke tpk turnpike", "cir circle", "cl clo close", "gro grove", "gn grn green", "gte gate",
        "mws mews", "wlk walk", "wy way", "aly alley", "trl tr trail", "xing crossing", "byp bypass",
        "jct jctn junction", "bldg building", "ctr cntr center centre", "hts heights", "brg bridge",
        "crk ck creek", "lk lake", "riv river", "isl island", "mtns mountains", "vlg village", "hse house",
        "fm farm", "cem cemetery", "intl international", "natl national", "pk park", "pt point",
        "all allee", "imp impasse", "pge passage", "qu quai", "res residence", "lot lotissement",
        "g gasse", "wg weg", "prom promenade", "gen general",
        "dir direktor", "pres president presidente",
        "sta santa", "sto santo", "ste sainte", "s san", "sra senora", "ntra nuestra", "avda avenida",
        "cl calle", "pza plaza", "gta glorieta", "urb urbanizacion", "ptge passatge", "rbla rambla",
        "trv tv travessera travessia travessa", "lgo lg largo", "pzza piazza", "loc localita", "str strada",
        "str straat", "pln plein", "ln laan", "ul ulica ulice", "os osiedle", "nam namesti", "tr trida",
        "к корп корпус", "с стр строение", "ул улица вулиця", "пр просп проспект", "пер переулок",
        "пл площадь",
        "наб набережная", "ш шоссе", "бул бульвар",
    ]

    private static let others: [[UInt8]: [[UInt8]]] = {
        var others: [[UInt8]: [[UInt8]]] = [:]
        for group in groups {
            let words = group.split(separator: " ").map { Array($0.utf8) }
            for word in words { others[word, default: []] += words.filter { $0 != word } }
        }
        return others
    }()

    /// The other spellings of a folded word.
    static func others(of word: [UInt8]) -> [[UInt8]] {
        var result = (others[word] ?? []) + (RomanNumerals.others(of: word).map { [$0] } ?? [])
        result += NumberWords.others(of: word)
        // Hauptstr. and Hauptstrasse.
        for (short, long) in endings where word.count > short.count + 1 && word.ends(with: short) {
            result.append(word.dropLast(short.count) + long)
        }
        for (short, long) in endings where word.count > long.count + 1 && word.ends(with: long) {
            result.append(word.dropLast(long.count) + short)
        }
        return result
    }

    private static let endings = [
        (Array("str".utf8), Array("strasse".utf8)), (Array("pl".utf8), Array("platz".utf8)),
        (Array("bhf".utf8), Array("bahnhof".utf8)),
    ]

    /// The word with `a`, `o` and `u` for `ae`, `oe` and `ue`, which stand for umlauts on keyboards without them: all
    /// combinations, without the word itself. `zuerich` becomes `zurich`, `bauernstuebli` becomes `bauernstubli`.
    static func withoutUmlautE(_ word: [UInt8]) -> [[UInt8]] {
        let positions = word.indices.dropFirst().filter { index in
            word[index] == UInt8(ascii: "e") && umlauts.contains(word[index - 1])
        }.prefix(3)
        guard !positions.isEmpty else { return [] }
        return (1..<(1 << positions.count)).map { choice in
            let dropped = positions.enumerated().filter { choice & (1 << $0.offset) != 0 }.map(\.element)
            return word.indices.filter { !dropped.contains($0) }.map { word[$0] }
        }
    }

    private static let umlauts: [UInt8] = Array("aou".utf8)
}

extension Collection where Element: Equatable {
    /// Whether it ends with these elements.
    func ends(with other: some Collection<Element>) -> Bool {
        count >= other.count && suffix(other.count).elementsEqual(other)
    }
}
