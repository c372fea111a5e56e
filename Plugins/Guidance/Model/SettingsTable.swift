import PluginKit

/// A setting of guidance: its name, its display and its change.
struct GuidanceSetting: Sendable {
    let name: String
    let help: String
    let show: @Sendable (GuidanceSettings) -> Value
    /// Changes it to a quantity, number or word; `nil` for an invalid value, which `validValues` describes.
    let change: @Sendable (GuidanceSettings, Value) -> GuidanceSettings?
    /// The valid values, for messages.
    let validValues: String

    /// The correction of a number without a unit: `write 50m`.
    func correction(_ value: Value) -> String? {
        guard let number = value.asNumber, case .quantity(let shown) = show(GuidanceSettings()) else {
            return nil
        }
        return "write \(Literal.quantity(Quantity(number, shown.dimension)))"
    }
}

/// All settings of guidance.
enum SettingsTable {
    static let all: [GuidanceSetting] = [
        length(
            "offRoute", \.offRoute, 1...100_000, "distance from the line beyond which the walk is off route"),
        length("clear", \.clear, 1...100_000, "distance from the line below which it is on route again"),
        duration(
            "offRouteFor", \.offRouteFor, 0...3600,
            "time beyond offRoute before the route counts as left"),
        duration(
            "wrongWayAfter", \.wrongWayAfter, 1...3600, "time in the wrong direction before the warning"),
        prompt("approaching", \.approaching, "distance at which a turn is announced"),
        prompt("atTurn", \.atTurn, "distance at which the turn is due"),
        length("arrived", \.arrived, 1...100_000, "remaining distance that counts as arrival"),
        length(
            "advance", \.advance, 0...10_000,
            "distance before its point at which an instruction is completed; 0m: once passed"),
        word("matcher", \.matcher, "method that matches a position to the line"),
        length("windowBack", \.windowBack, 1...100_000, "length of line searched behind the last match"),
        length(
            "windowAhead", \.windowAhead, 1...100_000,
            "length of line searched ahead, per 10 s without a fix"),
        length(
            "backLimit", \.backLimit, 0...10_000,
            "maximum cost of a match behind, as a distance from the line"),
        number(
            "travelWeight", \.travelWeight, 0...10,
            "cost of a metre along the line, relative to a metre beside it"
        ),
        whole("lag", \.lag, 0...100, "fixes after which the Markov matcher settles a match"),
        length("sigma", \.sigma, 0.1...10_000, "standard deviation of fixes without an accuracy"),
        length(
            "beta", \.beta, 0.1...10_000,
            "scale of the difference between distance along the line and straight distance"),
        word("reroute", \.reroute, "kind of new route planned off route"),
        duration("rerouteAfter", \.rerouteAfter, 0...86_400, "time off route before a new route is planned"),
    ]

    /// The settings with one changed. Throws `E-GUIDE-SETTING`.
    static func changed(
        _ settings: GuidanceSettings, _ name: String, to value: Value
    ) throws(RutterError) -> GuidanceSettings {
        try checked(unchecked(settings, name, to: value))
    }

    /// The settings with one changed, without checking consistency.
    private static func unchecked(
        _ settings: GuidanceSettings, _ name: String, to value: Value
    ) throws(RutterError) -> GuidanceSettings {
        guard let setting = all.first(where: { $0.name == name }) else {
            throw GuidanceErrors.setting(
                "unknown guidance setting `\(name)`", at: .parameter("name"),
                fix: "`guide settings` lists them",
                suggestion: Suggestion.nearest(to: name, in: all.map(\.name)))
        }
        if case .text("default") = value {
            return setting.change(settings, setting.show(GuidanceSettings())) ?? settings
        }
        guard let changed = setting.change(settings, value) else {
            throw GuidanceErrors.setting(
                "`\(name)` must be \(setting.validValues)", at: .parameter("value"),
                fix: setting.correction(value) ?? "write `default` to reset it")
        }
        return changed
    }

    /// The settings with changes written `name=value`, separated by spaces, in any order; consistency is
    /// checked after all changes. Throws `E-GUIDE-SETTING` at `--with`.
    static func changed(_ settings: GuidanceSettings, by text: String) throws(RutterError) -> GuidanceSettings
    {
        var changed = settings
        for word in text.split(whereSeparator: \.isWhitespace) {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                throw GuidanceErrors.setting(
                    "`\(word)` is not NAME=VALUE", at: .parameter("with"), fix: "offRoute=40m")
            }
            do {
                changed = try unchecked(changed, String(parts[0]), to: written(parts[1]))
            } catch {
                throw error.moved(to: "with")
            }
        }
        do { return try checked(changed) } catch { throw error.moved(to: "with") }
    }

    private static func written(_ text: Substring) -> Value {
        if let quantity = Quantity(written: text) { return .quantity(quantity) }
        return Double(text).map(Value.number) ?? .text(String(text))
    }

    /// The settings, if they are consistent.
    private static func checked(_ settings: GuidanceSettings) throws(RutterError) -> GuidanceSettings {
        guard settings.clear <= settings.offRoute else {
            throw GuidanceErrors.setting(
                "clear (\(shown(settings.clear))) must not be more than offRoute (\(shown(settings.offRoute)))",
                at: .parameter("value"),
                fix: "lower clear or raise offRoute; the gap between them prevents repeated warnings")
        }
        if case .metres(let far) = settings.approaching, case .metres(let near) = settings.atTurn, near > far
        {
            throw GuidanceErrors.setting(
                "atTurn (\(shown(near))) must not be more than approaching (\(shown(far)))",
                at: .parameter("value"))
        }
        return settings
    }

    private static func shown(_ metres: Double) -> String { Literal.quantity(.metres(metres)) }

    // MARK: Kinds

    private typealias Path<T> = WritableKeyPath<GuidanceSettings, T> & Sendable

    private static func length(
        _ name: String, _ path: Path<Double>, _ range: ClosedRange<Double>, _ help: String
    ) -> GuidanceSetting {
        quantity(name, path, .length, range, help)
    }

    private static func duration(
        _ name: String, _ path: Path<Double>, _ range: ClosedRange<Double>, _ help: String
    ) -> GuidanceSetting {
        quantity(name, path, .duration, range, help)
    }

    private static func quantity(
        _ name: String, _ path: Path<Double>, _ dimension: PhysicalDimension, _ range: ClosedRange<Double>,
        _ help: String
    ) -> GuidanceSetting {
        let bounds = [range.lowerBound, range.upperBound].map {
            Literal.quantity(Quantity($0, dimension))
        }
        return GuidanceSetting(
            name: name, help: help, show: { .quantity(Quantity($0[keyPath: path], dimension)) },
            change: { settings, value in
                guard case .quantity(let given) = value, given.dimension == dimension,
                    range.contains(given.value)
                else { return nil }
                return settings.with(path, given.value)
            }, validValues: "a \(dimension.name) from \(bounds[0]) to \(bounds[1])")
    }

    private static func prompt(_ name: String, _ path: Path<PromptDistance>, _ help: String)
        -> GuidanceSetting
    {
        let metres = 0.0...100_000
        let seconds = 0.0...86_400
        return GuidanceSetting(
            name: name, help: help,
            show: { settings in
                switch settings[keyPath: path] {
                case .metres(let value): .quantity(Quantity(value, .length))
                case .seconds(let value): .quantity(Quantity(value, .duration))
                }
            },
            change: { settings, value in
                guard case .quantity(let given) = value else { return nil }
                switch given.dimension {
                case .length where metres.contains(given.value):
                    return settings.with(path, .metres(given.value))
                case .duration where seconds.contains(given.value):
                    return settings.with(path, .seconds(given.value))
                default: return nil
                }
            }, validValues: "a length such as 80m, or a time at the current speed such as 20s")
    }

    private static func number(
        _ name: String, _ path: Path<Double>, _ range: ClosedRange<Double>, _ help: String
    ) -> GuidanceSetting {
        GuidanceSetting(
            name: name, help: help, show: { .number($0[keyPath: path]) },
            change: { settings, value in
                guard let given = value.asNumber, range.contains(given) else { return nil }
                return settings.with(path, given)
            },
            validValues:
                "a number from \(Literal.number(range.lowerBound)) to \(Literal.number(range.upperBound))")
    }

    private static func whole(
        _ name: String, _ path: Path<Int>, _ range: ClosedRange<Int>, _ help: String
    ) -> GuidanceSetting {
        GuidanceSetting(
            name: name, help: help, show: { .integer($0[keyPath: path]) },
            change: { settings, value in
                guard let given = value.asNumber, let whole = Int(exactly: given), range.contains(whole)
                else { return nil }
                return settings.with(path, whole)
            }, validValues: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }

    private static func word<T: CaseIterable & RawRepresentable<String> & Sendable>(
        _ name: String, _ path: Path<T>, _ help: String
    ) -> GuidanceSetting {
        GuidanceSetting(
            name: name, help: help, show: { .text($0[keyPath: path].rawValue) },
            change: { settings, value in
                guard case .text(let text) = value, let item = T(rawValue: text) else { return nil }
                return settings.with(path, item)
            }, validValues: "one of \(T.allCases.map(\.rawValue).joined(separator: ", "))")
    }
}

extension GuidanceSettings {
    fileprivate func with<T>(_ path: WritableKeyPath<GuidanceSettings, T>, _ value: T) -> GuidanceSettings {
        var copy = self
        copy[keyPath: path] = value
        return copy
    }
}

extension RutterError {
    /// The same error at another parameter.
    fileprivate func moved(to parameter: String) -> RutterError {
        var copy = self
        copy.place = .parameter(parameter)
        return copy
    }
}
