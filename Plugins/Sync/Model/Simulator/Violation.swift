/// The invariants that the simulator checks, with their numbers.
package enum Invariant: Int, Sendable, CaseIterable {
    case converges = 1
    case nothingLost = 2
    case deliveringAgainChangesNothing = 3
    case deletedStaysDeleted = 4
    case tokensSkipNothing = 5
    case blobBeforeRecord = 6
    case outboxSurvives = 7
    case accountsStayApart = 8
    case vanishedIsExplained = 9
    case waitsAlone = 10
    case timesAreNear = 11

    /// In words.
    package var words: String {
        switch self {
        case .converges: "all devices and the cloud become equal"
        case .nothingLost: "every acknowledged write is current, an ancestor, or kept as a conflict"
        case .deliveringAgainChangesNothing: "delivering everything again changes nothing"
        case .deletedStaysDeleted: "no deleted record returns without being recreated"
        case .tokensSkipNothing: "tokens grow within an epoch and skip nothing"
        case .blobBeforeRecord: "no record is visible before its blob"
        case .outboxSurvives: "the outbox survives a crash"
        case .accountsStayApart: "no account gets another's records"
        case .vanishedIsExplained: "everything that a sync removes is explained"
        case .waitsAlone: "a record without its photo waits visibly, and nothing else does"
        case .timesAreNear: "no change counts as made more than a day from now"
        }
    }
}

/// A violated invariant and its symptom.
package struct Violation: Sendable, Hashable, Error {
    package let invariant: Invariant
    package let detail: String

    package init(invariant: Invariant, detail: String) {
        self.invariant = invariant
        self.detail = detail
    }
}
