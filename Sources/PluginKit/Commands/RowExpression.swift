/// An expression of the command language, ready to be evaluated for one row after another.
public struct RowExpression: DomainObject {
    /// What is evaluated: a row, and what is known of the rows that it is one of, if it is one of several.
    public typealias Body = @Sendable (Value, FieldWatch?) throws -> Value

    /// The expression as written.
    public let text: String
    /// What evaluates it.
    public let body: Body
    /// The keys of the records that it makes of all rows alike; `nil` where it makes other values.
    public var recordKeys: [String]?
    /// The parts of a comparison as written and their values for a row, to show why it does not hold.
    public var operands: (@Sendable (Value) throws -> [(text: String, value: Value)])?

    /// An expression by its text and its body.
    public init(text: String, evaluate: @escaping @Sendable (Value) throws -> Value) {
        self.init(text: text) { row, _ in try evaluate(row) }
    }

    /// An expression whose body knows which fields the rows have.
    public init(text: String, body: @escaping Body) {
        self.text = text
        self.body = body
    }

    /// The expression's value for a row alone; bare names are the row's fields.
    public func callAsFunction(_ row: Value) throws -> Value { try body(row, nil) }

    /// The expression's value for one of several rows: a field that the row lacks and another one has is nothing.
    public func callAsFunction(_ row: Value, _ watch: FieldWatch) throws -> Value { try body(row, watch) }

    /// `expression`.
    public var typeName: String { "expression" }
    /// Its only field is its text.
    public var fieldNames: [String] { ["text"] }
    /// The text, as a field.
    public func field(_ name: String) -> Value? { name == "text" ? .text(text) : nil }
    /// The expression as written.
    public var summary: String { text }
}
