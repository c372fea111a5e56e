/// The faults of the simulator.
package enum Fault: String, Sendable, CaseIterable {
    /// A request does not reach the cloud.
    case lostRequest
    /// The cloud handles a request, but the reply is lost.
    case lostReply
    /// A message arrives a second time, later.
    case duplicate
    /// Messages overtake each other.
    case reorder
    /// A device's process ends.
    case crash
    /// A device's process ends between two of its writes.
    case crashMidBatch
    /// A device has no connection.
    case offline
    /// Messages of some devices are delayed.
    case partition
    /// A device's clock is wrong by minutes, or by up to half a day.
    case clockSkew
    /// The cloud is restored from an old copy.
    case restore
    /// The cloud discards old tombstones.
    case forget
    /// A device's data is restored from a backup.
    case backup
    /// A device's data is copied to another device.
    case clone
    /// A device's app is installed again, without its data.
    case reinstall
    /// The cloud is restored from an old copy without a new epoch, and others write to it.
    case putBack
    /// A device signs in to another account.
    case account
    /// A newer app saves records of a type unknown to the others.
    case unknown
    /// The first two devices also send records over the watch link, where items are delayed, duplicated and
    /// lost.
    case link
    /// The cloud loses or damages photos.
    case photos
    /// An app's store alone is replaced by an older one.
    case olderStore
    /// An app's store is missing or empty.
    case emptiedStore
    /// A row or document cannot be read for a while: malformed, or its file is evicted.
    case unreadableRow
    /// An app adds a column to its store, or drops one.
    case schema
    /// A device's clock is years ahead.
    case farClock

    /// In words.
    package var words: String {
        switch self {
        case .lostRequest: "a request does not reach the cloud"
        case .lostReply: "an answer does not reach the device"
        case .duplicate: "a message arrives a second time, later"
        case .reorder: "messages overtake each other"
        case .crash: "a device's process ends"
        case .crashMidBatch: "a process ends between two of its writes"
        case .offline: "a device has no connection"
        case .partition: "messages of a device are delayed"
        case .clockSkew: "a clock is wrong by up to half a day"
        case .restore: "the cloud is restored from an old copy"
        case .forget: "the cloud discards old tombstones"
        case .backup: "a device's data is restored from a backup"
        case .clone: "a device's data is copied to another device"
        case .reinstall: "an app is installed again, without its data"
        case .putBack: "the cloud is restored from a copy without a new epoch"
        case .account: "a device signs in to another account"
        case .unknown: "a newer app saves records of an unknown type"
        case .link: "records are also sent over the watch link"
        case .photos: "the cloud loses or damages a photo"
        case .olderStore: "an app's store is replaced by an older one"
        case .emptiedStore: "an app's store is missing or empty"
        case .unreadableRow: "a row cannot be read, or its file is evicted"
        case .schema: "an app adds a column to its store, or drops one"
        case .farClock: "a clock is years ahead"
        }
    }
}

/// A set of faults.
package struct Faults: Sendable, Hashable {
    private var bits: UInt32 = 0

    package init(_ faults: some Sequence<Fault>) {
        for fault in faults { bits |= Self.bit(fault) }
    }

    package static let all = Faults(Fault.allCases)
    package static let none = Faults([])

    @inline(__always)
    package func has(_ fault: Fault) -> Bool { bits & Self.bit(fault) != 0 }

    @inline(__always)
    private static func bit(_ fault: Fault) -> UInt32 {
        switch fault {
        case .lostRequest: 1
        case .lostReply: 2
        case .duplicate: 4
        case .reorder: 8
        case .crash: 16
        case .crashMidBatch: 32
        case .offline: 64
        case .partition: 128
        case .clockSkew: 256
        case .restore: 512
        case .forget: 1024
        case .backup: 2048
        case .clone: 4096
        case .reinstall: 8192
        case .putBack: 16384
        case .account: 32768
        case .unknown: 65536
        case .link: 131_072
        case .photos: 262_144
        case .olderStore: 524_288
        case .emptiedStore: 1_048_576
        case .unreadableRow: 2_097_152
        case .schema: 4_194_304
        case .farClock: 8_388_608
        }
    }
}
