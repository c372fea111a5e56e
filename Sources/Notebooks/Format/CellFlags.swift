import Core

/// The words after `rutter` on a cell's fence.
public struct CellFlags: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: Int

    /// Flags from their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Numbers match to one unit of the last digit written.
    public static let approx = CellFlags(rawValue: 1)
    /// The lines of an output may come in any order.
    public static let unordered = CellFlags(rawValue: 2)
    /// Run, do not compare.
    public static let nocheck = CellFlags(rawValue: 4)
    /// Shown only.
    public static let norun = CellFlags(rawValue: 8)
    /// A command of the cell must fail; without the flag, none may.
    public static let fails = CellFlags(rawValue: 16)
    /// Asks a question; the entry is its solution.
    public static let exercise = CellFlags(rawValue: 32)
    /// Asks what the entry will show.
    public static let predict = CellFlags(rawValue: 64)

    /// Whether the cell has a question for its reader.
    public var hasQuestion: Bool { contains(.exercise) || contains(.predict) }

    /// Every flag with its word, in the order they are written.
    public static let words: [(word: String, flag: CellFlags)] = [
        ("approx", .approx), ("unordered", .unordered), ("nocheck", .nocheck), ("norun", .norun),
        ("fails", .fails), ("exercise", .exercise), ("predict", .predict),
    ]

    /// Reads the words after the marker.
    init(words: some Sequence<Substring>, line: Int) throws {
        var flags: CellFlags = []
        for word in words {
            guard let known = Self.words.first(where: { $0.word == word }) else {
                throw NotebookError(
                    .flag, line: line, "unknown cell flag `\(word)`",
                    suggestion: Suggestion.sentence(for: String(word), among: Self.words.map(\.word)))
            }
            flags.insert(known.flag)
        }
        guard !flags.hasQuestion || flags.isDisjoint(with: [.norun, .nocheck]),
            !flags.contains(.exercise) || flags.isDisjoint(with: [.predict, .fails])
        else {
            throw NotebookError(
                .flag, line: line, "incompatible cell flags",
                suggestion: "the solution of an exercise must run, be compared and not fail")
        }
        self = flags
    }
}
