import PluginKit

/// `plugin list`
struct PluginList: CommandProvider {
    let host: ForeignHost
    private static let columns = ["plugin", "version", "status", "commands", "folder", "summary"]

    var name: String { "plugin list" }

    var command: Command {
        Command(
            name, "list the plugins of others",
            details: """
                Plugins lie in $XDG_DATA_HOME/rutter/plugins, a folder each with a plugin.json, or are loaded by `plugin load`. \
                status: loaded, trusted (its commands can be loaded), untrusted (it never ran), changed (files changed since it \
                was trusted), invalid (the summary says why).
                """,
            output: .rows(Self.columns), effect: .reads,
            examples: [.init("those that do not run", "plugin list | where status != loaded")],
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
