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
        ("Nu\u{2BB}u", "nuu"), ("Ka\u{2018}ū", "kau"), ("l\u{2BC}Aquila", "l aquila"),
    ])
    func folding(text: String, folded: String) {
        #expect(PlaceWords(text).text == folded)
    }

    @Test func longTextIsCut() {
        let long = String(repeating: "a", count: 100_000)
        #expect(PlaceWords(long).folded.count <= 400)
        #expect(PlaceWords(String(repeating: "é ", count: 100_000)).folded.count <= 800)
    }
}
