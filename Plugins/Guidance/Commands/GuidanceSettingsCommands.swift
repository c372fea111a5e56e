import PluginKit

/// `guide settings`
struct GuidanceSettingsCommand: CommandProvider {
    let session: GuidanceSession
    private static let columns = ["setting", "value", "default", "help"]

    var name: String { "guide settings" }

    var command: Command {
        Command(
            name, "list the settings of guidance",
            output: .rows(Self.columns), effect: .pure,
            examples: [
                .init(
                    "the off-route threshold", "guide settings | where setting == offRoute | get value",
                    gives: "50m")
            ], searchTerms: ["threshold", "hysteresis"]
        ) { _ in
            let (present, first) = (session.settings, GuidanceSettings())
            return .table(
                columns: Self.columns,
                cells: SettingsTable.all.map {
                    [.text($0.name), $0.show(present), $0.show(first), .text($0.help)]
                })
        }
    }
}

/// `guide set NAME VALUE`
struct SetGuidance: CommandProvider {
    let session: GuidanceSession

    var name: String { "guide set" }

    var command: Command {
        Command(
            name, "change a setting of guidance for this session",
            details: """
                Walks in progress keep their settings. approaching and atTurn are a length, or a time at the current speed: \
                guide set approaching 60s. matcher app reproduces the app; advance 30m completes instructions as early as the app does.
                """,
            .positional("name", .text, "name of the setting").completing(.known(SettingCompletions.word)),
            .positional("value", .value, "new value, or default"),
            output: .nothing, effect: .pure,
            examples: [
                .init(
                    "an earlier warning",
                    "guide set offRoute 40m; guide settings | where value != default | get setting",
                    gives: "offRoute"),
                .init(
                    "clear must be below offRoute", "expect-error E-GUIDE-SETTING guide set clear 60m",
                    gives: "clear (60m) must not be more than offRoute (50m)"),
            ], searchTerms: ["threshold"]
        ) { _, name, value in
            session.settings = try SettingsTable.changed(
                session.settings, name, to: value)
            return .nothing
        }
    }
}

/// The names of the settings, for completion.
struct SettingCompletions: CompletionSource {
    static let word = "guidanceSetting"
    let kind = SettingCompletions.word

    func words(context: Context) -> [ParameterKind.Choice] {
        SettingsTable.all.map { .init($0.name, $0.help) }
    }
}
