import PluginKit

/// Parses quantities inside words such as `500m,120m,300m` and `off-route=40m`, in the notation of the
/// language.
enum WrittenQuantity {
    /// A number with a unit: `120m`, `-2.5km`, `1min30s`; `nil` for anything else.
    static func quantity(_ text: some StringProtocol) -> Quantity? {
        var rest = Substring(text.filter { $0 != "_" })
        var sign = 1.0
        if let first = rest.first, first == "-" || first == "+" {
            sign = first == "-" ? -1 : 1
            rest.removeFirst()
        }
        var total: Quantity?
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            let after = rest[digits.endIndex...]
            let symbol = after.prefix { !$0.isNumber && $0 != "." }
            guard let amount = Double(digits), amount.isFinite, let unit = MeasureUnit.named(String(symbol))
            else { return nil }
            let part = Quantity(amount, unit: unit)
            if let before = total {
                // Only durations are written in parts.
                guard before.dimension == .duration, part.dimension == .duration else { return nil }
                total = Quantity(before.value + part.value, .duration)
            } else {
                total = part
            }
            rest = after[symbol.endIndex...]
        }
        total?.value *= sign
        return total
    }

    /// The value in base units of a dimension; `nil` if the text is not a quantity of it.
    static func amount(_ text: some StringProtocol, of dimension: PhysicalDimension) -> Double? {
        quantity(text).flatMap { $0.dimension == dimension ? $0.value : nil }
    }
}
