/// A domain object that is shown by a drawing or a text of its own instead of by its fields, such as a map.
public protocol SelfRendering: DomainObject {
    /// What the terminal shows, without a line end. Throws when the drawing was stopped.
    func rendered(in environment: Environment) throws -> String
    /// The rows that a program or file receives in its place; `nil` where the text is all there is.
    var plainRows: Rows? { get }
}

extension SelfRendering {
    /// None.
    public var plainRows: Rows? { nil }
}
