import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import ForeignPlugins

/// The conformance suite finds what a plugin does wrong.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ConformanceTests {
    @Test(arguments: [
        ("good", []), ("wrong-example", ["examples of hostile do"]),
        ("broken-example", ["examples of hostile do"]),
        ("crash", ["examples of hostile do", "refuses an unknown command", "takes 20000 rows"]),
    ])
    func findsFaults(_ mode: String, _ wanted: [String]) async throws {
        let session = try await ForeignSession.hostile(mode)
        let table = try await session.test.value("plugin test hostile")
        await session.test.session.setVariable("t", to: table)
        let failed = await session.test.run("$t | where result == failed | get check")
        for check in wanted { #expect(failed.contains(check), "\(failed)") }
        // The echo does not know its commands' names.
        if mode == "good" { #expect(failed == "refuses an unknown command", "\(failed)") }
        await session.test.session.close()
        #expect(session.leftovers().isEmpty)
    }
}
