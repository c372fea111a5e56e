import PluginKit

/// `set [NAME [VALUE]]`
struct SetCommand: CommandProvider {
    let session: SessionHandle
    private static let columns = ["setting", "value", "default", "help"]

    var name: String { "set" }

    var command: Command {
        Command(
            name, "show or change the settings of this session",
            details: """
                Without a value it lists the settings, or those whose name begins with the word: set guidance. `default` \
                returns a setting to its default. A setting lasts until the session ends; with --save also in later ones: it is written to \
                the start-up file, which `config show` shows. Settings of plugins are named by their area: set guidance.off-route 40m. The value \
                may be that of a variable, so that a sweep can try several: sweep limit [30m 50m] { set guidance.off-route $limit; … }
                """,
            .optional("name", .text, "name of the setting").completing(.settings),
            .optional("value", .words, "new value, or default").completing(.settingValues),
            .flag("save", "also set it at each start of the prompt"),
            output: .rows(Self.columns), effect: .pure,
            examples: [
                .init(
                    "lengths in feet and miles", "set units imperial; 100m | to text", gives: "328.084ft"),
                .init("the units", "set units | get value", gives: "metric"),
                .init(
                    "several, one after the other",
                    "sweep system ['imperial' 'metric'] { set units $system; 100m | to text } | get result",
                    gives: "328.084ft\n100m"),
                .init("all of them", "set | where setting == units | get default", gives: "metric"),
            ],
            searchTerms: [
                "width of tables", "wider tables", "feet and miles", "turn off colours",
                "change a setting", "colours",
                "settings", "configure", "configuration", "preferences", "reset", "units", "miles",
                "imperial", "colour", "theme", "dark mode", "no colors", "language", "locale",
                "time zone", "dark", "screen width", "use miles", "use feet", "miles instead of kilometres",
                "switch to miles", "display units",
            ]
        ) { _, name, value, isSaved in
            let session = try session.get()
            let specs = await session.settingSpecs
            guard let name, let value else { return try await Self.list(specs, name, session) }
            guard let setting = specs.first(where: { $0.name == name }) else {
                throw Self.unknown(name, among: specs)
            }
            let text = try await Self.text(of: value, session)
            let file = isSaved ? try await StartFile(of: session) : nil
            do {
                try await session.change(setting, to: text == "default" ? setting.defaultText : text)
                try file?.save(setting.name, text == "default" ? nil : text)
            } catch let error as RutterError {
                throw error.located(at: .parameter("value"))
            }
            return .nothing
        }
    }

    /// The value as typed, or that of the variable that it names. What is no variable is as it was typed.
    private static func text(of value: String, _ session: Session) async throws -> String {
        guard value.hasPrefix("$"), let variable = await session.variable(String(value.dropFirst())) else {
            return value
        }
        switch variable {
        case .text(let text): return text
        case .boolean(let flag): return flag ? "true" : "false"
        case .integer(let number): return String(number)
        case .number(let number): return Literal.number(number)
        case .quantity(let quantity): return Literal.quantity(quantity)
        default:
            throw CommonErrors.inputKind(
                "\(value) is no value of a setting, but \(variable.kindName)", at: .parameter("value"))
        }
    }

    /// The settings of a name or an area, or all.
    private static func list(
        _ specs: [SettingSpec], _ name: String?, _ session: Session
    ) async throws -> Value {
        let chosen = specs.filter { name == nil || $0.name == name || $0.name.hasPrefix("\(name ?? "").") }
        if let name, chosen.isEmpty { throw unknown(name, among: specs) }
        var cells: [[Value]] = []
        for setting in chosen {
            cells.append([
                .text(setting.name), await session.value(of: setting),
                try await session.settingValue(setting.defaultText, for: setting), .text(setting.help),
            ])
        }
        return .table(columns: columns, cells: cells)
    }

    /// The only setting with a word in its name: `zone` for `timezone`.
    private static func onlyOne(containing word: String, _ specs: [SettingSpec]) -> String? {
        let found = specs.filter { $0.name.contains(word.lowercased()) }
        return found.count == 1 ? found[0].name : nil
    }

    private static func unknown(_ name: String, among specs: [SettingSpec]) -> RutterError {
        SessionErrors.setting(
            "unknown setting `\(name)`", at: .parameter("name"), fix: "`set` lists them",
            suggestion: Suggestion.nearest(to: name, in: specs.map(\.name))
                ?? onlyOne(containing: name, specs))
    }
}
