import Foundation
import Notebooks
import PluginKit

extension Session {
    /// Sets a variable. Piped streams are stored unevaluated and run again at each use.
    public func setVariable(_ name: String, to value: Value) {
        // Error locations in a stream refer to this entry, not to those that use the variable.
        variables[name] = value.mappingStreamErrors { error in
            var copy = error
            if case .span = error.place { copy.place = .none }
            return copy
        }
    }

    /// The value of a variable.
    public func variable(_ name: String) -> Value? { variables[name] }

    /// The syntax error of an entry, without running it; `nil` if there is none.
    public func syntaxError(in entry: String) -> RutterError? {
        do {
            _ = try parse(entry)
            return nil
        } catch {
            return error
        }
    }

    /// The names of the variables in alphabetical order.
    var variableNames: [String] { variables.keys.sorted() }

    /// All error kinds of this session by code, without duplicates.
    var errorKinds: [ErrorKind] {
        var known: Set<String> = []
        let all = HostCommands.errors + plugins.flatMap(\.errors) + catalog.extensions.flatMap(\.errors)
        return all.filter { known.insert($0.code).inserted }
            .sorted { $0.code < $1.code }
    }

    /// The current environment for parsing and printing values.
    public var presentEnvironment: PluginKit.Environment { environment }

    /// How a notebook of this session prints: without colour, and as wide as at the start or as `set width` says, whatever
    /// the size of the terminal is by now.
    var recordedEnvironment: PluginKit.Environment {
        var plain = environment
        plain.width = recordedWidth
        plain.height = PluginKit.Environment.notebook.height
        (plain.color, plain.isInteractive, plain.isPipe, plain.usesPager) = (false, false, false, false)
        (plain.pictures, plain.linksFiles) = (.text, false)
        return plain
    }

    /// Fits the session to a terminal of another size.
    public func resize(width: Int, height: Int) {
        environment.width = width
        environment.height = height
    }

    /// The coverage so far of commands, options and error codes.
    var coverageReport: CoverageReport {
        var report = CoverageReport()
        report.commands = .init(used: usage.commands, known: Set(registry.names))
        let flags = registry.entries.flatMap { entry in
            entry.command.spec.options.map { "\(entry.command.spec.name) --\($0.name)" }
        }
        report.flags = .init(used: usage.options, known: Set(flags))
        report.errorCodes = .init(used: usage.errors, known: Set(errorKinds.map(\.code)))
        return report
    }

    /// Returns when no plugin serves the session to other programs.
    public nonisolated func untilServed() async {
        for plugin in plugins {
            for case let serving as any Serving in plugin.capabilities { await serving.untilStopped() }
        }
    }

    // MARK: Settings

    /// All settings: the host's, then those of the plugins.
    var settingSpecs: [SettingSpec] { HostSettings.all + plugins.flatMap(\.settings) }

    /// The index of help for the present commands and settings.
    var helpSearch: HelpSearch { catalog.search(settings: settingSpecs) }

    func value(of setting: SettingSpec) -> Value {
        if setting.name == "color", let plainColor { return .boolean(plainColor) }
        return HostSettings.value(of: setting.name, in: environment) ?? pluginSettings[setting.name]
            ?? .nothing
    }

    func change(_ setting: SettingSpec, to text: String) async throws {
        let value = try await settingValue(text == "default" ? setting.defaultText : text, for: setting)
        if setting.name == "width", case .integer(let width) = value { recordedWidth = width }
        if configuration.isPlain, setting.name == "color", case .boolean(let flag) = value {
            plainColor = flag
            return
        }
        if try !HostSettings.apply(value, to: setting.name, in: &environment) {
            var changed = pluginSettings
            changed[setting.name] = value
            try setting.check(changed)
            pluginSettings = changed
        }
    }
}

/// The settings of the host, which are part of the environment.
enum HostSettings {
    private static let widths = 20...1000

    static let all = [
        SettingSpec(
            "units", .choice(UnitSystem.allCases.map { .init($0.rawValue) }), default: "metric",
            "units of lengths in output"),
        SettingSpec("timezone", .text, default: "UTC", "time zone of input and output"),
        SettingSpec("width", .integer(widths), default: "80", "columns of tables and pictures"),
        SettingSpec("color", .boolean, default: "false", "use colour"),
        SettingSpec(
            "view", .choice(PluginKit.Environment.View.allCases.map { .init($0.rawValue) }), default: "table",
            "layout of rows: table, record or wide"),
        SettingSpec(
            "theme", .choice(PluginKit.Environment.Theme.allCases.map { .init($0.rawValue) }),
            default: "terminal", "colours of the prompt; mono has none"),
        SettingSpec(
            "pictures", .choice(PluginKit.Environment.PictureProtocol.allCases.map { .init($0.rawValue) }),
            default: "text", "pictures at the prompt; the start chooses what the terminal can"),
        SettingSpec("links", .boolean, default: "false", "link the files that the prompt names"),
        SettingSpec("pager", .boolean, default: "false", "show long results page by page"),
        SettingSpec(
            "rows.limit", .integer(1000...1_000_000_000), default: String(RowLimit.standard.rows),
            "maximum number of rows that a command keeps in memory"),
        SettingSpec(
            "unicode", .boolean, default: "true", "use braille and other Unicode characters in pictures"),
    ]

    static func value(of name: String, in environment: PluginKit.Environment) -> Value? {
        switch name {
        case "units": .text(environment.units.rawValue)
        case "timezone": .text(environment.timeZone.displayName)
        case "width": .integer(environment.width)
        case "color": .boolean(environment.color)
        case "view": .text(environment.view.rawValue)
        case "pager": .boolean(environment.usesPager)
        case "theme": .text(environment.theme.rawValue)
        case "pictures": .text(environment.pictures.rawValue)
        case "links": .boolean(environment.linksFiles)
        case "rows.limit": .integer(environment.rowLimit.rows)
        case "unicode": .boolean(environment.unicode)
        default: nil
        }
    }

    /// The time zone of a city by its name alone, else the one with nearly the name.
    private static func nearestZone(to text: String) -> String? {
        let zones = TimeZone.knownTimeZoneIdentifiers.filter { $0.contains("/") }
        let name = text.split(separator: ",").first.map(String.init) ?? text
        let city = name.trimmingCharacters(in: .whitespaces).replacing(" ", with: "_").lowercased()
        return zones.first { $0.lowercased().hasSuffix("/" + city) }
            ?? Suggestion.nearest(to: text, in: zones)
    }

    /// Applies a value; `false` when the setting is not one of the host's.
    static func apply(_ value: Value, to name: String, in environment: inout PluginKit.Environment) throws
        -> Bool
    {
        switch (name, value) {
        case ("units", .text(let text)): environment.units = UnitSystem(rawValue: text) ?? .metric
        case ("timezone", .text(let text)):
            guard let zone = TimeZone(databaseName: text) else {
                throw LanguageErrors.choice(
                    "`\(text)` is not a time zone",
                    fix: "use a name of the tz database, such as Europe/Zurich",
                    suggestion: nearestZone(to: text))
            }
            environment.timeZone = zone
        case ("width", .integer(let width)): environment.width = width
        case ("color", .boolean(let flag)): environment.color = flag
        case ("view", .text(let text)): environment.view = .init(rawValue: text) ?? .table
        case ("pager", .boolean(let flag)): environment.usesPager = flag
        case ("theme", .text(let text)): environment.theme = .init(rawValue: text) ?? .terminal
        case ("pictures", .text(let text)): environment.pictures = .init(rawValue: text) ?? .text
        case ("links", .boolean(let flag)): environment.linksFiles = flag
        case ("rows.limit", .integer(let rows)): environment.rowLimit = RowLimit(rows: rows)
        case ("unicode", .boolean(let flag)): environment.unicode = flag
        default: return false
        }
        return true
    }
}
