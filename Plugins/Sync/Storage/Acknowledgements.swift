import Core

/// Which of a device's operations the cloud has acknowledged, as runs: those that were sent together mostly get tags in a
/// row. So an acknowledgement need not write the record again that it is about.
struct Acknowledgements {
    /// A run, and the epoch that its tags are of.
    struct Run: Hashable, Sendable {
        var operations: OperationRun
        let epoch: UInt64
    }

    /// The outcome of an operation.
    struct Answer: Hashable, Sendable {
        let tag: Int64
        let epoch: UInt64
    }

    /// Those that `sync.db` has, the lowest operation first.
    private var saved: [Run]
    /// Those since the last commit.
    private(set) var new: [Run] = []

    init(_ saved: [Run] = []) { self.saved = saved.sorted(by: Self.isBefore) }

    /// How many runs there are.
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
        // The last run that begins at the number or before it.
        let next = saved.partitionIndex { $0.operations.first > number }
        guard next > 0 else { return nil }
        let run = saved[next - 1]
        return run.operations.tag(of: number).map { Answer(tag: $0, epoch: run.epoch) }
    }

    /// Marks new acknowledgements as saved.
    mutating func commit() {
        if new.isEmpty { return }
        saved = (saved + new).sorted(by: Self.isBefore)
        new = []
    }

    /// Forgets everything, once the records themselves say it.
    mutating func fold() { self = Acknowledgements() }
}
