import PluginKit

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
