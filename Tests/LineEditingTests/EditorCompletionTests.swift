import TerminalTestKit
import Testing

/// Completion at a real terminal.
@Suite(.timeLimit(.minutes(10)))
struct EditorCompletionTests {
    @Test func aSingleCandidateIsInserted() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        try await demo.enter("uni" + Keys.tab + "x", expecting: #"line: "unique x""#)
        try await demo.enter("op" + Keys.tab + ")", expecting: #"line: "open()""#)
    }

    @Test func theCommonBeginningIsInsertedThenTheListShown() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        demo.send("way" + Keys.tab)
        try await demo.waitForLastRow("rutter> waypoint")
        demo.send(Keys.tab)
        try await demo.waitForRow("waypoints  all of them")
        let lines = [
            "rutter> waypoint", "waypoint   places worth keeping", "waypoints  all of them",
            "rutter> waypoint",
        ]
        try await demo.terminal.waitUntil("the line below the list") { _ in demo.screen.lines == lines }
        try await demo.enter("s" + Keys.tab, expecting: #"line: "waypoints ""#)
    }

    @Test func wideTextIsCompletedInTheMiddle() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        demo.send("北京 Zü 京" + Keys.left + Keys.left + Keys.tab)
        try await demo.waitForLastRow("rutter> 北京 Zürich 京")
        demo.send("東" + Keys.tab + Keys.tab)
        try await demo.waitForRow("東京都庁  a tall building")
        try await demo.waitForLastRow("rutter> 北京 Zürich 東京京")
        try await demo.enter("都" + Keys.tab + "-", expecting: #"line: "北京 Zürich 東京都庁 -京""#)
    }

    @Test func completionSeesTheEntireEntry() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        demo.send("Zürich [\r")
        try await demo.terminal.waitFor("   ...> ")
        try await demo.enter("東京都" + Keys.tab + "]", expecting: #"line: "Zürich [\n東京都庁 ]""#)
    }

    @Test func aListLongerThanTheScreenIsCut() async throws {
        let demo = try DemoSession(rows: 8, columns: 40)
        try await demo.terminal.waitFor("rutter> ")
        demo.send("item" + Keys.tab)
        try await demo.waitForRow("… and 280 more")
        try await demo.waitForLastRow("rutter> item")
        #expect(demo.screen.lines.first == "rutter> item")
        #expect(demo.screen.lines[1] == "item1    item6    item11   item16")
        try await demo.enter("299" + Keys.tab, expecting: #"line: "item299 ""#)
    }

    @Test func theListStandsBelowALongLine() async throws {
        let demo = try DemoSession(rows: 12, columns: 20)
        try await demo.terminal.waitFor("rutter> ")
        demo.send("東 " + String(repeating: "x", count: 20) + Keys.home + Keys.right + Keys.tab)
        try await demo.waitForRow("xxxxxxxxxxxxx")
        demo.send(Keys.tab)
        let line = ["rutter> 東京 xxxxxxx", "xxxxxxxxxxxxx"]
        let lines = line + ["東京駅    東京都庁"] + line
        try await demo.terminal.waitUntil("the list between two copies of the line") { _ in
            demo.screen.lines == lines
        }
        #expect(demo.screen.row == 3)
        #expect(demo.screen.column == 12)
    }

    @Test func nothingToCompleteRingsTheBell() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        demo.send("nothing" + Keys.tab)
        try await demo.terminal.waitFor("\u{07}")
        try await demo.enter("!", expecting: #"line: "nothing!""#)
    }
}
