import Testing

@testable import TextWidth

@Suite struct DisplayWidthTests {
    /// By East Asian Width (UAX #11) and the rule that a character never takes more than two cells.
    @Test(arguments: [
        ("", 0), ("abc", 3), ("Juclà", 5), ("Jucla\u{300}", 5), ("東京", 4), ("한글", 4),
        ("\u{1112}\u{1161}\u{11AB}", 2),
        ("ｱ", 1), ("Ａ", 2), ("é", 1), ("ß", 1), ("→", 1), ("⠿", 1), ("👩‍👩‍👧", 2), ("🇦🇩", 2), ("👍🏽", 2), ("⚠", 1),
        ("⚠\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2), ("a\u{200B}b", 2), ("\t\n", 0), ("\u{1B}", 0),
        ("\u{AD}", 1),
        ("\u{1FAE8}", 2), ("\u{20000}", 2), ("\r\n", 0), ("ﷺ", 1),
    ])
    func width(text: String, cells: Int) {
        #expect(DisplayWidth.of(text) == cells, "\(text.unicodeScalars.map(\.value))")
    }

    @Test func tablesAreSortedAndApart() {
        for table in [WidthTables.wide, WidthTables.zero] {
            for (a, b) in zip(table, table.dropFirst()) { #expect(a.upperBound < b.lowerBound) }
        }
    }

    @Test func wideCharactersAreNeverCutInHalf() {
        #expect(DisplayWidth.prefix("東京都", fitting: 5) == "東京")
        #expect(DisplayWidth.truncated("東京都", to: 5) == "東京…")
        #expect(DisplayWidth.truncated("東京都", to: 4) == "東…")
        #expect(DisplayWidth.truncated("abc", to: 3) == "abc")
        #expect(DisplayWidth.truncated("abc", to: 0) == "")
    }

    @Test func paddingCountsCells() {
        #expect(DisplayWidth.padded("東", to: 4) == "東  ")
        #expect(DisplayWidth.padded("long", to: 2) == "long")
    }
}
