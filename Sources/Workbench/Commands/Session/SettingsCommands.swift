import PluginKit

/// `settings`
struct SettingsCommand: CommandProvider {
    let session: SessionHandle
    private static let columns = ["setting", "value", "default", "help"]

    var name: String { "settings" }

    var command: Command {
        Command(
            name, "list the settings and their values",
            output: .rows(Self.columns), effect: .pure,
            examples: [.init("the units", "settings | where setting == units | get value", gives: "metric")]
        ) { _ in
            let session = try session.get()
            var cells: [[Value]] = []
            for setting in await session.settingSpecs {
                cells.append([
                    .text(setting.name), await session.value(of: setting),
                    try await session.settingValue(setting.defaultText, for: setting), .text(setting.help),
                ])
            }
            return .table(columns: Self.columns, cells: cells)
        }
    }
}

/// `set NAME VALUE`
struct SetCommand: CommandProvider {
    let session: SessionHandle

    var name: String { "set" }

    var command: Command {
        Command(
            name, "change a setting of this session",
            details:
                "The value `default` resets it. Settings of plugins begin with the plugin's name: set guidance.off-route 40m.",
            .positional("name", .text, "name of the setting").completing(.settings),
            .positional("value", .words, "new value").completing(.settingValues),
            output: .nothing, effect: .pure,
            examples: [
                .init(
                    "lengths in feet and miles", "set units imperial; 100m | to text", gives: "328.084ft"
                )
            ]
        ) { _, name, value in
            let session = try session.get()
            let specs = await session.settingSpecs
            guard let setting = specs.first(where: { $0.name == name }) else {
                throw SessionErrors.setting(
                    "unknown setting `\(name)`", at: .parameter("name"), fix: "`settings` lists them",
                    suggestion: Suggestion.nearest(to: name, in: specs.map(\.name)))
            }
            do {
                try await session.change(setting, to: value)
            } catch let error as RutterError {
                throw error.located(at: .parameter("value"))
            }
            return .nothing
        }
    }
}
