import Core
import Formats
import Foundation
import PluginKit

/// `plugin test`
struct PluginTest: CommandProvider {
    let host: ForeignHost
    private static let columns = ["check", "result", "detail"]

    var name: String { "plugin test" }

    var command: Command {
        Command(
            name, "test whether a plugin follows the protocol",
            details: """
                Starts the plugin and tests its declarations, all examples (in a fresh session), bad input, 20,000 rows \
                (or 1 MB if no command takes rows), cancellation, a crash and shutdown. Rows and cancellation are tested \
                with a command without arguments; an error is a valid answer. result: passed or failed; detail: the reason.
                """,
            .foreignPlugin, output: .rows(Self.columns), effect: .reads,
            examples: [
                .init(
                    "a new plugin", "plugin test tides | where result == failed | count",
                    after: ["plugin new tides", "plugin trust tides | get plugin"], gives: "0")
            ],
            searchTerms: ["conformance"]
        ) { context, name in
            try ForeignHost.checkAllowed(context)
            let plugin = try host.resolve(name, context)
            try plugin.checkTrust()
            let suite = ConformanceSuite(plugin: plugin, host: host, context: context)
            let rows = await suite.run()
            return .table(
                columns: Self.columns,
                cells: rows.map {
                    [
                        .text($0.check), .text($0.failure == nil ? "passed" : "failed"),
                        .text($0.failure ?? ""),
                    ]
                })
        }
    }
}
