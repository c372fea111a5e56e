/// The settings of sync.
enum SyncSettings {
    /// Operations in one request.
    static let batch = 2000
    /// Records in one page of changes or of a full fetch.
    static let page = 2000
    /// Records in one page of a range read by `sync compare`: a few more than such a range has.
    static let pageOfRange = 32
    /// Marks of the history sent with a full fetch, and compared by a device at a time.
    static let marksOfFetch = 256
    static let marksCompared = 4096
    /// Writes of a field remembered for the watch link. A forgotten write causes a needless conflict, never a
    /// loss.
    static let writesRemembered = 32
    /// Bytes of a page of `sync.db` and of the embedded cloud, whose rows of some hundred bytes are written
    /// in bulk: larger pages need fewer calls for the log.
    static let pageSize = 16_384
    /// Runs of acknowledged operations stored beside the records before they are written into them.
    static let mostAcknowledgements = 64
    /// Attempts before a sync gives up.
    static let attempts = 4
    /// Seconds before the second attempt; doubled before each further one.
    static let firstDelay = 2.0
    /// Seconds to wait after an attempt, counted from 1: 2, 4, 8, 16.
    static func delay(after attempt: Int) -> Double { firstDelay * Double(1 << (attempt - 1)) }
    /// Share of a delay that is randomised.
    static let jitter = 0.25
    /// Share of a store that a sync may delete without permission.
    static let massDeletion = 0.1
    /// Fewer deletions than this never count as many.
    static let fewDeletions = 3
    /// Maximum bytes of a record's fields, without its blobs.
    static let largestRecord = 1 << 20
    /// Maximum bytes of a blob.
    static let largestBlob = 64 << 20
    /// Bytes of small blobs sent or received together, and of a part of a larger one. A few copies are in
    /// memory, such as the message and the library's buffer: together less than 8 MB.
    static let blobPart = 1 << 20
    /// Bytes of photos and tracks above which a row is not rewritten for the name of its record.
    static let largestRewrittenRow = 8 << 20
    /// Bytes of received blobs before their records are written; until then they are stored twice.
    static let mostStaged: Int64 = 64 << 20
    /// Changes that a device may be behind before the cloud discards history regardless of it.
    static let mostBehind: Int64 = 20_000
    /// Minimum number of changes, and of a replica's operations, that the cloud discards at a time.
    static let leastCollected: Int64 = 64
    /// How often the upload of a blob may restart without progress before it is given up.
    static let blobRestarts = 2
    /// Maximum difference between a device's clock and the cloud's in milliseconds: a day.
    static let clockTolerance: Int64 = 86_400_000
    /// Whether a clock is so far off, in milliseconds, that times of it say nothing. Nothing is stamped by such a clock: the
    /// hybrid clocks of all devices would follow it, and its changes would win, or lose, for years.
    static func isFar(_ offset: Int64) -> Bool { offset.magnitude > clockTolerance.magnitude }
    /// Fields with the time of a record's change, in each type's spelling.
    static let momentKeys: Set<String> = ["modified_at", "modifiedAt"]
    /// How often rows that exchange unique values are tried without those that are refused for another reason.
    static let exchangeAttempts = 64
    /// Maximum number of rounds in which all devices sync until they are equal.
    static let settlingRounds = 8
}
