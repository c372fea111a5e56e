/// The declaration of a setting of the session, as data: `set` checks, shows and completes by it.
public struct SettingSpec: Sendable {
    /// Name, `area.name` in lower case and with dashes for those of plugins.
    public let name: String
    /// Its kind of value.
    public let kind: ParameterKind
    /// The default as typed.
    public let defaultText: String
    /// Its purpose, in one line.
    public let help: String
    /// Checks a new value together with the values of all settings of plugins, with the new one among them; throws
    /// `RutterError`. Kind and range were checked before.
    public let check: @Sendable ([String: Value]) throws -> Void

    /// Declares a setting, by default one that takes all values of its kind.
    public init(
        _ name: String, _ kind: ParameterKind, default defaultText: String, _ help: String,
        check: @escaping @Sendable ([String: Value]) throws -> Void = { _ in }
    ) {
        self.name = name
        self.kind = kind
        self.defaultText = defaultText
        self.help = help
        self.check = check
    }
}

/// A setting of the session with its Swift type. A plugin declares it once, lists its `spec` under `settings`, and reads it
/// in its commands:
///
///     static let offRoute = Setting(
///         "guidance.off-route", .quantity(.length, in: 5...1000), default: "50m", "distance at which one has left the route")
///     …
///     let limit = try context.value(of: Self.offRoute)
public struct Setting<T: Sendable>: Sendable {
    /// The declaration.
    public let spec: SettingSpec
    private let type: ParameterType<T>

    /// Declares a setting; values that its type cannot decode are refused when they are set.
    public init(_ name: String, _ type: ParameterType<T>, default text: String, _ help: String) {
        self.type = type
        spec = SettingSpec(name, type.kind, default: text, help) { _ = try type.decode($0[name] ?? .nothing) }
    }

    fileprivate func decode(_ value: Value) throws -> T { try type.decode(value) }
}

extension Context {
    /// The present value of a setting that a plugin of the session lists.
    public func value<T>(of setting: Setting<T>) throws -> T {
        try setting.decode(settings[setting.spec.name] ?? .nothing)
    }
}
