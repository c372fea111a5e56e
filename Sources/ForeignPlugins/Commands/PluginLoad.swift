import PluginKit

/// `plugin load`
struct PluginLoad: CommandProvider {
    let host: ForeignHost

    var name: String { "plugin load" }

    var command: Command {
        Command(
            name, "add the commands of a plugin to this session",
            details: """
                The plugin must be trusted. Trusted plugins installed in $XDG_DATA_HOME/rutter/plugins are loaded \
                automatically. The program starts when one of its commands first runs.
                """,
            .foreignPlugin, output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "a plugin that is not trusted yet", "expect-error E-PLUGIN-UNTRUSTED plugin load tides",
                    after: ["plugin new tides"])
            ], searchTerms: ["add a plugin", "install a plugin", "enable a plugin"]
        ) { context, name in
            try ForeignHost.checkAllowed(context)
            let plugin = try host.resolve(name, context)
            try await host.load(plugin)
            return .text("loaded \(plugin.name) \(plugin.manifest.version)")
        }.changingCommands
    }
}

/// `plugin unload`
struct PluginUnload: CommandProvider {
    let host: ForeignHost

    var name: String { "plugin unload" }

    var command: Command {
        Command(
            name, "stop a plugin and remove its commands from this session",
            .positional("plugin", .text, "name of a plugin").completing(.known(PluginNames.kind)),
            output: .value("text"), effect: .changes,
            examples: [
                .init("a plugin that is not loaded", "expect-error E-PLUGIN-UNKNOWN plugin unload tides")
            ], searchTerms: ["remove a plugin", "disable a plugin"]
        ) { _, name in
            try await host.unload(name)
            return .text("unloaded \(name)")
        }.changingCommands
    }
}
