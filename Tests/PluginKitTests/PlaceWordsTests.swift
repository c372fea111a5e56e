import Geodesy
import PluginKit
import Testing

/// Folding names and judging how well they match.
struct PlaceWordsTests {
    @Test(arguments: [
        ("Refugi de Juclà", "refugi de jucla"), ("L'Hospitalet", "l hospitalet"),
        ("Refugi de l’Illa", "refugi de l illa"), ("King's Peak", "kings peak"), ("O'Brien", "obrien"),
        ("Alpe dell'Adamè", "alpe dell adame"), ("l'", "l"), ("'l", "l"), ("''", ""),
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

    @Test func aListFindsWhatALookAtEachNameFinds() {
        var random = Xoshiro256(seed: 3)
        let parts = ["al", "pe", "Mün", "sant", "a", "l'", "É", "9", "日本", "о", " "]
        let places = (0..<400).map { number in
            NamedPlace(
                name: (0..<Int.random(in: 1...4, using: &random)).map { _ in
                    parts[Int.random(in: 0..<parts.count, using: &random)]
                }.joined(),
                kind: "k", source: "s",
                coordinate: Coordinate(
                    latitude: Double.random(in: 46...47, using: &random),
                    longitude: Double.random(in: 7...8, using: &random)), rank: number % 10)
        }
        let list = PlaceList(places)
        let here = Coordinate(latitude: 46.5, longitude: 7.5)
        for text in ["a", "al", "alpe", "sant al", "mun", "e", "9", "日", "о", "l a", "zz", "x y", ""] {
            for (near, radius) in [(nil, nil), (here, nil), (here, 20_000.0)] {
                let query = PlaceQuery(PlaceWords(text), near: near, radius: radius, limit: 7)
                #expect(list.matches(query) == query.matches(among: places), "\(text)")
            }
        }
    }
}
