/// The settings of sync.
enum SyncSettings {
    /// Operations in one request.
    static let batch = 2000
    /// Records in one page of changes or of a full fetch.
    static let page = 2000
    /// Records in one page of a range that `sync compare` reads: a few more than such a range has.
    static let pageOfRange = 32
    /// Marks of the history that go along with a full fetch, and that a device asks about at a time.
    static let marksOfFetch = 256
    static let marksAsked = 4096
    /// Writes of a field that are remembered for the watch link. One that is forgotten makes a conflict that is none, never a loss.
    static let writesRemembered = 32
    /// Bytes of a page of `sync.db` and of the embedded cloud, whose rows of some hundred bytes are written in bulk: a log
    /// of larger pages is written with fewer calls.
    static let pageSize = 16_384
    /// Runs of acknowledged operations that are kept beside the records before they are written into them.
    static let mostAcknowledgements = 64
    /// Attempts before a sync gives up.
    static let attempts = 4
    /// Seconds before the second attempt; doubled before each further one.
    static let firstDelay = 2.0
    /// Share of a delay that is randomised.
    static let jitter = 0.25
    /// Share of a store that a sync may delete without permission.
    static let massDeletion = 0.1
    /// Fewer deletions than this are never taken for a mass.
    static let fewDeletions = 3
    /// Bytes that the fields of one record may have together, without its blobs.
    static let largestRecord = 1 << 20
    /// Bytes that one blob may have.
    static let largestBlob = 64 << 20
    /// Bytes of small blobs that are sent or got together, and of a part of a larger one. Of what is under way there are a few
    /// copies in memory, such as the message and the library's: together less than 8 MB.
    static let blobPart = 1 << 20
    /// Bytes of blobs that have come in before their records are written, so that they are on the device twice.
    static let mostStaged: Int64 = 64 << 20
    /// Changes that a device may be behind before the cloud forgets without it.
    static let mostBehind: Int64 = 20_000
    /// Changes that the cloud forgets together at least, and operations of a replica.
    static let leastCollected: Int64 = 64
    /// How often the parts of a blob may come to nothing before it is given up.
    static let blobRestarts = 2
    /// Milliseconds that a device's clock may be away from the cloud's: a day.
    static let clockTolerance: Int64 = 86_400_000
    /// Fields that hold the time of a record's change, in the types' own spelling.
    static let momentKeys: Set<String> = ["modified_at", "modifiedAt"]
    /// Rounds of syncing of all devices within which they must be equal.
    static let settlingRounds = 8
}
