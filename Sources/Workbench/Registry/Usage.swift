import PluginKit

/// The usage line of a command, from its declaration.
public enum Usage {
    /// One line: `waypoint near PLACE [--radius LENGTH]`.
    public static func line(of spec: CommandSpec) -> String {
        ([spec.name] + spec.parameters.map(form)).joined(separator: " ")
    }

    /// A parameter as shown in the usage line.
    public static func form(_ parameter: ParameterSpec) -> String {
        let body: String
        switch parameter.style {
        case .positional: body = positional(parameter)
        case .option: body = "--\(parameter.name) \(parameter.kind.placeholder)"
        case .flag: body = "--\(parameter.name)"
        }
        let repeated = parameter.repeats ? body + "…" : body
        return parameter.isRequired ? repeated : "[\(repeated)]"
    }

    private static func positional(_ parameter: ParameterSpec) -> String {
        if case .choice(let choices) = parameter.kind, choices.count == 1 { return choices[0].word }
        return parameter.name.uppercased()
    }
}
