/// The declaration of a parameter as data: parser, help, completion and reference page all read it.
public struct ParameterSpec: Sendable {
    /// How a parameter is written.
    public enum Style: Sendable, Hashable {
        /// By its position among the words.
        case positional
        /// As `--name VALUE`.
        case option
        /// As `--name`.
        case flag
    }

    /// Lower-case name; options and flags are prefixed with two dashes.
    public let name: String
    /// How it is written.
    public let style: Style
    /// The kind of its value.
    public let kind: ParameterKind
    /// Its purpose, in one line.
    public var help: String
    /// Whether it is required.
    public let isRequired: Bool
    /// Whether it is repeatable; a positional one takes all remaining words.
    public let repeats: Bool
    /// The default as typed, for help and for the parser; `nil` for no default.
    public let defaultText: String?
    /// Its name in an earlier version, which the error of an unknown option leads on from.
    public var formerName: String?
    /// Completion candidates; `nil` derives them from the kind.
    public var completion: Completion?
    /// Computes candidates for the typed prefix; `nil` where `completion` or the kind provides them.
    public var completer: (@Sendable (String, Context) async -> [ParameterKind.Choice])?

    /// Sources of completion candidates.
    public enum Completion: Sendable, Hashable {
        /// Names of commands.
        case commands
        /// Names of settings.
        case settings
        /// Values of the setting named by the preceding word.
        case settingValues
        /// Codes of errors.
        case errorCodes
        /// Names of open stores.
        case openStores
        /// Names of open stores, and files.
        case openStoresAndFiles
        /// Files.
        case files
        /// Objects of a kind known by name, such as saved routes, and files.
        case referencesAndFiles(String)
        /// Words of a kind from a plugin, such as `region`.
        case known(String)
        /// The same within a quoted text: the word at its end is completed.
        case knownWithin(String)
    }

    /// Declares a parameter; plugins use the constructors of `Parameter`, which add the Swift type.
    public init(
        name: String, style: Style, kind: ParameterKind, help: String, isRequired: Bool = false,
        repeats: Bool = false, defaultText: String? = nil
    ) {
        self.name = name
        self.style = style
        self.kind = kind
        self.help = help
        self.isRequired = isRequired
        self.repeats = repeats
        self.defaultText = defaultText
    }
}

/// A parameter with the Swift type that the command's body receives, or a group of parameters read into one value.
public struct Parameter<T: Sendable>: Sendable {
    /// The declarations, in order.
    public private(set) var specs: [ParameterSpec]
    let decode: @Sendable (Arguments) throws -> T

    /// The same parameter with other completion candidates.
    public func completing(_ completion: ParameterSpec.Completion) -> Parameter<T> {
        var copy = self
        for index in copy.specs.indices { copy.specs[index].completion = completion }
        return copy
    }

    /// The same parameter, which had another name in an earlier version.
    public func formerly(_ name: String) -> Parameter<T> {
        var copy = self
        for index in copy.specs.indices { copy.specs[index].formerName = name }
        return copy
    }

    /// The same parameters with a converted value.
    public func map<U>(_ change: @escaping @Sendable (T) throws -> U) -> Parameter<U> {
        Parameter<U>(specs: specs) { [decode] in try change(decode($0)) }
    }

    /// Several parameters that belong together, received as one value.
    public static func group<each P: Sendable>(
        _ parts: repeat Parameter<each P>, make: @escaping @Sendable (repeat each P) throws -> T
    ) -> Parameter<T> {
        var specs: [ParameterSpec] = []
        for part in repeat each parts { specs += part.specs }
        return Parameter(specs: specs) { arguments in
            try make(repeat try (each parts).decode(arguments))
        }
    }

    private init(specs: [ParameterSpec], decode: @escaping @Sendable (Arguments) throws -> T) {
        self.specs = specs
        self.decode = decode
    }
}

/// How values become a Swift type.
public struct ParameterType<T: Sendable>: Sendable {
    /// The kind that the language reads.
    public let kind: ParameterKind
    let decode: @Sendable (Value) throws -> T

    /// A type by its kind and the conversion from values of that kind.
    public init(_ kind: ParameterKind, decode: @escaping @Sendable (Value) throws -> T) {
        self.kind = kind
        self.decode = decode
    }
}

extension Parameter {
    /// A required positional parameter.
    public static func positional(_ name: String, _ type: ParameterType<T>, _ help: String) -> Parameter<T> {
        make(name, .positional, type.kind, help, isRequired: true) { try type.decode($0 ?? .nothing) }
    }

    /// An optional positional parameter.
    public static func optional<W>(
        _ name: String, _ type: ParameterType<W>, _ help: String
    ) -> Parameter<T> where T == W? {
        make(name, .positional, type.kind, help) { try $0.map(type.decode) }
    }

    /// A positional parameter with a default.
    public static func positional(
        _ name: String, _ type: ParameterType<T>, default text: String, _ help: String
    ) -> Parameter<T> {
        make(name, .positional, type.kind, help, defaultText: text) { try type.decode($0 ?? .nothing) }
    }

    /// All remaining words, at least `minimum` of them (0 or 1).
    public static func rest<W>(
        _ name: String, _ type: ParameterType<W>, minimum: Int = 0, _ help: String
    ) -> Parameter<T> where T == [W] {
        make(name, .positional, type.kind, help, isRequired: minimum > 0, repeats: true, list(type))
    }

    /// An option without a default.
    public static func option<W>(
        _ name: String, _ type: ParameterType<W>, _ help: String
    ) -> Parameter<T> where T == W? {
        make(name, .option, type.kind, help) { try $0.map(type.decode) }
    }

    /// An option that must be given; a call without it fails with `E-ARG-MISSING`.
    public static func requiredOption(
        _ name: String, _ type: ParameterType<T>, _ help: String
    ) -> Parameter<T> {
        make(name, .option, type.kind, help, isRequired: true) { try type.decode($0 ?? .nothing) }
    }

    /// An option with a default, written as typed.
    public static func option(
        _ name: String, _ type: ParameterType<T>, default text: String, _ help: String
    ) -> Parameter<T> {
        make(name, .option, type.kind, help, defaultText: text) { try type.decode($0 ?? .nothing) }
    }

    /// A repeatable option.
    public static func options<W>(
        _ name: String, _ type: ParameterType<W>, _ help: String
    ) -> Parameter<T> where T == [W] {
        make(name, .option, type.kind, help, repeats: true, list(type))
    }

    private static func list<W>(
        _ type: ParameterType<W>
    ) -> @Sendable (Value?) throws -> T where T == [W] {
        { value in
            guard case .list(let items)? = value else { return [] }
            return try items.map(type.decode)
        }
    }

    private static func make(
        _ name: String, _ style: ParameterSpec.Style, _ kind: ParameterKind, _ help: String,
        isRequired: Bool = false, repeats: Bool = false, defaultText: String? = nil,
        _ decode: @escaping @Sendable (Value?) throws -> T
    ) -> Parameter<T> {
        let spec = ParameterSpec(
            name: name, style: style, kind: kind, help: help, isRequired: isRequired, repeats: repeats,
            defaultText: defaultText)
        return Parameter(specs: [spec]) { try decode($0.values[name]) }
    }
}

extension Parameter where T == Bool {
    /// A flag.
    public static func flag(_ name: String, _ help: String) -> Parameter<Bool> {
        make(name, .flag, .boolean, help) { value in
            if case .boolean(true)? = value { return true }
            return false
        }
    }
}
