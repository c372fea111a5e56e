import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import Workbench

/// Whatever is typed, the session answers within a second with a value or an error of a known kind.
///
/// `RUTTER_FUZZ_SECONDS=60` runs it for that long, from a seed that is printed; `RUTTER_FUZZ_SEED` repeats one.
@Suite(.serialized) struct FuzzTests {
    static let entries = 3000
    static let entriesOfSession = 300
    static let limit = Duration.seconds(1)

    @Test("nothing that is typed crashes, hangs or fails in an unknown way")
    func fuzz() async throws {
        let variables = ProcessInfo.processInfo.environment
        let seconds = variables["RUTTER_FUZZ_SECONDS"].flatMap(Double.init)
        let seed =
            variables["RUTTER_FUZZ_SEED"].flatMap(UInt64.init)
            ?? (seconds == nil ? 42 : .random(in: 1...9_999_999))
        if seconds != nil { print("fuzzing from seed \(seed)") }
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds ?? 0)
        var fuzzer = LanguageFuzzer(seed: seed)
        var count = 0
        var session = try TestSession(plugins: { [HutPlugin()] })
        var codes = Set(await session.session.errorKinds.map(\.code))
        codes.remove("E-INTERNAL")
        while seconds == nil ? count < Self.entries : clock.now < end {
            if count % Self.entriesOfSession == 0 {
                session = try TestSession(plugins: { [HutPlugin()] })
                await session.run("let x = [1 2 3]")
            }
            count += 1
            let entry = fuzzer.entry()
            let start = clock.now
            let isIncomplete = Completeness.isIncomplete(entry)
            let result = await session.result(entry)
            #expect(clock.now - start < Self.limit, "slow: \(entry.debugDescription)")
            guard let failure = result.failure else {
                #expect(!isIncomplete, "incomplete, yet it ran: \(entry.debugDescription)")
                continue
            }
            #expect(codes.contains(failure.code), "\(failure.code) of \(entry.debugDescription)")
            if failure.code == "E-SYNTAX-UNFINISHED" {
                #expect(isIncomplete, "unfinished, yet complete: \(entry.debugDescription)")
            }
            if case .span(let span) = failure.place {
                #expect(span.end <= entry.utf8.count, "place beyond the end: \(entry.debugDescription)")
            }
            let controls = await session.run(entry).unicodeScalars.filter {
                $0.value < 32 && $0 != "\n" && $0 != "\t"
            }
            #expect(controls.isEmpty, "control characters shown: \(entry.debugDescription)")
        }
    }

    /// Entries of about a megabyte; each must be handled in time that grows with its length.
    static let long: [(name: String, entry: String)] = [
        ("sum", Array(repeating: "1", count: 100_000).joined(separator: "+")),
        ("comparison", "1 == 1" + String(repeating: " and 1 == 1", count: 80_000)),
        ("path", "$x" + String(repeating: ".a", count: 500_000)),
        ("indexes", "$x" + String(repeating: "[0]", count: 300_000)),
        ("duration", String(repeating: "1h", count: 500_000)),
        ("word", String(repeating: "x", count: 1_000_000)),
        ("number", String(repeating: "9", count: 1_000_000)),
        ("open quote", "\"" + String(repeating: "a", count: 1_000_000)),
        ("quotes", String(repeating: "\"a\" ", count: 250_000)),
        ("signs", String(repeating: "-", count: 1_000_000)),
        ("brackets", String(repeating: "(", count: 1_000_000)),
        ("closed brackets", String(repeating: "(", count: 99) + "1" + String(repeating: ")", count: 99)),
        ("lists", String(repeating: "[", count: 1_000_000)),
        ("list", "[" + String(repeating: "a ", count: 200_000) + "] | count"),
        ("words", "first " + String(repeating: "a ", count: 500_000)),
        ("nested lets", String(repeating: "let a=", count: 100_000) + "1"),
        ("nots", "(" + String(repeating: "not ", count: 250_000) + "true)"),
        ("controls", String(repeating: "\u{1B}[31m", count: 200_000)),
        ("combining", "'" + String(repeating: "e\u{301}", count: 300_000) + "' + 1"),
        ("interpolations", "\"" + String(repeating: "${x} ", count: 100_000) + "\" == 'a'"),
        ("lines", String(repeating: "\n", count: 1_000_000) + "1 + 'a'"),
        ("comments", String(repeating: "# a\n", count: 250_000)),
        ("continued", "1" + String(repeating: " \\\n", count: 300_000)),
        ("pipes", "[1]" + String(repeating: "|first 1", count: 100) + " | count"),
        ("missing field", "(" + String(repeating: "y", count: 1_000_000) + ")"),
        ("missing reference", "@" + String(repeating: "y", count: 1_000_000)),
    ]

    @Test("long entries take time in proportion to their length, and no deep stack", arguments: long)
    func longEntries(name: String, entry: String) async throws {
        let session = try TestSession(plugins: { [HutPlugin()] })
        await session.run("let x = [[1]]")
        let clock = ContinuousClock()
        let start = clock.now
        _ = Completeness.isIncomplete(entry)
        let result = await session.result(entry)
        // Debug builds are some twenty times slower than released ones.
        #expect(clock.now - start < .seconds(5), "\(name)")
        #expect(result.failure?.code != "E-INTERNAL")
        let shown = await session.run(entry + " ")
        #expect(result.failure == nil || shown.utf8.count < 20_000, "\(name)")
    }

    @Test("a value doubled again and again ends in an error or a short text, not in a hang")
    func doubling() async throws {
        let session = try TestSession()
        await session.run("let l = [1 2]; let t = 'abcdefgh'")
        for _ in 0..<45 {
            await session.run("let l = [$l $l]")
            await session.run("let t = \"$t$t\"")
        }
        #expect(await session.run("$l").utf8.count < 2000)
        let clock = ContinuousClock()
        let start = clock.now
        #expect(await session.result("$t + $t").failure?.code == "E-TYPE")
        #expect(clock.now - start < .seconds(1))
    }

    @Test(
        "patterns that go back and forth are given up",
        arguments: ["(a+)+$", "(a|aa)+$", "(.*)*x", "(a*)*b$", "^(([a-z])+.)+[A-Z]([a-z])+$"])
    func patterns(pattern: String) async throws {
        let session = try TestSession()
        let clock = ContinuousClock()
        let start = clock.now
        let text = String(repeating: "a", count: 5000)
        let result = await session.result("'\(text)!' =~ '\(pattern)'")
        #expect(clock.now - start < .seconds(3))
        #expect(result.failure == nil || result.failure?.code == "E-PATTERN")
    }
}
