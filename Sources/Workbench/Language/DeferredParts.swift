import PluginKit

/// A parsed block that has not run, as for `if` and `for`.
struct DeferredBlock: DomainObject {
    /// The block as written, including braces.
    let text: String
    private let body: @Sendable () async throws -> Value

    init(text: String, run: @escaping @Sendable () async throws -> Value) {
        self.text = text
        body = run
    }

    /// Runs it; the value is that of its last pipeline, values of earlier ones are printed.
    func run() async throws -> Value { try await body() }

    var typeName: String { "block" }
    var fieldNames: [String] { ["text"] }
    func field(_ name: String) -> Value? { name == "text" ? .text(text) : nil }
    var summary: String { text }
}

/// Columns to be computed, in order.
struct NamedExpressions: DomainObject {
    struct Column: Sendable {
        let name: String
        let expression: RowExpression
    }

    let columns: [Column]

    var typeName: String { "expressions" }
    var fieldNames: [String] { columns.map(\.name) }
    func field(_ name: String) -> Value? {
        columns.first { $0.name == name }.map { .text($0.expression.text) }
    }
    var summary: String { fieldNames.joined(separator: " ") }
}

extension ParameterType where T == NamedExpressions {
    /// `name=EXPRESSION …`
    static var assignments: ParameterType<NamedExpressions> { object(.assignments, "expressions") }
}

extension ParameterType where T == SummaryPlan {
    /// `AGGREGATE(…) … by KEY …`
    static var summary: ParameterType<SummaryPlan> { object(.summary, "aggregates") }
}

extension ParameterType where T == DeferredBlock {
    /// `{ … }`
    static var block: ParameterType<DeferredBlock> { object(.block, "a block") }
}

extension ParameterType where T == String {
    /// Text that the command parses itself.
    static var source: ParameterType<String> {
        ParameterType(.source) { value in
            guard case .text(let text) = value else {
                throw CommonErrors.inputKind("expected text, not \(value.kindName)")
            }
            return text
        }
    }
}

extension ParameterType {
    fileprivate static func object(_ kind: ParameterKind, _ wanted: String) -> ParameterType<T> {
        ParameterType(kind) { value in
            guard case .object(let object) = value, let typed = object as? T else {
                throw CommonErrors.inputKind("expected \(wanted), not \(value.kindName)")
            }
            return typed
        }
    }
}
