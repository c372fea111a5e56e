/// An expression of the command language, ready to be evaluated for one row after another.
public struct RowExpression: DomainObject {
    /// The body: takes a row and, if it is one of several, the state of the pass over them.
    public typealias Body = @Sendable (Value, FieldWatch?) throws -> Value

    /// The expression as written.
    public let text: String
    /// The body.
    public let body: Body
    /// The keys of the records that it returns for every row; `nil` if it returns other values.
    public var recordKeys: [String]?
    /// The expression with its aggregates (`max(beds)` beside `beds`) computed over rows; `nil` if it has none.
    public var overRows: (@Sendable (Rows) throws -> RowExpression)?
    /// The parts of a comparison as written and their values for a row, to explain why it is false.
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

    /// The expression's value for one of several rows: a field that only other rows have is nothing.
    public func callAsFunction(_ row: Value, _ watch: FieldWatch) throws -> Value { try body(row, watch) }

    /// The expression for the rows of a pass: its aggregates are those of all rows, which are read for them first.
    public func over(_ rows: Rows) throws -> RowExpression { try overRows?(rows) ?? self }

    /// `expression`.
    public var typeName: String { "expression" }
    /// Its only field is its text.
    public var fieldNames: [String] { ["text"] }
    /// The text, as a field.
    public func field(_ name: String) -> Value? { name == "text" ? .text(text) : nil }
    /// The expression as written.
    public var summary: String { text }
}
