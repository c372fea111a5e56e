import PluginKit

/// `range FROM TO [--step STEP]`
struct RangeCommand: CommandProvider {
    /// A share of the step by which the end may be missed, because decimal steps are not exact in binary.
    private static let tolerance = 1e-9

    var name: String { "range" }

    var command: Command {
        Command(
            name, "generate evenly spaced numbers",
            details: """
                The numbers are generated as they are requested. Quantities require a step. Each number is computed from \
                the first one, so that rounding errors do not add up.
                """,
            .positional("from", .value, "first number or quantity"),
            .positional("to", .value, "last number or quantity, inclusive"),
            .option("step", .value, "difference between neighbours; default for numbers: 1 or -1"),
            output: .value("stream of numbers"), effect: .pure,
            examples: [
                .init("numbers", "range 1 5 | sum", gives: "15"),
                .init("downwards", "range 3 1", gives: "3\n2\n1"),
                .init("lengths", "range 0m 1km --step 250m | count", gives: "5"),
            ], searchTerms: ["sequence", "series", "numbers", "generate"]
        ) { _, from, to, step in
            switch (from, to, step) {
            case (.integer(let first), .integer(let last), nil):
                return try whole(first, last, first <= last ? 1 : -1)
            case (.integer(let first), .integer(let last), .integer(let step)?):
                return try whole(first, last, step)
            case (.quantity(let first), .quantity(let last), _) where first.dimension == last.dimension:
                guard case .quantity(let by)? = step, by.dimension == first.dimension else {
                    throw DataErrors.step(
                        "a range of \(first.dimension.name)s needs a step that is \(Value.quantity(first).article)",
                        at: .parameter(step == nil ? "from" : "step"),
                        fix: "for example --step \(sample(first))")
                }
                return try real(first.value, last.value, by.value) { value in
                    .quantity(Quantity(value, first.dimension, unit: by.unit))
                }
            default:
                guard let first = from.asNumber, let last = to.asNumber else {
                    throw LanguageErrors.type(
                        "cannot make a range from \(from.article) to \(to.article)", at: .parameter("to"),
                        fix: "both ends must be numbers, or quantities of the same dimension")
                }
                guard let by = step == nil ? (first <= last ? 1 : -1) : step?.asNumber else {
                    throw DataErrors.step("the step must be a number", at: .parameter("step"))
                }
                return try real(first, last, by) { .number($0) }
            }
        }
    }

    private func whole(_ first: Int, _ last: Int, _ step: Int) throws(RutterError) -> Value {
        try check(Double(first), Double(last), Double(step))
        return .rows(
            Rows {
                var next: Int? = first
                return Rows.Iterator {
                    guard let value = next, step > 0 ? value <= last : value >= last else { return nil }
                    let (sum, overflow) = value.addingReportingOverflow(step)
                    next = overflow ? nil : sum
                    return .integer(value)
                }
            })
    }

    private func real(
        _ first: Double, _ last: Double, _ step: Double, _ make: @escaping @Sendable (Double) -> Value
    ) throws(RutterError) -> Value {
        try check(first, last, step)
        let steps = ((last - first) / step + Self.tolerance).rounded(.down)
        return .rows(
            Rows {
                var index = 0.0
                return Rows.Iterator {
                    guard index <= steps else { return nil }
                    defer { index += 1 }
                    return make(first + index * step)
                }
            })
    }

    private func check(_ first: Double, _ last: Double, _ step: Double) throws(RutterError) {
        if step != 0, first == last || (step > 0) == (last > first) { return }
        throw DataErrors.step(
            step == 0 ? "the step must not be zero" : "the step has the wrong sign",
            at: .parameter("step"))
    }

    private func sample(_ quantity: Quantity) -> String {
        "1" + ((quantity.unit ?? MeasureUnit.of(quantity.dimension).first)?.symbol ?? "")
    }
}
