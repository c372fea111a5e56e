/// The conflict rule of a device. The raw values are stored with the device.
package enum SyncRule: String, Sendable, CaseIterable {
    /// Merges field by field; a record stays deleted, and a concurrent edit is kept in the conflict log.
    case merge
    /// The same, but a concurrent edit brings the record back as a new incarnation; the deletion is kept in
    /// the conflict log.
    case editWins
    /// Whole records, the newer `modifiedAt` wins, the loser is discarded. `SeedStore` and `SeedCloud` have
    /// the other faults of the seed document's rule.
    case seed

    /// In words.
    package var words: String {
        switch self {
        case .merge: "by field, against the common ancestor; a deletion wins"
        case .editWins: "the same, but an edit brings a deleted record back as a new one"
        case .seed: "whole records, last writer wins: loses data"
        }
    }
}
