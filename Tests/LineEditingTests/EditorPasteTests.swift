import TerminalTestKit
import Testing

/// Bracketed paste at a real terminal.
@Suite(.timeLimit(.minutes(10)))
struct EditorPasteTests {
    @Test func pasteModeIsOnOnlyWhileEditing() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("\u{1B}[?2004h")
        try await demo.terminal.waitFor("rutter> ")
        demo.send("one\r")
        try await demo.terminal.waitFor("\u{1B}[?2004l")
        try await demo.terminal.waitFor("line: \"one\"")
        try await demo.terminal.waitFor("\u{1B}[?2004h")
        #expect(try await demo.leave() == 0)
        #expect(demo.terminal.transcript.hasSuffix("\u{1B}[?2004lend of input\r\n"))
    }

    @Test func aTranscriptLosesPromptsAndOutput() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        let transcript = """
            some output
            rutter> first [
               ...> second ]
            line: "nothing"
            rutter> third
            more output
            rutter> fourth
            """
        demo.send(Keys.paste(transcript))
        try await demo.waitForLastRow("fourth")
        try await demo.enter("!", expecting: #"line: "first [\nsecond ]\nthird\nfourth!""#)
        #expect(try demo.historyText == "first [\\nsecond ]\\nthird\\nfourth!\n")
    }

    @Test func severalLinesWaitForEnter() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        demo.send("say " + Keys.paste("one\n\ntwo\nthree\n"))
        try await demo.waitForLastRow("three")
        #expect(!demo.terminal.transcript.contains("line:"))
        try await demo.enter("", expecting: #"line: "say one\n\ntwo\nthree""#)
    }

    @Test func controlCharactersInAPasteDoNothing() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        let pasted = Keys.paste("a" + Keys.control("C") + "b\u{1B}Mc\u{9B}d")
        try await demo.enter("<" + pasted + ">", expecting: #"line: "<abMcd>""#)
    }

    @Test func interruptDropsAPaste() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        demo.send(Keys.paste("never\nnever"))
        try await demo.waitForLastRow("never")
        demo.send(Keys.control("C"))
        try await demo.terminal.waitFor("^C")
        try await demo.enter("after", expecting: #"line: "after""#)
        #expect(!demo.terminal.transcript.contains("line: \"never"))
    }

    @Test(arguments: ["xterm-256color", "dumb"])
    func aVeryLongLineIsTaken(terminal: String) async throws {
        let demo = try DemoSession(environment: ["TERM": terminal])
        try await demo.terminal.waitFor("rutter> ")
        let text = String(repeating: "0123456789", count: 10_000)
        let typed = terminal == "dumb" ? text : Keys.paste(text)
        try await demo.enter(typed + "end", expecting: "long: 100003 end")
        try await demo.enter("length", expecting: "longest: 100003")
        #expect(try await demo.leave() == 0)
    }
}
