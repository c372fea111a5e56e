/// The arguments of one call, checked against the command's declaration.
public struct Arguments: Sendable {
    private let values: [String: Value]

    /// Arguments by parameter name; repeated parameters hold a list.
    public init(_ values: [String: Value]) { self.values = values }

    /// The argument of a parameter in its Swift type.
    public subscript<T>(_ parameter: Parameter<T>) -> T {
        get throws { try parameter.decode(values[parameter.spec.name]) }
    }

    /// Whether the user gave the parameter, or it has a default.
    public func has<T>(_ parameter: Parameter<T>) -> Bool { values[parameter.spec.name] != nil }
}
