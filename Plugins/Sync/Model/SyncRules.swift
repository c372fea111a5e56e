/// The rules by which devices and cloud work. The defaults are right; every other value is a fault that the
/// simulator's tests switch on, to see it caught, or the seed's own rule, to see its harm.
struct SyncRules: Sendable, Hashable {
    /// What happens to an edit made elsewhere while a record was deleted.
    enum Deletion: String, Sendable, CaseIterable {
        /// The record stays deleted; the edit is kept in the conflict log.
        case deleteWins
        /// The record is made again as a new incarnation; the deletion is kept in the conflict log.
        case editWins
    }

    /// Edit against delete.
    var deletion = Deletion.deleteWins

    /// Whole records, the newer `modifiedAt` wins, nothing is kept of the loser.
    var wholeRecords = false
    /// Deleting takes the record out of the cloud, which forgets it.
    var forgetsDeletions = false
    /// The cloud does not remember which operations it has done.
    var noOperationIdentifiers = false
    /// The cloud saves whatever comes, whatever it was based on.
    var noTagCheck = false
    /// The token is made durable before what it covers.
    var tokenBeforeApply = false
    /// Numbers are given before the transaction is done, as a database sequence does.
    var sequenceNumbers = false
    /// The token of a page is the zone's head, not the number of the page's last record.
    var tokenIsHead = false
    /// An edit leaves the outbox when it is sent.
    var outboxClearedOnSend = false
    /// An acknowledgement marks the present content as saved, not the content that was sent.
    var acknowledgesPresent = false
    /// An acknowledgement is taken for any operation of the record.
    var acknowledgesAnyOperation = false
    /// An operation sent again keeps its identifier, but takes the present content along.
    var resendsOtherContent = false
    /// Records that come in are written over edits that were not sent yet.
    var pullsOverEdits = false
    /// Blobs are sent after the record that names them, and the cloud does not ask for them.
    var blobAfterRecord = false
    /// A record made again has the incarnation of the deleted one.
    var sameIncarnation = false
    /// Devices do not look at the epoch: after the cloud was restored they go on with their old token.
    var ignoresEpoch = false
    /// The cloud answers tokens below its floor as if nothing had been forgotten.
    var ignoresFloor = false
    /// A full fetch leaves records alone that are no longer in the cloud.
    var keepsMissing = false
    /// What was to be written into the app's store is not looked at again after a crash.
    var forgetsIntents = false
    /// Fields that this app does not know are dropped when it sends a record.
    var dropsUnknownFields = false

    /// A record that the cloud refuses for good ends the batch that it is in.
    var refusalEndsBatch = false
    /// A sync deletes whatever it has to, however much.
    var deletesWithoutAsking = false

    /// The default rule.
    static let merge = SyncRules()
    /// The seed's plain rule.
    static let seed = SyncRules(
        wholeRecords: true, forgetsDeletions: true, noOperationIdentifiers: true, noTagCheck: true,
        acknowledgesPresent: true, dropsUnknownFields: true, refusalEndsBatch: true,
        deletesWithoutAsking: true)
}
