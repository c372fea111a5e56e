/// Records every write of the simulated users and its parent, to detect lost writes at the end. A write is a
/// number; the field holds that number.
struct Ledger: Sendable {
    private struct Node: Sendable {
        /// Its parents: the previous value of the field, or the deletion.
        var parents: (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    }

    private struct Deletion: Sendable {
        let device: Int
        let node: Int32
        let record: Int
        let incarnation: UInt32
        /// Whether the data of its device is gone.
        var isOrphan = false
    }

    private var nodes: [Node] = [Node()]
    private var deletions: [Deletion] = []
    private var withdrawn: [Int32] = []
    /// The user's last deletion of a record on a device that the engine has not seen yet.
    private var open: [Int32]
    private let records: Int

    init(devices: Int, records: Int) {
        open = Array(repeating: 0, count: devices * records)
        self.records = records
    }

    /// Adds a write with a parent; 0 if there was none.
    mutating func write(upon parent: Int32) -> Int32 {
        nodes.append(Node(parents: (parent, 0, 0, 0)))
        return Int32(nodes.count - 1)
    }

    /// The parent of a record created on a device: its deletion there, if the engine has not seen it. Then
    /// the deletion does not count, because only this device ever knew of it.
    mutating func reopen(device: Int, record: Int, isSeen: Bool) -> Int32 {
        let node = open[device * records + record]
        open[device * records + record] = 0
        if node == 0 || isSeen { return 0 }
        deletions.removeAll { $0.node == node }
        return node
    }

    /// Adds a deletion of values; `incarnation` is `nil` for a record that the engine has never seen, and
    /// whose deletion is never sent.
    mutating func delete(device: Int, record: Int, values: [Int32], incarnation: UInt32?) {
        func value(_ index: Int) -> Int32 { index < values.count ? values[index] : 0 }
        nodes.append(Node(parents: (value(0), value(1), value(2), value(3))))
        let node = Int32(nodes.count - 1)
        open[device * records + record] = node
        if let incarnation {
            deletions.append(Deletion(device: device, node: node, record: record, incarnation: incarnation))
        } else {
            withdrawn.append(node)
        }
    }

    /// The user's unseen deletions on a device, to copy them with its data.
    func unseen(_ device: Int) -> [Int32] { Array(open[(device * records)..<((device + 1) * records)]) }

    mutating func setUnseen(_ device: Int, _ nodes: [Int32]) {
        open.replaceSubrange((device * records)..<((device + 1) * records), with: nodes)
    }

    /// Withdraws values that were lost with a device's data; no other device can have them.
    mutating func withdraw(_ values: some Sequence<Int32>) { withdrawn += values }

    /// Withdraws deletions lost with a device's data, unless `isKnown` reports that the cloud has them.
    mutating func withdrawDeletions(
        _ device: Int, unless isKnown: (_ record: Int, _ incarnation: UInt32) -> Bool
    ) {
        for deletion in deletions where deletion.device == device {
            if !isKnown(deletion.record, deletion.incarnation) { withdrawn.append(deletion.node) }
        }
        deletions.removeAll { $0.device == device && !isKnown($0.record, $0.incarnation) }
        for index in deletions.indices where deletions[index].device == device {
            deletions[index].isOrphan = true
        }
    }

    /// Whether there is a deletion of a record whose device lost its data.
    func hasOrphan(of record: Int) -> Bool { deletions.contains { $0.isOrphan && $0.record == record } }

    /// Withdraws deletions that no device or cloud stores. A device that still has its data must
    /// store its own.
    mutating func withdrawForgotten(unless isKnown: (_ record: Int, _ incarnation: UInt32) -> Bool) {
        let forgotten = deletions.filter { $0.isOrphan && !isKnown($0.record, $0.incarnation) }.map(\.node)
        if forgotten.isEmpty { return }
        withdrawn += forgotten
        deletions.removeAll { forgotten.contains($0.node) }
    }

    /// The highest incarnation of a record deleted by a user; 0 if none.
    func deletedIncarnation(_ record: Int) -> UInt32 {
        deletions.reduce(0) { $1.record == record ? max($0, $1.incarnation) : $0 }
    }

    /// A write that is neither current, nor an ancestor of a current one, nor kept; `nil` if there is none.
    ///
    /// `current` are the current and kept values; `final` returns a record's last incarnation and whether it
    /// is deleted.
    func lost(current: [Int32], final: (Int) -> (incarnation: UInt32, isDeleted: Bool), countsAll: Bool)
        -> Int32?
    {
        var reached = [Bool](repeating: false, count: nodes.count)
        reached[0] = true
        var stack = current + withdrawn
        for deletion in deletions {
            let end = final(deletion.record)
            // If the record ends deleted, every user who deleted it got the intended result, even for an
            // incarnation that no other device has seen.
            if countsAll || end.isDeleted || deletion.incarnation < end.incarnation {
                stack.append(deletion.node)
            }
        }
        while let node = stack.popLast() {
            if node <= 0 || Int(node) >= nodes.count || reached[Int(node)] { continue }
            reached[Int(node)] = true
            let parents = nodes[Int(node)].parents
            stack.append(parents.0)
            if parents.1 != 0 { stack.append(parents.1) }
            if parents.2 != 0 { stack.append(parents.2) }
            if parents.3 != 0 { stack.append(parents.3) }
        }
        // A deletion that does not count was overruled, which has its own check.
        for deletion in deletions { reached[Int(deletion.node)] = true }
        return reached.firstIndex(of: false).map { Int32($0) }
    }
}
