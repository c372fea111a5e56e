import PluginKit

/// A setting of guidance: its name, its kind, and the property that it sets.
struct GuidanceSetting: Sendable {
    /// The name after `guidance.`.
    let name: String
    let kind: ParameterKind
    let help: String
    /// The value in some settings.
    let value: @Sendable (GuidanceSettings) -> Value
    /// Sets it to a value; `false` if the value is of another kind or out of range.
    let set: @Sendable (inout GuidanceSettings, Value) -> Bool
    /// The valid values, for messages.
    let validValues: String

    /// The name among the settings of the session.
    var fullName: String { "guidance.\(name)" }

    /// The setting for `set`.
    var spec: SettingSpec {
        let text =
            switch value(GuidanceSettings()) {
            case .quantity(let quantity): Literal.quantity(quantity)
            case .integer(let number): String(number)
            case .number(let number): Literal.number(number)
            case .text(let word): word
            default: ""
            }
        return SettingSpec(fullName, kind, default: text, help) { values in
            var settings = GuidanceSettings()
            guard let given = values[fullName], set(&settings, given) else {
                throw GuidanceErrors.setting("`\(fullName)` must be \(validValues)", at: .parameter("value"))
            }
            try GuidanceSettings(values).check(at: "value")
        }
    }
}

extension GuidanceSettings {
    /// The settings of a session.
    init(_ values: [String: Value]) {
        self.init()
        for setting in Self.table {
            if let value = values[setting.fullName] { _ = setting.set(&self, value) }
        }
    }

    /// The settings with changes written `name=value`, separated by spaces, in any order; consistency is
    /// checked after all changes. Throws `E-GUIDE-SETTING` at `--with`.
    func changed(by text: String) throws(RutterError) -> GuidanceSettings {
        var changed = self
        for word in text.split(whereSeparator: \.isWhitespace) {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                throw GuidanceErrors.setting(
                    "`\(word)` is not NAME=VALUE", at: .parameter("with"), fix: "off-route=40m")
            }
            let name = String(parts[0])
            guard let setting = Self.table.first(where: { $0.name == name }) else {
                throw GuidanceErrors.setting(
                    "unknown guidance setting `\(name)`", at: .parameter("with"),
                    fix: "`set guidance` lists them",
                    suggestion: Suggestion.nearest(to: name, in: Self.table.map(\.name)))
            }
            guard setting.set(&changed, Self.written(parts[1])) else {
                throw GuidanceErrors.setting(
                    "`\(name)` must be \(setting.validValues)", at: .parameter("with"))
            }
        }
        try changed.check(at: "with")
        return changed
    }

    private static func written(_ text: Substring) -> Value {
        if let quantity = Quantity(written: text) { return .quantity(quantity) }
        return Double(text).map(Value.number) ?? .text(String(text))
    }

    /// Throws `E-GUIDE-SETTING` at a parameter if settings contradict each other.
    fileprivate func check(at parameter: String) throws(RutterError) {
        func shown(_ metres: Double) -> String { Literal.quantity(.metres(metres)) }
        guard clear <= offRoute else {
            throw GuidanceErrors.setting(
                "clear (\(shown(clear))) must not be more than off-route (\(shown(offRoute)))",
                at: .parameter(parameter),
                fix: "lower clear or raise off-route; the gap between them prevents repeated warnings")
        }
        if case .metres(let far) = approaching, case .metres(let near) = atTurn, near > far {
            throw GuidanceErrors.setting(
                "at-turn (\(shown(near))) must not be more than approaching (\(shown(far)))",
                at: .parameter(parameter))
        }
    }

    /// All settings, in the order of their list.
    static let table: [GuidanceSetting] = [
        length(
            "off-route", \.offRoute, 1...100_000, "distance from the line beyond which the walk is off route"),
        length("clear", \.clear, 1...100_000, "distance from the line below which it is on route again"),
        duration(
            "off-route-for", \.offRouteFor, 0...3600, "time beyond off-route before the route counts as left"),
        duration(
            "wrong-way-after", \.wrongWayAfter, 1...3600, "time in the wrong direction before the warning"),
        prompt(
            "approaching", \.approaching,
            "distance at which a turn is announced, or a time at the current speed"),
        prompt("at-turn", \.atTurn, "distance at which the turn is due, or a time at the current speed"),
        length("late", \.late, 0...10_000, "distance past its point within which a turn is still announced"),
        length("arrived", \.arrived, 1...100_000, "remaining distance that counts as arrival"),
        length(
            "advance", \.advance, 0...10_000,
            "distance before its point at which an instruction is completed; 0m: once passed"),
        word("matcher", \.matcher, "method that matches a position to the line; app reproduces the app"),
        length("window-back", \.windowBack, 1...100_000, "length of line searched behind the last match"),
        length(
            "window-ahead", \.windowAhead, 1...100_000,
            "length of line searched ahead, per 10 s without a fix"),
        length(
            "back-limit", \.backLimit, 0...10_000,
            "maximum cost of a match behind, as a distance from the line"),
        number(
            "travel-weight", \.travelWeight, 0...10,
            "cost of a metre along the line, relative to a metre beside it"),
        whole("lag", \.lag, 0...100, "fixes after which the Markov matcher settles a match"),
        length("sigma", \.sigma, 0.1...10_000, "standard deviation of fixes without an accuracy"),
        length(
            "beta", \.beta, 0.1...10_000,
            "scale of the difference between distance along the line and straight distance"),
        word("reroute", \.reroute, "kind of new route planned off route"),
        duration("reroute-after", \.rerouteAfter, 0...86_400, "time off route before a new route is planned"),
    ]

    // MARK: Kinds

    private typealias Path<T> = WritableKeyPath<GuidanceSettings, T> & Sendable

    private static func length(
        _ name: String, _ path: Path<Double>, _ range: ClosedRange<Double>, _ help: String
    ) -> GuidanceSetting {
        quantity(name, path, of: .length, in: range, help)
    }

    private static func duration(
        _ name: String, _ path: Path<Double>, _ range: ClosedRange<Double>, _ help: String
    ) -> GuidanceSetting {
        quantity(name, path, of: .duration, in: range, help)
    }

    private static func quantity(
        _ name: String, _ path: Path<Double>, of dimension: PhysicalDimension, in range: ClosedRange<Double>,
        _ help: String
    ) -> GuidanceSetting {
        let bounds = [range.lowerBound, range.upperBound].map { Literal.quantity(Quantity($0, dimension)) }
        return GuidanceSetting(
            name: name, kind: .quantity(dimension, range), help: help,
            value: { .quantity(Quantity($0[keyPath: path], dimension)) },
            set: { settings, value in
                guard case .quantity(let given) = value, given.dimension == dimension,
                    range.contains(given.value)
                else { return false }
                settings[keyPath: path] = given.value
                return true
            }, validValues: "a \(dimension.name) from \(bounds[0]) to \(bounds[1])")
    }

    private static func prompt(_ name: String, _ path: Path<PromptDistance>, _ help: String)
        -> GuidanceSetting
    {
        let metres = 0.0...100_000
        let seconds = 0.0...86_400
        return GuidanceSetting(
            name: name, kind: .value, help: help,
            value: { settings in
                switch settings[keyPath: path] {
                case .metres(let value): .quantity(Quantity(value, .length))
                case .seconds(let value): .quantity(Quantity(value, .duration))
                }
            },
            set: { settings, value in
                guard case .quantity(let given) = value else { return false }
                switch given.dimension {
                case .length where metres.contains(given.value):
                    settings[keyPath: path] = .metres(given.value)
                case .duration where seconds.contains(given.value):
                    settings[keyPath: path] = .seconds(given.value)
                default: return false
                }
                return true
            }, validValues: "a length such as 80m, or a time at the current speed such as 20s")
    }

    private static func number(
        _ name: String, _ path: Path<Double>, _ range: ClosedRange<Double>, _ help: String
    ) -> GuidanceSetting {
        GuidanceSetting(
            name: name, kind: .number(range), help: help, value: { .number($0[keyPath: path]) },
            set: { settings, value in
                guard let given = value.asNumber, range.contains(given) else { return false }
                settings[keyPath: path] = given
                return true
            },
            validValues:
                "a number from \(Literal.number(range.lowerBound)) to \(Literal.number(range.upperBound))")
    }

    private static func whole(
        _ name: String, _ path: Path<Int>, _ range: ClosedRange<Int>, _ help: String
    ) -> GuidanceSetting {
        GuidanceSetting(
            name: name, kind: .integer(range), help: help, value: { .integer($0[keyPath: path]) },
            set: { settings, value in
                guard let given = value.asNumber, let whole = Int(exactly: given), range.contains(whole)
                else { return false }
                settings[keyPath: path] = whole
                return true
            }, validValues: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }

    private static func word<T: CaseIterable & RawRepresentable<String> & Sendable>(
        _ name: String, _ path: Path<T>, _ help: String
    ) -> GuidanceSetting {
        GuidanceSetting(
            name: name, kind: .choice(T.allCases.map { .init($0.rawValue) }), help: help,
            value: { .text($0[keyPath: path].rawValue) },
            set: { settings, value in
                guard case .text(let text) = value, let item = T(rawValue: text) else { return false }
                settings[keyPath: path] = item
                return true
            }, validValues: "one of \(T.allCases.map(\.rawValue).joined(separator: ", "))")
    }
}
