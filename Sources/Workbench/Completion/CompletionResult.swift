/// The candidates at the cursor.
public struct CompletionResult: Sendable {
    /// One candidate.
    public struct Candidate: Sendable, Hashable {
        /// What replaces the word that was begun.
        public let replacement: String
        /// What it is, shown beside it.
        public let summary: String
        /// Whether the word is complete, so that a blank can follow.
        public let isComplete: Bool

        init(_ replacement: String, _ summary: String = "", isComplete: Bool = true) {
            self.replacement = replacement
            self.summary = summary
            self.isComplete = isComplete
        }
    }

    /// The first UTF-8 byte of the word that was begun; it ends at the cursor.
    public let wordStart: Int
    /// The candidates, the likeliest order for a list.
    public let candidates: [Candidate]
}

/// What completion takes for granted.
enum CompletionSettings {
    /// Candidates that are asked of stores and folders.
    static let limit = 200
    /// Letters from which names of places are completed without `@`.
    static let shortestPlace = 2
}
