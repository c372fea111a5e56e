import PluginKit

/// `guide settings`
struct GuidanceSettingsCommand: LegacyCommand {
    let desk: GuidanceDesk
    private static let columns = ["setting", "value", "default", "help"]

    let spec = CommandSpec(
        "guide settings", "lists the thresholds and other settings of guidance", output: .rows(columns),
        effect: .pure,
        examples: [
            .init(
                "when one is off route", "guide settings | where setting == offRoute | get value",
                gives: "50m")
        ], searchTerms: ["threshold", "hysteresis"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let (present, first) = (desk.settings, GuidanceSettings())
        return .table(
            columns: Self.columns,
            cells: SettingsTable.all.map {
                [.text($0.name), $0.show(present), $0.show(first), .text($0.help)]
            })
    }
}

/// `guide set NAME VALUE`
struct SetGuidance: LegacyCommand {
    let desk: GuidanceDesk
    private static let name = Parameter.positional("name", ParameterType<String>.text, "the setting's name")
        .completing(.known(SettingWords.word))
    private static let value = Parameter.positional(
        "value", ParameterType<Value>.value, "its new value, or default")

    let spec = CommandSpec(
        "guide set", "changes a setting of guidance for this session",
        details: """
            Walks that have begun keep their settings. approaching and atTurn take a length, or a time at the present speed: \
            guide set approaching 60s. advance 30m plays the app, in which the at-turn prompt is never heard.
            """,
        parameters: [name.spec, value.spec], output: .nothing, effect: .pure,
        examples: [
            .init(
                "earlier warning",
                "guide set offRoute 40m; guide settings | where value != default | get setting",
                gives: "offRoute"),
            .init(
                "clear must be below offRoute", "expect-error E-GUIDE-SETTING guide set clear 60m",
                gives: "clear (60m) must not be more than offRoute (50m)"),
        ], searchTerms: ["threshold"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        desk.settings = try SettingsTable.changed(
            desk.settings, try arguments[Self.name], to: try arguments[Self.value])
        return .nothing
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
