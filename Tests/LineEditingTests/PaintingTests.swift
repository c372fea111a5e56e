import Foundation
import TerminalTestKit
import Testing

/// Colours and suggestions while a line is edited, at a real terminal.
@Suite(.timeLimit(.minutes(10)))
struct PaintingTests {
    private static let colours = ["NO_COLOR": ""]

    @Test(arguments: [["LANG": "C.UTF-8"], ["LANG": "C"], ["LC_ALL": "POSIX"]])
    func wordsAreColoured(locale: [String: String]) async throws {
        let demo = try DemoSession(environment: Self.colours.merging(locale) { $1 })
        try await demo.terminal.waitFor(demo.prompt)
        demo.send("x Zürich 12")
        try await demo.terminal.waitFor("\u{1B}[32mZürich\u{1B}[0m ")
        try await demo.terminal.waitFor("\u{1B}[34m12")
        try await demo.waitForLastRow("rutter> x Zürich 12")
        try await demo.enter("", expecting: #"line: "x Zürich 12""#)
    }

    /// Painting moves no character: the screen is the one without colours, cell by cell, and so is the cursor.
    @Test(arguments: [UInt64](1...6))
    func coloursChangeNoCell(seed: UInt64) async throws {
        let keys = [
            "waypoint ", "12 ", "x", "東京", "é", " ", Keys.left, Keys.left, Keys.right, Keys.home, Keys.end,
            Keys.backspace, Keys.delete, Keys.control("W"), Keys.control("K"), Keys.paste("a\nbc 7"), Keys.up,
            Keys.down,
        ]
        var random = Sequence(seed: seed)
        let typed = (0..<60).map { _ in keys[random.next(below: keys.count)] }
        var screens: [VirtualScreen] = []
        for environment in [[:], Self.colours] {
            let demo = try DemoSession(environment: environment, rows: 40, columns: 31)
            try await demo.terminal.waitFor(demo.prompt)
            demo.send("12 ")
            try await demo.waitForLastRow("rutter> 12")
            // On a fast machine all keys come before the editor rests: it paints at least these.
            if !environment.isEmpty { try await demo.terminal.waitFor("\u{1B}[?25l") }
            for key in typed {
                demo.send(key)
                // Lets the editor come to rest now and then, so that it paints; the result does not depend on when.
                await Task.yield()
            }
            demo.send(Keys.end + "§\r")
            try await demo.terminal.waitFor("line: ")
            try await demo.terminal.waitFor(demo.prompt)
            screens.append(demo.screen)
        }
        #expect(screens[0].lines == screens[1].lines)
    }

    @Test func theNewestEntryThatBeginsLikeTheLineIsSuggested() async throws {
        let demo = try DemoSession(environment: Self.colours)
        try await demo.terminal.waitFor(demo.prompt)
        try await demo.enter("one two three", expecting: #"line: "one two three""#)
        demo.send("on")
        try await demo.waitForLastRow("rutter> one two three")
        try await demo.waitForCursor(column: "rutter> on".count)
        demo.send("x")
        try await demo.waitForLastRow("rutter> onx")
        demo.send(Keys.backspace)
        try await demo.waitForLastRow("rutter> one two three")
        demo.send("\u{1B}[1;5C")
        try await demo.waitForCursor(column: "rutter> one".count)
        demo.send(Keys.right)
        try await demo.waitForCursor(column: "rutter> one two three".count)
        try await demo.enter("!", expecting: #"line: "one two three!""#)
        demo.send("one two three")
        try await demo.waitForLastRow("rutter> one two three!")
        try await demo.enter(Keys.end, expecting: #"line: "one two three!""#)
        // What is suggested is not entered.
        demo.send("one")
        try await demo.waitForLastRow("rutter> one two three!")
        try await demo.enter("", expecting: #"line: "one""#)
    }

    @Test func aSuggestionLeavesWithTheLine() async throws {
        let demo = try DemoSession(environment: Self.colours)
        try await demo.terminal.waitFor(demo.prompt)
        try await demo.enter("one two three", expecting: #"line: "one two three""#)
        demo.send("one")
        try await demo.waitForLastRow("rutter> one two three")
        try await demo.interrupt()
        #expect(demo.screen.lines.contains("rutter> one^C"))
        demo.send("one")
        try await demo.waitForLastRow("rutter> one two three")
        demo.terminal.resize(rows: 24, columns: 60)
        try await demo.waitForLastRow("rutter> one two three", columns: 60)
        demo.send(" 2")
        try await demo.waitForLastRow("rutter> one 2", columns: 60)
    }

    @Test func withoutColourNothingIsSuggested() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor(demo.prompt)
        try await demo.enter("one two three", expecting: #"line: "one two three""#)
        try await demo.enter("one" + Keys.right, expecting: #"line: "one""#)
        #expect(!demo.terminal.transcript.contains("\u{1B}[?25l"))
    }

    /// Numbers that are the same on every run (Knuth's MMIX generator).
    private struct Sequence {
        var state: UInt64

        init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

        mutating func next(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(limit))
        }
    }
}
