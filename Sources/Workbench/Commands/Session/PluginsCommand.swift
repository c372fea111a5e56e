import PluginKit

/// `plugins`
struct PluginsCommand: CommandProvider {
    let session: SessionHandle
    private static let columns = ["plugin", "version", "commands", "off", "summary"]

    var name: String { "plugins" }

    var command: Command {
        Command(
            name, "list the plugins of this session",
            output: .rows(Self.columns), effect: .pure,
            examples: [.init("all of them", "plugins")]
        ) { _ in
            let session = try session.get()
            let others = session.catalog.extensions.map { other in
                [
                    Value.text(other.name), .text(other.version), .integer(other.commands.count), .text(""),
                    .text(other.summary),
                ]
            }
            return .table(
                columns: Self.columns,
                cells: session.plugins.map { plugin in
                    [
                        .text(plugin.name), .text(plugin.version), .integer(plugin.commands.count),
                        .text(Self.off(plugin)), .text(plugin.summary),
                    ]
                } + others)
        }
    }

    /// Features that are unavailable because a library is not installed.
    private static func off(_ plugin: any Plugin) -> String {
        plugin.libraries.filter { !$0.isAvailable }.map { "\($0.feature) (\($0.packages))" }
            .joined(separator: ", ")
    }
}
