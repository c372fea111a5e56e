/// The arguments of one call by parameter name, checked against the command's declaration; repeated parameters hold a
/// list. A command's parameters decode them.
public struct Arguments: Sendable {
    /// The values by the names of the parameters.
    public let values: [String: Value]

    /// Arguments by parameter name.
    public init(_ values: [String: Value]) { self.values = values }
}
