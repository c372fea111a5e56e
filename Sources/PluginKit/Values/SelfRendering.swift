/// A domain object with its own text or drawing instead of its fields, such as a map.
public protocol SelfRendering: DomainObject {
    /// The terminal output, without a line end. Throws if drawing was cancelled.
    func rendered(in environment: Environment) throws -> String
    /// The rows that a program or file receives instead; `nil` if there is only the text.
    var plainRows: Rows? { get }
}

extension SelfRendering {
    /// None.
    public var plainRows: Rows? { nil }
}
