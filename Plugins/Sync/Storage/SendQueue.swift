/// The records of the outbox in key order. Most are added in that order and removed from the front.
struct SendQueue {
    private var entries: [RecordEntry] = []
    /// Entries before this have nothing to send.
    private var start = 0
    private var isInOrder = true

    /// Adds an entry that has something to send.
    mutating func note(_ entry: RecordEntry) {
        if !entry.isWaiting || entry.isQueued { return }
        if let last = entries.last, last.key > entry.key { isInOrder = false }
        entry.isQueued = true
        entries.append(entry)
    }

    /// The first records that have something to send.
    mutating func first(_ limit: Int) -> [RecordKey] {
        if !isInOrder {
            entries = entries[start...].sorted { $0.key < $1.key }
            start = 0
            isInOrder = true
        }
        while start < entries.count, !entries[start].isWaiting {
            entries[start].isQueued = false
            start += 1
        }
        var keys: [RecordKey] = []
        for entry in entries[start...] where entry.isWaiting {
            if keys.count == limit { break }
            keys.append(entry.key)
        }
        return keys
    }
}
