import PluginKit
import Testing

/// Folding names and judging how well they match.
struct PlaceWordsTests {
    @Test(arguments: [
        ("Refugi de Juclà", "refugi de jucla"), ("L'Hospitalet", "lhospitalet"),
        ("Sant Julià  de-Lòria!", "sant julia de loria"),
        ("Großstraße", "grossstrasse"), ("Ørsted", "orsted"), ("ŁÓDŹ", "lodz"), ("", ""), (" --*\"' ", ""),
        ("Ǆ 12ª", "dz 12a"), ("Москва", "москва"), ("日本 橋", "日本 橋"), ("e\u{301}", "e"),
    ])
    func folding(text: String, folded: String) {
        #expect(PlaceWords(text).text == folded)
    }

    @Test func aWordMatchesItsBeginning() {
        let name = PlaceWords.fold("Refugi de Juclà")
        for text in ["r", "ref", "jucla", "juc ref", "refugi de jucla", "de"] {
            #expect(PlaceWords(text).score(of: name) != nil, "\(text)")
        }
        for text in ["x", "efugi", "refugis", "jucla x", ""] {
            #expect(PlaceWords(text).score(of: name) == nil, "\(text)")
        }
    }

    @Test func theMoreOfTheNameTheBetter() {
        func score(_ text: String, _ name: String) -> Double {
            PlaceWords(text).score(of: PlaceWords.fold(name)) ?? -1
        }
        #expect(score("malbun", "Malbun") == 1)
        #expect(score("malb", "Malbun") < 1)
        #expect(score("malb", "Malbun") > score("mal", "Malbun"))
        #expect(score("malbun", "Malbun Zentrum") > score("malbun", "Alpe Malbun Zentrum"))
        #expect(score("vaduz", "Vaduz Schloss") > score("vaduz", "Schloss Vaduz"))
        #expect(score("vaduz", "Schloss Vaduz") > score("vad", "Schloss Vaduz"))
        for (text, name) in [("a", "a b"), ("a b", "b a"), ("ab", "abc")] {
            #expect(score(text, name) > 0 && score(text, name) < 1)
        }
    }

    @Test func longTextIsCut() {
        let long = String(repeating: "a", count: 100_000)
        #expect(PlaceWords(long).folded.count <= 400)
        #expect(PlaceWords(String(repeating: "é ", count: 100_000)).folded.count <= 800)
    }
}
