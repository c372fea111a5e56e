import Foundation
import TerminalTestKit
import Testing

/// Ctrl-C, Ctrl-D, resizing, stopping, and the terminal that goes away.
@Suite(.timeLimit(.minutes(10)))
struct SignalTests {
    @Test func interruptDropsTheLine() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        demo.send("half")
        try await demo.interrupt()
        #expect(demo.screen.lines == ["rutter> half^C", "interrupted", "rutter>"])
        try await demo.enter("whole", expecting: #"line: "whole""#)
        #expect(try demo.historyText == "whole\n")
        #expect(try await demo.leave() == 0)
    }

    @Test func interruptGoesBelowALongLine() async throws {
        let demo = try DemoSession(rows: 10, columns: 20)
        try await demo.terminal.waitFor("rutter> ")
        demo.send(String(repeating: "x", count: 40) + Keys.home)
        try await demo.waitForRow("xxxxxxxx")
        try await demo.interrupt()
        let lines = ["rutter> xxxxxxxxxxxx", "xxxxxxxxxxxxxxxxxxxx", "xxxxxxxx^C", "interrupted", "rutter>"]
        #expect(demo.screen.lines == lines)
    }

    @Test func aNoticeStandsAboveTheLine() async throws {
        let demo = try DemoSession(rows: 10, columns: 20)
        try await demo.terminal.waitFor("rutter> ")
        try await demo.enter("later news", expecting: "later")
        demo.send("a line that is longer than a row")
        try await demo.waitForRows([
            "rutter> later news", "later", "news", "rutter> a line that", "is longer than a row",
        ])
        demo.send("!\r")
        try await demo.terminal.waitFor("a row!")
        #expect(try await demo.leave() == 0)
    }

    @Test func interruptDropsAContinuation() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        demo.send("first [\r")
        try await demo.terminal.waitFor("   ...> ")
        demo.send("second")
        try await demo.interrupt()
        try await demo.enter("third", expecting: #"line: "third""#)
    }

    @Test func interruptEndsASearch() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        try await demo.enter("alpha", expecting: #"line: "alpha""#)
        demo.send(Keys.control("R") + "al")
        try await demo.waitForLastRow("bck:al")
        try await demo.interrupt()
        #expect(try await demo.leave() == 0)
    }

    @Test func interruptStopsARunningCommandOnly() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        demo.send("sleep 60\r")
        try await demo.terminal.waitFor("sleeping")
        demo.send(Keys.control("C"))
        try await demo.terminal.waitFor("cancelled")
        try await demo.terminal.waitFor("rutter> ")
        try await demo.enter("after", expecting: #"line: "after""#)
        #expect(try await demo.leave() == 0)
    }

    @Test func whatIsTypedAheadIsNotLost() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        demo.send("sleep 0.5\r")
        try await demo.terminal.waitFor("sleeping")
        demo.send("ahead\rpart")
        try await demo.terminal.waitFor("slept")
        try await demo.terminal.waitFor(#"line: "ahead""#)
        try await demo.enter("ly", expecting: #"line: "partly""#)
    }

    @Test func endOfInputTypedAheadIsNotLost() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        demo.send("sleep 0.5\r")
        try await demo.terminal.waitFor("sleeping")
        demo.send(Keys.control("D"))
        try await demo.terminal.waitFor("slept")
        try await demo.terminal.waitFor("end of input")
    }

    @Test func controlSpaceDoesNotLeave() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        demo.terminal.send(bytes: [0])
        try await demo.enter("still here", expecting: #"line: "still here""#)
    }

    @Test func resizingDrawsTheLineAnew() async throws {
        let demo = try DemoSession(rows: 10, columns: 40)
        try await demo.terminal.waitFor("rutter> ")
        demo.send("short")
        try await demo.waitForLastRow("rutter> short")
        demo.terminal.resize(rows: 10, columns: 12)
        try await demo.terminal.waitFor("\u{1B}[J")
        try await demo.terminal.waitFor("rutter> ")
        demo.send(" and more")
        try await demo.waitForLastRow("t and more", columns: 12)
        try await demo.enter("", expecting: #"line: "short and more""#)
    }

    @Test func stoppingAndContinuingRestoresTheLine() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        demo.send("kept")
        try await demo.waitForLastRow("rutter> kept")
        demo.terminal.signal(SIGSTOP)
        demo.terminal.signal(SIGCONT)
        try await demo.terminal.waitFor("rutter> kept")
        try await demo.enter("!", expecting: #"line: "kept!""#)
    }

    @Test func suspendingWithoutAShellGoesOn() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        try await demo.enter("kept" + Keys.control("Z") + "!", expecting: #"line: "kept!""#)
    }

    @Test func hangUpEndsTheInput() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        try await demo.enter("kept", expecting: #"line: "kept""#)
        demo.send("lost")
        demo.terminal.signal(SIGHUP)
        try await demo.terminal.waitFor("end of input")
        #expect(try await demo.terminal.waitForExit() == 0)
        #expect(try demo.historyText == "kept\n")
    }

    @Test func terminationLeavesTheTerminalInOrder() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        demo.terminal.signal(SIGTERM)
        #expect(try await demo.terminal.waitForExit() == 128 + SIGTERM)
        #expect(demo.terminal.transcript.hasSuffix("\u{1B}[?2004l"))
    }

    @Test func killLosesNothingEntered() async throws {
        let demo = try DemoSession()
        try await demo.terminal.waitFor("rutter> ")
        try await demo.enter("kept", expecting: #"line: "kept""#)
        demo.terminal.signal(SIGKILL)
        #expect(try await demo.terminal.waitForExit() == 128 + SIGKILL)
        #expect(try demo.historyText == "kept\n")
    }
}
