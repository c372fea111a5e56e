/// The colour of a cell in a terminal with colours. It repeats what the text says, for those who look for it.
public enum CellTone: Sendable, Hashable, CaseIterable {
    /// Known only by a plan.
    case muted
    /// Reported, and as planned.
    case good
    /// Reported, and otherwise than planned.
    case warning

    /// A text in the colour.
    public func painted(_ text: String) -> String { "\u{1B}[\(code)m\(text)\u{1B}[0m" }

    /// Grey, green and orange of terminals.
    private var code: String {
        switch self {
        case .muted: "90"
        case .good: "32"
        case .warning: "38;5;208"
        }
    }
}

/// An object whose fields have colours in tables.
public protocol TonedObject: DomainObject {
    /// The colour of a field; `nil` for that of text.
    func tone(of field: String) -> CellTone?
}
