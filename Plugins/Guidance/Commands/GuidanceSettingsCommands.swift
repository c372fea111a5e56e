import PluginKit

/// `guide settings`
struct GuidanceSettingsCommand: CommandProvider {
    let desk: GuidanceDesk
    private static let columns = ["setting", "value", "default", "help"]

    var command: Command {
        Command(
            "guide settings", "lists the thresholds and other settings of guidance",
            output: .rows(Self.columns), effect: .pure,
            examples: [
                .init(
                    "when one is off route", "guide settings | where setting == offRoute | get value",
                    gives: "50m")
            ], searchTerms: ["threshold", "hysteresis"]
        ) { _ in
            let (present, first) = (desk.settings, GuidanceSettings())
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
    let desk: GuidanceDesk

    var command: Command {
        Command(
            "guide set", "changes a setting of guidance for this session",
            details: """
                Walks that have begun keep their settings. approaching and atTurn take a length, or a time at the present speed: \
                guide set approaching 60s. advance 30m plays the app, in which the at-turn prompt is never heard.
                """,
            .positional("name", .text, "the setting's name").completing(.known(SettingWords.word)),
            .positional("value", .value, "its new value, or default"),
            output: .nothing, effect: .pure,
            examples: [
                .init(
                    "earlier warning",
                    "guide set offRoute 40m; guide settings | where value != default | get setting",
                    gives: "offRoute"),
                .init(
                    "clear must be below offRoute", "expect-error E-GUIDE-SETTING guide set clear 60m",
                    gives: "clear (60m) must not be more than offRoute (50m)"),
            ], searchTerms: ["threshold"]
        ) { _, name, value in
            desk.settings = try SettingsTable.changed(
                desk.settings, name, to: value)
            return .nothing
        }
    }
}

/// The names of the settings, for completion.
struct SettingWords: KnownWords {
    static let word = "guidanceSetting"
    let kind = SettingWords.word

    func words(context: Context) -> [ParameterKind.Choice] {
        SettingsTable.all.map { .init($0.name, $0.help) }
    }
}
