import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import Workbench

@Suite struct PlayerTests {
    private func walk(_ count: Int) -> Stepper.Walk {
        Stepper.Walk(
            text: "x",
            steps: (0..<count).map {
                TraceStep($0 % 3 == 0 ? "settle" : "relax", [("n", .integer($0))], why: "")
            })
    }

    @Test func keysMoveThroughATrace() {
        var play = StepPlayback(walk: walk(10), rate: 2)
        func press(_ keys: ScreenKey...) -> Int {
            for key in keys { _ = play.take(key) }
            return play.position
        }
        #expect(press(.right, .right) == 2)
        #expect(press(.left, .left, .left) == 0)
        #expect(press(.character("n")) == 3)
        #expect(press(.character("n"), .character("n"), .character("n")) == 9)
        #expect(press(.character("p")) == 6)
        #expect(press(.character("G"), .right) == 9)
        #expect(press(.character(" ")) == 0)
        #expect(play.isPlaying)
        play.advance()
        #expect(play.position == 1)
        #expect(press(.character("+")) == 1)
        #expect(play.rate == 4)
        let goesOn = play.take(.character("q"))
        #expect(!goesOn)
    }

    @Test func playingStopsAtTheEnd() {
        var play = StepPlayback(walk: walk(2), rate: 1)
        _ = play.take(.character(" "))
        play.advance()
        #expect(!play.isPlaying)
        play.advance()
        #expect(play.position == 1)
    }

    @Test func aFrameFitsItsScreen() throws {
        let play = StepPlayback(walk: walk(4), rate: 1)
        let lines = try play.frame(columns: 40, rows: 12, .notebook)
        #expect(lines.allSatisfy { $0.count <= 40 })
        #expect(lines.contains { $0.hasPrefix("kind") && $0.hasSuffix("settle") })
        #expect(lines.last?.hasPrefix("paused") == true)
    }

    @Test func badInputIsRefused() async throws {
        let session = try TestSession(plugins: { [] })
        #expect(await session.result("[1 2] | export x.html").failure?.code == "E-STEP-EMPTY")
        #expect(await session.result("trace 1 + 1 | export x.html").failure?.code == "E-STEP-EMPTY")
        #expect(await session.result("trace 1 + 1 | export --as player").failure?.code == "E-EXPORT-OUT")
        #expect(await session.result("trace 1 + 1 | export x.png --title T").failure?.code == "E-STEP-EMPTY")
        #expect(await session.result("export").failure?.code == "E-ARG-MISSING")
        #expect(await session.result("export x.html").failure?.code == "E-STEP-EMPTY")
        #expect(await session.result("step play").failure?.code == "E-STEP-NONE")
    }
}
