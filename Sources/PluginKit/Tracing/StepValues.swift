import Geodesy

// Typed readers of a step's values, for pictures and other code that reads a trace. A value that is missing or of another
// kind is `nil`, `false` or empty.
extension TraceStep {
    /// The text of a value.
    public func text(_ name: String) -> String? {
        if case .text(let text)? = values[name] { return text }
        return nil
    }

    /// The coordinate of a value.
    public func coordinate(_ name: String) -> Coordinate? {
        if case .coordinate(let place)? = values[name] { return place }
        return nil
    }

    /// The number of a value: a quantity in base units, or a number.
    public func number(_ name: String) -> Double? { Self.number(values[name]) }

    /// The whole number of a value.
    public func integer(_ name: String) -> Int? {
        if case .integer(let number)? = values[name] { return number }
        return nil
    }

    /// Whether a value is true.
    public func isTrue(_ name: String) -> Bool {
        if case .boolean(true)? = values[name] { return true }
        return false
    }

    /// The texts of a list.
    public func texts(_ name: String) -> [String] {
        list(name).compactMap { if case .text(let text) = $0 { text } else { nil } }
    }

    /// The coordinates of a list.
    public func coordinates(_ name: String) -> [Coordinate] {
        list(name).compactMap { if case .coordinate(let place) = $0 { place } else { nil } }
    }

    /// The numbers of a list, or the only one.
    public func numbers(_ name: String) -> [Double] {
        if let number = number(name) { return [number] }
        return list(name).compactMap(Self.number)
    }

    private func list(_ name: String) -> [Value] {
        if case .list(let items)? = values[name] { return items }
        return []
    }

    private static func number(_ value: Value?) -> Double? {
        if case .quantity(let quantity)? = value { return quantity.value }
        return value?.asNumber
    }
}
