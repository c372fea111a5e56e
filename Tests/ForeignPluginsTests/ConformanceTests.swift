import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import ForeignPlugins

/// The conformance suite detects faults of a plugin.
@Suite(.serialized, .patient, .timeLimit(.minutes(10)))
struct ConformanceTests {
    @Test(arguments: [
        ("good", []), ("wrong-example", ["examples of hostile do"]),
        ("broken-example", ["examples of hostile do"]),
        ("crash", ["examples of hostile do", "rejects an unknown command", "accepts 20000 rows"]),
    ])
    func findsFaults(_ mode: String, _ wanted: [String]) async throws {
        let session = try await ForeignSession.hostile(mode)
        let table = try await session.test.value("plugin test hostile")
        await session.test.session.setVariable("t", to: table)
        let failed = await session.test.run("$t | where result == failed | get check")
        for check in wanted { #expect(failed.contains(check), "\(failed)") }
        // The echo does not know its commands' names.
        if mode == "good" { #expect(failed == "rejects an unknown command", "\(failed)") }
        await session.test.session.close()
        #expect(session.leftovers().isEmpty)
    }

    /// Parts of a declaration that the examples do not show are tested by `gives`.
    @Test(arguments: [
        (#","gives":"number""#, #"{"value":"x"}"#, "declares the output number and returned text"),
        (
            #","gives":"rows: a b""#, #"{"value":{"$table":{"columns":["a","c"],"rows":[]}}}"#,
            "declares the output rows: a b and returned rows: a c"
        ),
        ("", "5", "the result of `run` is not"),
    ])
    func findsWhatIsNotDeclared(_ gives: String, _ result: String, _ wanted: String) async throws {
        let session = try await ForeignSession.scripted(ForeignSession.command(gives), result: result)
        let table = try await session.test.value("plugin test hostile")
        await session.test.session.setVariable("t", to: table)
        let detail = await session.test.run("$t | where check == 'examples of hostile do' | get detail")
        #expect(detail.contains("`hostile do` fails: error E-PLUGIN-ANSWER"), "\(detail)")
        #expect(detail.contains(wanted), "\(detail)")
        #expect(
            await session.test.run("$t | where check == 'examples of hostile do' | get result") == "failed")
        await session.test.session.close()
    }

    /// The detail is one line with the example, its output and the declaration.
    @Test func saysWhatDiffers() async throws {
        let session = try await ForeignSession.scripted(
            #"{"name":"hostile do","summary":"do it","examples":[{"title":"it","line":"hostile do","gives":"a\nb"}]}"#,
            result: #"{"value":"a\nc"}"#)
        let detail = await session.test.run(
            "plugin test hostile | where result == failed | first 1 | get detail")
        #expect(detail == "`hostile do` line 2 is `c`; `gives` expects `b`")
        await session.test.session.close()
    }
}
