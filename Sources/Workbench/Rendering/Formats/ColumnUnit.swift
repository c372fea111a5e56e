import Foundation
import PluginKit

/// The unit that the name of a column ends with: `distance (m)`, `Speed [km/h]`.
struct ColumnUnit: Sendable {
    /// The name without the unit.
    private(set) var name: String
    /// What 1 is in it.
    private let one: Quantity

    /// `nil` for a name without a unit.
    init?(_ header: String) {
        let text = header.trimmingCharacters(in: .whitespaces)
        let opening = text.hasSuffix(")") ? "(" : "["
        guard text.hasSuffix(")") || text.hasSuffix("]"),
            let start = text.range(of: opening, options: .backwards),
            let one = QuantityText.read("1 " + text[start.upperBound...].dropLast())
        else { return nil }
        let name = text[..<start.lowerBound].trimmingCharacters(in: .whitespaces)
        guard !name.isEmpty else { return nil }
        (self.name, self.one) = (name, one)
    }

    /// A cell in the unit; other cells as they are.
    func value(_ cell: Value) -> Value {
        guard let number = cell.asNumber else { return cell }
        var quantity = one
        quantity.value *= number
        return .quantity(quantity)
    }

    /// The units of columns. Names that would be the same without their units keep them.
    static func found(in headers: [String]) -> [ColumnUnit?] {
        let units = headers.map { ColumnUnit($0) }
        let names = zip(headers, units).map { $1?.name ?? $0 }
        return zip(headers, units).map { header, unit in
            guard var unit else { return nil }
            if names.filter({ $0 == unit.name }).count > 1 { unit.name = header }
            return unit
        }
    }
}
