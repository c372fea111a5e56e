/// A question that a cell asks its reader: an exercise, or a prediction of what its entry shows.
///
/// The lines before the cell's prompt are its text, `key: text` each; a line that begins with a blank continues the previous one.
/// The entry is the solution: `rutter test` runs it, so that the question and its answer stay valid.
public struct Exercise: Sendable, Hashable {
    /// The kind of question.
    public enum Kind: Sendable, Hashable {
        /// An answer that is checked; the entry is not shown beforehand.
        case exercise
        /// The output of the entry.
        case prediction
    }

    /// How an answer is compared with the solution's output.
    public enum Answer: Sendable, Hashable {
        /// As a number or quantity within a margin.
        case value(Margin)
        /// As the output of a pipeline.
        case result
        /// As an order of the options.
        case order
        /// As one of the options.
        case choice
    }

    /// The tolerance of a value.
    public struct Margin: Sendable, Hashable {
        /// A fraction of the value, or an amount in the base unit.
        public let amount: Double
        /// Whether the amount is relative.
        public let isRelative: Bool
        /// The margin as written; empty for none.
        public let text: String

        /// No margin.
        static let none = Margin(amount: 0, isRelative: false, text: "")
    }

    /// The kind of question.
    public let kind: Kind
    /// The question.
    public let question: String
    /// The options to choose from or to order; labelled a, b, c.
    public let options: [String]
    /// What is said to each option that is chosen although it is wrong; `nil` for those without.
    public let feedback: [String?]
    /// Notes for the teacher: a lesson and a copy for students leave them out.
    public let notes: [String]
    /// Hints, revealed one at a time.
    public let hints: [String]
    /// How an answer is compared.
    public let answer: Answer
    /// The explanation after the answer.
    public let explanation: String?

    /// The letter of an option.
    public static func letter(_ index: Int) -> String {
        String(UnicodeScalar(UInt8(ascii: "a") + UInt8(index)))
    }

    /// Most options: the number of letters.
    static let mostOptions = 26
}
