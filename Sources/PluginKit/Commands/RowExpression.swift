/// An expression of the command language, ready to be evaluated for one row after another.
public struct RowExpression: DomainObject {
    /// The expression as written.
    public let text: String
    private let body: @Sendable (Value) throws -> Value

    /// An expression by its text and its body.
    public init(text: String, evaluate: @escaping @Sendable (Value) throws -> Value) {
        self.text = text
        body = evaluate
    }

    /// The expression's value for a row; bare names are the row's fields.
    public func callAsFunction(_ row: Value) throws -> Value { try body(row) }

    /// `expression`.
    public var typeName: String { "expression" }
    /// Its only field is its text.
    public var fieldNames: [String] { ["text"] }
    /// The text, as a field.
    public func field(_ name: String) -> Value? { name == "text" ? .text(text) : nil }
    /// The expression as written.
    public var summary: String { text }
}
