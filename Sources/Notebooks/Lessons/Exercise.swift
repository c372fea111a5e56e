/// A question that a cell asks its reader: an exercise, or a prediction of what its entry shows.
///
/// The lines before the cell's prompt are its text, `key: text` each; a line that begins with a blank goes on with the one before.
/// The entry is the solution: `rutter test` runs it, so that neither the question nor its answer can rot.
public struct Exercise: Sendable, Hashable {
    /// What is asked.
    public enum Kind: Sendable, Hashable {
        /// For an answer that is checked; what the entry is, is not shown before.
        case exercise
        /// For what the entry will show.
        case prediction
    }

    /// How an answer is compared with what the solution shows.
    public enum Answer: Sendable, Hashable {
        /// As a number or quantity within a margin.
        case value(Margin)
        /// What a pipeline shows.
        case result
        /// As an order of the options.
        case order
        /// As one of the options.
        case choice
    }

    /// How far a value may be from the solution's.
    public struct Margin: Sendable, Hashable {
        /// The part of the value, or an amount in the base unit.
        public let amount: Double
        /// Whether the amount is a part of the value.
        public let isRelative: Bool
        /// As it is written; empty for none.
        public let text: String

        /// No margin.
        static let none = Margin(amount: 0, isRelative: false, text: "")
    }

    /// What is asked.
    public let kind: Kind
    /// The question.
    public let question: String
    /// What is chosen from or put in order; they are called a, b, c.
    public let options: [String]
    /// Hints, revealed one after the other.
    public let hints: [String]
    /// How an answer is compared.
    public let answer: Answer
    /// What is said after the answer.
    public let explanation: String?

    /// The letter by which an option is called.
    public static func letter(_ index: Int) -> String {
        String(UnicodeScalar(UInt8(ascii: "a") + UInt8(index)))
    }

    /// How many options there may be: as many as letters.
    static let mostOptions = 26
}
