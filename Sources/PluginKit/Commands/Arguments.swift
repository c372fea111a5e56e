/// The arguments of one call by parameter name, checked against the command's declaration; repeated parameters hold a
/// list.
public struct Arguments: Sendable {
    let values: [String: Value]

    /// Arguments by parameter name.
    public init(_ values: [String: Value]) { self.values = values }

    public subscript<T>(_ parameter: Parameter<T>) -> T {
        get throws { try parameter.decode(self) }
    }
}
