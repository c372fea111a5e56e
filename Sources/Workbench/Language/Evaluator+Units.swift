import CivilTime
import PluginKit

/// Units on the right of `in`, and dates that are shifted by calendar periods.
extension Evaluator {
    /// The unit on the right of `in`: `distance in mi`, `speed in km/h`. A field of that name comes first.
    func unit(_ expression: Expression, for left: Value, row: Value) -> MeasureUnit? {
        switch left {
        case .quantity, .nothing: break
        default: return nil
        }
        switch expression.content {
        case .name(let name) where row.field(name) == nil: return MeasureUnit.named(name)
        case .chain(let first, let links) where links.count == 1 && links[0].op == .divided:
            guard case .name(let above) = first.content, case .name(let below) = links[0].operand.content
            else {
                return nil
            }
            return MeasureUnit.named("\(above)/\(below)")
        default: return nil
        }
    }

    func converted(_ value: Value, to unit: MeasureUnit, at span: SourceSpan) throws(RutterError)
        -> Value
    {
        guard case .quantity(var quantity) = value else { return .nothing }
        if quantity.dimension != unit.dimension, quantity.dimension.inverse == unit.dimension {
            // Who stands still has no pace.
            guard quantity.value != 0 else { return .nothing }
            quantity = Quantity(1 / quantity.value, unit.dimension, digits: quantity.digits)
        }
        guard quantity.dimension == unit.dimension else {
            throw LanguageErrors.dimension(
                "\(value.kindWithArticle) cannot be shown in \(unit.symbol)", at: .span(span),
                fix: "units: " + MeasureUnit.of(quantity.dimension).map(\.symbol).joined(separator: ", "))
        }
        if quantity.unit != unit, quantity.digits == nil { quantity.digits = Literal.convertedDigits }
        quantity.unit = unit.chosen
        return .quantity(quantity)
    }

    func shifted(
        _ value: Value, _ op: BinaryOperator, by period: CalendarPeriod, at span: SourceSpan
    ) throws(RutterError) -> Value {
        if case .nothing = value { return .nothing }
        guard case .date(let moment) = value, op == .plus || op == .minus else {
            throw LanguageErrors.type(
                "a calendar period can be added to or subtracted from a date, not \(value.kindWithArticle)",
                at: .span(span))
        }
        var period = period
        if op == .minus { period.count = -period.count }
        guard let result = scope.time.moment(moment, later: period) else {
            throw LanguageErrors.type("the date is outside the years 0…9999", at: .span(span))
        }
        return .date(result)
    }
}
