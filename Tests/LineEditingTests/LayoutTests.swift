import CLibEdit
import Testing

@testable import LineEditing

/// The screen layout, without a screen.
struct LayoutTests {
    init() { #expect(cle_use_utf8_locale()) }

    @Test(arguments: [
        ("", 0, 20, 0), ("abcdefghijkl", 11, 20, 0), ("abcdefghijkl", 12, 20, 1), ("a\nb\nc", 5, 20, 2),
        ("a\nb\nc", 1, 20, 0), ("東東東東東東", 5, 20, 0), ("x東東東東東東東", 6, 20, 0),
        ("x東東東東東東東", 7, 20, 1), ("\t\tx", 3, 20, 1), ("\u{01}", 1, 10, 1), ("abc", 3, 0, 0),
    ])
    func cursorRows(text: String, cursor: Int, width: Int, row: Int) {
        let found = ScreenLayout.cursorRow(
            prompt: "rutter> ", text: text.scalarValues, cursor: cursor, width: width)
        #expect(found == row)
    }

    @Test(arguments: [
        ("plain", 10, "plain"), ("plain text", 6, "plain…"), ("東京都庁", 8, "東京都庁"), ("東京都庁", 7, "東京都…"),
        ("東京都庁", 6, "東京…"), ("a\u{1B}[31mb", 10, "a[31mb"), ("abc", 0, ""),
        ("e\u{301}e\u{301}x", 2, "e\u{301}…"),
    ])
    func fitting(text: String, width: Int, fitted: String) {
        #expect(CompletionListing.fitted(text, to: width) == fitted)
    }

    private let words = ["alpha", "be", "東京", "delta", "e"].map { Completion(replacement: $0) }

    @Test(arguments: [
        (80, 10, ["alpha  be     東京   delta  e"]),
        (22, 10, ["alpha  東京   e", "be     delta"]),
        (10, 10, ["alpha", "be", "東京", "delta", "e"]),
        (10, 3, ["alpha", "be", "… and 3 more"]),
        (22, 1, ["alpha  be     東京", "… and 2 more"]),
        (4, 10, ["al…", "be", "東…", "de…", "e"]),
    ])
    func columns(width: Int, rows: Int, lines: [String]) {
        let listing = CompletionListing(width: width, rows: rows, summaryStyle: nil)
        #expect(listing.lines(for: words) == lines)
    }

    private let explained = [
        Completion(replacement: "near", summary: "places within a radius"),
        Completion(replacement: "東京", display: "東京 (駅)", summary: ""),
    ]

    @Test(arguments: [
        (80, 5, ["near       places within a radius", "東京 (駅)"]),
        (24, 5, ["near       places with…", "東京 (駅)"]),
        (23, 5, ["near       東京 (駅)"]),
        (80, 1, ["near       東京 (駅)"]),
    ])
    func summaries(width: Int, rows: Int, lines: [String]) {
        let listing = CompletionListing(width: width, rows: rows, summaryStyle: nil)
        #expect(listing.lines(for: explained) == lines)
    }

    @Test func stylesAreOnlyForSummariesAndPrompts() {
        let listing = CompletionListing(width: 80, rows: 5, summaryStyle: "2")
        #expect(
            listing.lines(for: explained)
                == ["near       \u{1B}[2mplaces within a radius\u{1B}[0m", "東京 (駅)"])
        #expect(StyledPrompt.make("> ", style: nil) == "> ")
        #expect(StyledPrompt.make("> ", style: "1") == "\u{01}\u{1B}[1m\u{01}>\u{01}\u{1B}[0m\u{01} ")
        #expect(StyledPrompt.make("", style: "1") == "")
    }

    @Test(arguments: [
        ("ab\ncde\nf", 8, 4), ("ab\ncde\nf", 7, 3), ("ab\ncde\nf", 6, 2), ("ab\ncde\nf", 3, 0),
        ("ab\ncde\nf", 1, nil), ("\n", 1, 0),
    ])
    func movingUp(text: String, cursor: Int, offset: Int?) {
        #expect(LineMotion.up(in: text.scalarValues, from: cursor) == offset)
    }

    @Test(arguments: [
        ("ab\ncde\nf", 0, 3), ("ab\ncde\nf", 2, 5), ("ab\ncde\nf", 6, 8), ("ab\ncde\nf", 7, nil),
        ("abc\n", 3, 4), ("", 0, nil),
    ])
    func movingDown(text: String, cursor: Int, offset: Int?) {
        #expect(LineMotion.down(in: text.scalarValues, from: cursor) == offset)
    }
}
