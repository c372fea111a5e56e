import Core

/// The acknowledged operations of a device, as runs: operations sent together mostly get consecutive tags. So
/// an acknowledgement need not rewrite the record.
struct Acknowledgements {
    /// A run, and the epoch of its tags.
    struct Run: Hashable, Sendable {
        var operations: OperationRun
        let epoch: UInt64
    }

    /// The outcome of an operation.
    struct Answer: Hashable, Sendable {
        let tag: Int64
        let epoch: UInt64
    }

    /// Runs stored in `sync.db`, the lowest operation first.
    private var saved: [Run]
    /// Runs since the last commit.
    private(set) var new: [Run] = []

    init(_ saved: [Run] = []) { self.saved = saved.sorted(by: Self.isBefore) }

    /// Number of runs.
    var count: Int { saved.count + new.count }

    private static func isBefore(_ left: Run, _ right: Run) -> Bool {
        left.operations.first < right.operations.first
    }

    mutating func add(_ number: UInt64, _ answer: Answer) {
        let last = new.count - 1
        if last >= 0, new[last].epoch == answer.epoch,
            new[last].operations.extend(by: number, tag: answer.tag)
        {
            return
        }
        new.append(Run(operations: OperationRun(number, tag: answer.tag), epoch: answer.epoch))
    }

    /// The outcome of an operation; `nil` if it was not acknowledged before the last commit.
    func answer(to number: UInt64) -> Answer? {
        // The last run that begins at or before the number.
        let next = saved.partitionIndex { $0.operations.first > number }
        guard next > 0 else { return nil }
        let run = saved[next - 1]
        return run.operations.tag(of: number).map { Answer(tag: $0, epoch: run.epoch) }
    }

    /// Marks new acknowledgements as stored.
    mutating func commit() {
        if new.isEmpty { return }
        saved = (saved + new).sorted(by: Self.isBefore)
        new = []
    }

    /// Removes all runs, after they were written into the records.
    mutating func fold() { self = Acknowledgements() }
}
