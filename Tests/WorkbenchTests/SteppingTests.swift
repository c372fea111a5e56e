import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import Workbench

/// Counts down and records each number; optionally fails at the end.
private struct CountDown: CommandProvider {
    var command: Command {
        Command(
            "count-down", "counts down",
            .positional("from", .integer(0...1000), "where it begins"),
            .flag("fails", "fails when it is done"),
            output: .nothing, effect: .pure,
            examples: [.init("three", "count-down 3")]
        ) { context, from, fails in
            var log = TraceLog(limit: context.tracing?.limit ?? 0)
            for number in stride(from: from, to: 0, by: -1) {
                let isEven = number % 2 == 0
                log.record(
                    TraceStep(
                        isEven ? "even" : "odd",
                        [("n", .integer(number))] + (isEven ? [("half", .integer(number / 2))] : []),
                        why: "it is the next"))
            }
            context.tracing?.keep(log, picture: Picture())
            if fails { throw CommonErrors.argumentRange("too low") }
            return .nothing
        }
    }

    private struct Picture: TracePicturing {
        func picture(after steps: ArraySlice<TraceStep>) -> any DomainObject {
            RowExpression(text: "\(steps.count) steps, last \(steps.last?.kind ?? "")") { _ in .nothing }
        }
    }
}

private struct CountPlugin: Plugin {
    let name = "counting"
    let summary = "counts"
    let version = "1.0"
    let commands: [any CommandProvider] = [CountDown()]
}

@Suite struct SteppingTests {
    private func session() throws -> TestSession { try TestSession(plugins: { [CountPlugin()] }) }

    @Test func walksForwardsAndBackwards() async throws {
        let session = try session()
        #expect(
            await session.run("step count-down 5") == """
                step  1
                of    5
                kind  odd
                n     5
                why   it is the next
                """)
        #expect(await session.run("step next | get n") == "4")
        #expect(await session.run("step next 2 | get n") == "2")
        #expect(await session.run("step back | get n") == "3")
        #expect(await session.run("step to 5 | get n") == "1")
        #expect(await session.run("expect-error E-STEP-END step next") == "step 5 is the last")
        #expect(await session.run("step to -5 | get n") == "5")
        #expect(await session.run("expect-error E-STEP-END step back") == "step 1 is the first")
        #expect(await session.run("step next 100 | get n") == "1")
    }

    @Test func walksToACondition() async throws {
        let session = try session()
        await session.run("step count-down 9")
        #expect(await session.run("step to half == 2 | get n") == "4")
        #expect(await session.run("step to --back kind == even and n > 5 | get n") == "6")
        #expect(
            await session.run("expect-error E-STEP-NOTFOUND step to n > 100")
                == "no step after step 4 matches `n > 100`")
        #expect(await session.run("step show | get n") == "6")
        #expect(await session.run("step show --around 1 | count") == "3")
        #expect(await session.result("step to nn > 5").failure?.code == "E-FIELD-UNKNOWN")
    }

    @Test func findsTheFirstDifference() async throws {
        let session = try session()
        await session.run("step count-down 4")
        let difference = await session.run(
            "let d = step differ count-down 5; $d | where value == n | get there")
        #expect(difference == "5")
        #expect(
            await session.run("expect-error E-STEP-NOTFOUND step differ count-down 4")
                == "the two traces are identical, 4 steps long")
    }

    @Test func drawsTheStateAtAStep() async throws {
        let session = try session()
        await session.run("step count-down 4; step next")
        #expect(await session.run("step picture | get text") == "2 steps, last odd")
        await session.run("step back")
        #expect(await session.run("step picture | get text") == "1 steps, last even")
    }

    @Test func aPipelineThatFailsIsWalkedUpToItsFailure() async throws {
        let session = try session()
        #expect(await session.run("let s = step count-down 3 --fails; $s.n") == "3")
        #expect(await session.result("step 1 + 1").failure?.code == "E-STEP-EMPTY")
    }

    @Test func walksThroughATraceFromThePipe() async throws {
        let session = try session()
        await session.run("let t = trace count-down 6")
        #expect(await session.run("$t | where half > 1 | count") == "2")
        #expect(await session.run("$t | step | get n") == "6")
        #expect(await session.run("$t | where kind == even | step | get of") == "3")
        #expect(await session.result("step end; step show").failure?.code == "E-STEP-NONE")
    }
}
