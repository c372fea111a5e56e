import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import Workbench

/// Whatever is typed, the session answers within a second with a value or an error of a known kind.
///
/// `RUTTER_FUZZ_ENTRIES=100000` tries that many; `RUTTER_FUZZ_SECONDS=60` runs it for that long, from a seed that is
/// printed; `RUTTER_FUZZ_SEED` repeats one.
@Suite(.serialized) struct FuzzTests {
    static let entries = 3000
    static let entriesOfSession = 300
    static let limit = Duration.seconds(1)

    @Test("nothing that is typed crashes, hangs or fails in an unknown way")
    func fuzz() async throws {
        let variables = ProcessInfo.processInfo.environment
        let seconds = variables["RUTTER_FUZZ_SECONDS"].flatMap(Double.init)
        let entries = variables["RUTTER_FUZZ_ENTRIES"].flatMap(Int.init) ?? Self.entries
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
        while seconds == nil ? count < entries : clock.now < end {
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
        if seconds != nil { print("fuzzed \(count) entries") }
    }

    /// A long entry by its name; the entry itself would fill the log of the tests.
    struct LongEntry: Sendable, CustomTestStringConvertible {
        var name: String
        var entry: String
        var testDescription: String { name }

        init(_ name: String, _ parts: (String, Int)...) {
            self.name = name
            entry = parts.map { String(repeating: $0.0, count: $0.1) }.joined()
        }
    }

    static let long = [
        LongEntry("sum", ("1+", 100_000), ("1", 1)),
        LongEntry("comparisons", ("1 == 1 and ", 10_000), ("2 == 2", 1)),
        LongEntry("path", ("$x", 1), (".a", 200_000)),
        LongEntry("indexes", ("$x", 1), ("[0]", 30_000)),
        LongEntry("duration", ("1h", 200_000)),
        LongEntry("word", ("x", 1_000_000)),
        LongEntry("number", ("9", 1_000_000)),
        LongEntry("open quote", ("\"", 1), ("a", 1_000_000)),
        LongEntry("quotes", ("\"a\" ", 250_000)),
        LongEntry("signs", ("-", 1_000_000)),
        LongEntry("open brackets", ("(", 1_000_000)),
        LongEntry("brackets", ("(", 99), ("1", 1), (")", 99)),
        LongEntry("open lists", ("[", 1_000_000)),
        LongEntry("list", ("[", 1), ("a ", 50_000), ("] | count", 1)),
        LongEntry("words", ("first ", 1), ("a ", 50_000)),
        LongEntry("nested lets", ("let a=", 100_000), ("1", 1)),
        LongEntry("nots", ("(", 1), ("not ", 250_000), ("true)", 1)),
        LongEntry("controls", ("\u{1B}[31m", 200_000)),
        LongEntry("combining", ("'", 1), ("e\u{301}", 300_000), ("' + 1", 1)),
        LongEntry("interpolations", ("\"", 1), ("${x} ", 30_000), ("\" == 'a'", 1)),
        LongEntry("lines", ("\n", 1_000_000), ("1 + 'a'", 1)),
        LongEntry("comments", ("# a\n", 250_000)),
        LongEntry("continued", ("1", 1), (" \\\n", 300_000)),
        LongEntry("pipes", ("[1]", 1), ("|first 1", 100), (" | count", 1)),
        LongEntry("missing field", ("(", 1), ("y", 1_000_000), (")", 1)),
        LongEntry("missing reference", ("@", 1), ("y", 1_000_000)),
    ]

    @Test(
        "long entries take time in proportion to their length, and no deep stack", .timeLimit(.minutes(10)),
        arguments: long)
    func longEntries(long: LongEntry) async throws {
        let session = try TestSession(plugins: { [HutPlugin()] })
        await session.run("let x = [[1]]")
        // What grew with the square of the length would take hours.
        _ = Completeness.isIncomplete(long.entry)
        let result = await session.result(long.entry)
        #expect(result.failure?.code != "E-INTERNAL")
        if let failure = result.failure {
            let shown = ErrorRenderer(color: false).text(failure, entry: long.entry)
            #expect(shown.utf8.count < 20_000)
        }
    }

    @Test(
        "a value doubled again and again ends in an error or a short text, not in a hang",
        .timeLimit(.minutes(10)))
    func doubling() async throws {
        let session = try TestSession()
        await session.run("let l = [1 2]; let t = 'abcdefgh'")
        for _ in 0..<45 { await session.run("let t = \"$t$t\"") }
        // From the 21st on, the list is refused after its contents are counted, and stays unchanged.
        for _ in 0..<23 { await session.run("let l = [$l $l]") }
        #expect(await session.result("let l = [$l $l]").failure?.code == "E-TYPE")
        #expect(await session.run("$l").utf8.count < 2000)
        #expect(await session.result("$t + $t").failure?.code == "E-TYPE")
    }

    @Test(
        "patterns that go back and forth are given up", .timeLimit(.minutes(10)),
        arguments: ["(a+)+$", "(a|aa)+$", "(.*)*x", "(a*)*b$", "^(([a-z])+.)+[A-Z]([a-z])+$"])
    func patterns(pattern: String) async throws {
        let session = try TestSession()
        let text = String(repeating: "a", count: 5000)
        let result = await session.result("'\(text)!' =~ '\(pattern)'")
        #expect(result.failure == nil || result.failure?.code == "E-PATTERN")
    }
}
