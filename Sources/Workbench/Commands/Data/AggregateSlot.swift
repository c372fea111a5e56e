import PluginKit

/// One aggregate in an expression: where it is written, and the expression of its argument.
struct AggregateSlot: Sendable {
    let start: Int
    let function: AggregateFunction
    let name: String
    /// `nil` for `count()`.
    let argument: RowExpression?

    /// The aggregates of an expression. Aggregates cannot be nested.
    static func collect(_ expression: Expression, _ scope: Scope, into slots: inout [AggregateSlot]) throws {
        switch expression.content {
        case .call(let name, let arguments):
            let isRowFunction = arguments.count > 1 && FunctionLibrary.named(name) != nil
            guard let function = AggregateFunction(name: name), !isRowFunction else {
                _ = try FunctionLibrary.function(name, arguments, at: expression.span)
                for argument in arguments { try collect(argument, scope, into: &slots) }
                return
            }
            guard arguments.count == 1 || (function == .count && arguments.isEmpty) else {
                throw FunctionErrors.arity(
                    "`\(name)` takes 1 argument, not \(arguments.count)", at: .span(expression.span),
                    fix: "\(name)(distance)")
            }
            slots.append(
                AggregateSlot(
                    start: expression.span.start, function: function, name: name,
                    argument: arguments.first.map { RowExpression(text: name, $0, scope) }))
        case .list(let items): for item in items { try collect(item, scope, into: &slots) }
        case .record(let fields): for (_, item) in fields { try collect(item, scope, into: &slots) }
        case .negate(let inner), .not(let inner): try collect(inner, scope, into: &slots)
        case .path(let base, _): try collect(base, scope, into: &slots)
        case .chain(let first, let links):
            try collect(first, scope, into: &slots)
            for link in links { try collect(link.operand, scope, into: &slots) }
        default: break
        }
    }
}
