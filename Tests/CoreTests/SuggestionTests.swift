import Core
import Testing

@Suite struct SuggestionTests {
    @Test(
        "the nearest word",
        arguments: [
            ("waypiont", "waypoint"), ("radus", "radius"), ("RADIUS", "radius"), ("rotue", "route"),
            ("way", "waypoint"), ("xyz", nil), ("", nil),
        ] as [(String, String?)])
    func nearest(word: String, expected: String?) {
        #expect(Suggestion.nearest(to: word, in: ["radius", "route", "waypoint"]) == expected)
    }

    @Test("a long word is no misspelling and costs nothing")
    func long() {
        let word = String(repeating: "a", count: 1_000_000)
        #expect(Suggestion.nearest(to: word, in: ["a", word]) == nil)
    }
}
