/// What a device knows of a record from the watch link, beside its state.
package struct LinkTrace: Hashable, Sendable {
    /// The latest stamps known of each device, in the devices' order.
    package var seen: [Stamp] = []
    /// How far the first sender had read the zone, of a record that the zone is not known to have.
    package var since: ChangeToken?

    package init(seen: [Stamp] = [], since: ChangeToken? = nil) {
        self.seen = seen
        self.since = since
    }

    /// Adds a stamp to what is known.
    package mutating func see(_ stamp: Stamp) {
        if stamp.isUnknown { return }
        let index = seen.firstIndex { $0.device >= stamp.device } ?? seen.endIndex
        if index < seen.endIndex, seen[index].device == stamp.device {
            if stamp.time > seen[index].time { seen[index] = stamp }
        } else {
            seen.insert(stamp, at: index)
        }
    }

    /// Adds all stamps of a version.
    package mutating func see(_ version: Version) {
        see(version.stamp)
        for field in version.fields { see(field.stamp) }
    }

    /// Whether a write is known. Stamps of a device only grow, and a version holds whatever its device wrote before.
    package func knows(_ stamp: Stamp) -> Bool {
        if stamp.isUnknown { return false }
        return seen.contains { $0.device == stamp.device && $0.time >= stamp.time }
    }
}

/// A record on its way over the watch link: not its values alone, but when and where each was written, what its sender knew,
/// and what the cloud knew.
package struct LinkParcel: Hashable, Sendable {
    package let key: RecordKey
    /// The sender's version, or its tombstone; without the fields that do not travel over the link.
    package let version: Version
    /// What the sender knew.
    package let trace: LinkTrace
    /// The cloud's version as the sender last saw it; `nil` when the cloud was not known to have the record.
    package let base: Version?

    package init(key: RecordKey, version: Version, trace: LinkTrace, base: Version?) {
        self.key = key
        self.version = version
        self.trace = trace
        self.base = base
    }
}
