import PluginKit

/// An object of a plugin's own kind, shown by its fields.
struct ForeignObject: DomainObject {
    let typeName: String
    let fields: Record
    /// The field that represents it in a table; the first one by default.
    let summaryField: String?

    var fieldNames: [String] { fields.keys }

    func field(_ name: String) -> Value? { fields[name] }

    var summary: String {
        let shown = summaryField.flatMap { fields[$0] } ?? fields.values.first
        switch shown {
        case .text(let text)?: return text
        case .quantity(let quantity)?: return Literal.quantity(quantity)
        case .integer(let number)?: return String(number)
        case .number(let number)?: return Literal.number(number)
        default: return typeName
        }
    }
}
