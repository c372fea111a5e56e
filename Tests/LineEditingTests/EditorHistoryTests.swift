import Foundation
import TerminalTestKit
import Testing

/// History at a real terminal.
@Suite(.timeLimit(.minutes(10)))
struct EditorHistoryTests {
    @Test func historyIsKeptAcrossSessions() async throws {
        let first = try DemoSession()
        try await first.terminal.waitFor("rutter> ")
        try await first.enter("alpha", expecting: #"line: "alpha""#)
        try await first.enter("alpha", expecting: #"line: "alpha""#)
        try await first.enter(" secret", expecting: #"line: " secret""#)
        first.send("multi [\r")
        try await first.terminal.waitFor("   ...> ")
        try await first.enter(#"東京 \n ]"#, expecting: #"line: "multi [\n東京 \\n ]""#)
        #expect(try await first.leave() == 0)
        #expect(try first.historyText == "alpha\nmulti [\\n東京 \\\\n ]\n")

        let second = try DemoSession(home: first.home)
        try await second.terminal.waitFor("rutter> ")
        second.send(Keys.up)
        try await second.waitForLastRow(#"東京 \n ]"#)
        #expect(second.screen.lines == ["rutter> multi [", #"東京 \n ]"#])
        try await second.enter(" end", expecting: #"line: "multi [\n東京 \\n ] end""#)
        try await second.enter(
            Keys.control("P") + Keys.control("P") + Keys.control("P") + "!", expecting: #"line: "alpha!""#)
    }

    @Test func arrowsMoveWithinAMultiLineEntryFirst() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        try await demo.enter("before", expecting: #"line: "before""#)
        demo.send("one [\r")
        try await demo.terminal.waitFor("   ...> ")
        try await demo.enter("two ]", expecting: #"line: "one [\ntwo ]""#)
        demo.send(Keys.up + Keys.up + "X")
        try await demo.waitForRow("rutter> one [X")
        demo.send(Keys.down + "Y")
        try await demo.enter("", expecting: #"line: "one [X\ntwo ]Y""#)
        let ups = String(repeating: Keys.up, count: 4)
        try await demo.enter(ups + "Z", expecting: #"line: "one [Z\ntwo ]""#)
        try await demo.enter(ups + ups + ups, expecting: #"line: "before""#)
    }

    @Test func searchFindsAndGoesOn() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        for entry in ["alpha one", "beta", "alpha two", "gamma"] {
            try await demo.enter(entry, expecting: "line: \"\(entry)\"")
        }
        demo.send(Keys.control("R") + "alpha")
        try await demo.waitForLastRow("bck:alpha")
        try await demo.waitForRow("rutter> alpha two")
        demo.send(Keys.control("R"))
        try await demo.waitForRow("rutter> alpha one")
        try await demo.enter("", expecting: #"line: "alpha one""#)
        demo.send(Keys.control("R") + "bet")
        try await demo.waitForRow("rutter> beta")
        try await demo.enter(Keys.up, expecting: #"line: "alpha one""#)
    }

    @Test func searchInLongEntriesIsSafe() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        let long = "start " + String(repeating: "long ", count: 2000) + "end"
        try await demo.enter(Keys.paste(long), expecting: "long: 10009 end")
        try await demo.enter("short", expecting: #"line: "short""#)
        try await demo.enter(Keys.control("R") + "star" + Keys.end, expecting: "long: 10009 end")
    }

    @Test func longDraftsComeBack() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        try await demo.enter("short", expecting: #"line: "short""#)
        let draft = String(repeating: "draft ", count: 500) + "end"
        try await demo.enter(Keys.paste(draft) + Keys.up + Keys.down, expecting: "long: 3003 end")
    }

    @Test func unwritableHistoryIsToldAndDoesNoHarm() async throws {
        let home = try DemoHome()
        let folder = home.appendingPathComponent("history")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let demo = try DemoSession(home: home)
        try await demo.terminal.waitFor("history problem: ")
        try await demo.terminal.waitFor("rutter> ")
        try await demo.enter("one", expecting: #"line: "one""#)
        try await demo.enter(Keys.up + "!", expecting: #"line: "one!""#)
    }
}
