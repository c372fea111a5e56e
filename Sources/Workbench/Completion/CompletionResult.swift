/// The candidates at the cursor.
public struct CompletionResult: Sendable {
    /// One candidate.
    public struct Candidate: Sendable, Hashable {
        /// The replacement for the unfinished word.
        public let replacement: String
        /// The description shown beside it.
        public let summary: String
        /// Whether the word is complete, so that a blank can follow.
        public let isComplete: Bool

        init(_ replacement: String, _ summary: String = "", isComplete: Bool = true) {
            self.replacement = replacement
            self.summary = summary
            self.isComplete = isComplete
        }
    }

    /// The first UTF-8 byte of the unfinished word, which ends at the cursor.
    public let wordStart: Int
    /// The candidates in the order in which they are listed.
    public let candidates: [Candidate]
}

/// Constants of completion.
enum CompletionSettings {
    /// Maximum number of candidates requested from stores and folders.
    static let limit = 200
    /// Minimum number of letters from which place names are completed without `@`.
    static let shortestPlace = 2
}
