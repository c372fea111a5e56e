import PluginKit

/// `plugin list`
struct PluginListCommand: CommandProvider {
    let session: SessionHandle
    private static let columns = ["plugin", "version", "status", "commands", "off", "folder", "summary"]
    private static let builtIn = "built-in"

    var name: String { "plugin list" }

    var command: Command {
        Command(
            name, "list built-in and external plugins",
            details: """
                External plugins are folders with a plugin.json in $XDG_DATA_HOME/rutter/plugins, or are loaded by `plugin load`. \
                status: built-in, loaded, trusted (can be loaded), untrusted (never run), changed (files changed since it was \
                trusted), invalid (the summary states the reason). off: features that are unavailable because a library is not \
                installed.
                """,
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init("what is unavailable", "plugin list | where off != nothing | select plugin off"),
                .init("external ones", "plugin list | where status != '\(Self.builtIn)'"),
            ],
            searchTerms: [
                "commands of a plugin", "what does a plugin add", "extension", "json-rpc", "plugins",
                "libraries",
            ]
        ) { _ in
            let session = try session.get()
            let external = try session.plugins.compactMap { $0 as? any ExtensiblePlugin }.flatMap {
                try $0.installed()
            }
            return .table(
                columns: Self.columns,
                cells: session.plugins.map { plugin in
                    [
                        .text(plugin.name), .text(plugin.version), .text(Self.builtIn),
                        .integer(plugin.commands.count), Self.off(plugin), .nothing, .text(plugin.summary),
                    ]
                }
                    + external.map { plugin in
                        [
                            .text(plugin.name), .text(plugin.version), .text(plugin.status),
                            .integer(plugin.commands), .nothing, .text(plugin.folder), .text(plugin.summary),
                        ]
                    })
        }
    }

    /// Features that are unavailable because a library is not installed.
    private static func off(_ plugin: any Plugin) -> Value {
        let missing = plugin.libraries.filter { !$0.isAvailable }.map { "\($0.feature) (\($0.packages))" }
        return missing.isEmpty ? .nothing : .text(missing.joined(separator: ", "))
    }
}
