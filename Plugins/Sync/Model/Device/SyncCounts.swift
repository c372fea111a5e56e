/// The counts of a sync.
package struct SyncCounts: Hashable, Sendable {
    /// Records that the cloud acknowledged.
    package var pushed = 0
    /// Received records that changed something.
    package var pulled = 0
    /// Records deleted here.
    var deleted = 0
    /// Saves refused because the cloud had another version.
    var refused = 0
    /// Records parked because the cloud rejected them permanently.
    var parked = 0
    /// Records that wait for photos or tracks.
    package var heldBack = 0
    /// How often the device got a new identity.
    package var renewals = 0
    /// How often the cloud had a different history.
    var rewinds = 0

    package init() {}
}
