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

    package static func < (left: SACScale, right: SACScale) -> Bool { left.grade < right.grade }
}
