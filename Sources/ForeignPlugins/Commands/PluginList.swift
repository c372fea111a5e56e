import PluginKit

/// `plugin list`
struct PluginList: CommandProvider {
    let host: ForeignHost
    private static let columns = ["plugin", "version", "status", "commands", "folder", "summary"]

    var name: String { "plugin list" }

    var command: Command {
        Command(
            name, "list the external plugins",
            details: """
                Plugins are folders with a plugin.json in $XDG_DATA_HOME/rutter/plugins, or are loaded by `plugin load`. \
                status: loaded, trusted (can be loaded), untrusted (never run), changed (files changed since it \
                was trusted), invalid (the summary states the reason).
                """,
            output: .rows(Self.columns), effect: .reads,
            examples: [.init("those not loaded", "plugin list | where status != loaded")],
            searchTerms: ["extension", "json-rpc"]
        ) { _ in
            .table(
                columns: Self.columns,
                cells: try host.listed().map { plugin in
                    [
                        .text(plugin.name), .text(plugin.version), .text(plugin.status),
                        .integer(plugin.commands),
                        .text(plugin.folder), .text(plugin.summary),
                    ]
                })
        }
    }
}

/// The names of plugins, for completion.
struct PluginNames: CompletionSource {
    static let kind = "foreign-plugin"
    let host: ForeignHost
    var kind: String { Self.kind }

    func words(context: Context) -> [ParameterKind.Choice] { host.names.map { .init($0) } }
}

extension Parameter where T == String {
    /// A plugin by name, or the path of its folder.
    static var foreignPlugin: Parameter<String> {
        .positional("plugin", .text, "name of a plugin, or path of its folder").completing(
            .known(PluginNames.kind))
    }
}
