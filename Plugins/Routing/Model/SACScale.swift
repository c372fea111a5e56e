/// The grades of the Swiss Alpine Club's hiking scale, in order. The raw values are OSM's.
package enum SACScale: String, Sendable, Hashable, CaseIterable, Comparable {
    case hiking
    case mountainHiking = "mountain_hiking"
    case demandingMountainHiking = "demanding_mountain_hiking"
    case alpineHiking = "alpine_hiking"
    case demandingAlpineHiking = "demanding_alpine_hiking"
    case difficultAlpineHiking = "difficult_alpine_hiking"

    /// 1 for T1 … 6 for T6.
    package var grade: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }

    /// The grade of a number 1…6, or of `T1`…`T6`.
    package init?(grade: Int) {
        guard Self.allCases.indices.contains(grade - 1) else { return nil }
        self = Self.allCases[grade - 1]
    }

    /// The grade of a tag's value: the hardest of a list such as `hiking;alpine_hiking`, also written `T4`, `t4+`, and the
    /// hardest that a doubtful text names, such as `T2-T4`; `nil` if none is known.
    package init?(tag: String) {
        guard let hardest = Self.parts(tag).compactMap({ Self.one($0) ?? Self.named(in: $0) }).max() else {
            return nil
        }
        self = hardest
    }

    /// Whether a part of a tag's value is neither a grade nor a statement that there is none.
    static func isDoubtful(_ tag: String) -> Bool {
        parts(tag).contains { one($0) == nil && !ungraded.contains($0) }
    }

    /// Values of ways that need no grade.
    private static let ungraded: Set<String> = ["no", "none", "strolling"]

    private static func parts(_ tag: String) -> [String] {
        tag.lowercased().split { ";,|/".contains($0) }.map { part in
            part.split(whereSeparator: \.isWhitespace).joined(separator: "_")
        }
    }

    private static func one(_ part: String) -> SACScale? {
        if let known = SACScale(rawValue: part) { return known }
        guard part.hasPrefix("t") else { return nil }
        let digits = part.dropFirst().prefix { $0 != "+" && $0 != "-" }
        return part.dropFirst(digits.count + 1).count > 1 ? nil : Int(digits).flatMap(SACScale.init(grade:))
    }

    /// The hardest grade that a text names among other words, or that is a plain number: `t2-t4`, `t3_(short_t4)`, `4`.
    private static func named(in part: String) -> SACScale? {
        let words = part.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let isPlain = words.allSatisfy { Int($0) != nil }
        let numbered = words.compactMap { $0 == hiking.rawValue ? nil : one(isPlain ? "t" + $0 : $0) }
        // `hiking` is the last word of every grade: among other words it says nothing.
        let text = "_\(words.joined(separator: "_"))_"
        return (numbered + allCases.dropFirst().filter { text.contains("_\($0.rawValue)_") }).max()
    }

    package static func < (left: SACScale, right: SACScale) -> Bool { left.grade < right.grade }
}
