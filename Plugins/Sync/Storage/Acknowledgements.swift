/// Which of a device's operations the cloud has acknowledged, as runs: those that were sent together mostly get tags in a
/// row. So an acknowledgement need not write the record again that it is about.
struct Acknowledgements {
    /// Operations `first ..< first + count`, which got the tags from `tag` on.
    struct Run: Hashable, Sendable {
        let first: UInt64
        let tag: Int64
        let epoch: UInt64
        var count: Int64
    }

    /// What became of an operation.
    struct Answer: Hashable, Sendable {
        let tag: Int64
        let epoch: UInt64
    }

    /// Those that `sync.db` has, the lowest operation first.
    private var saved: [Run]
    /// Those since the last commit.
    private(set) var new: [Run] = []

    init(_ saved: [Run] = []) { self.saved = saved.sorted { $0.first < $1.first } }

    /// How many runs there are.
    var count: Int { saved.count + new.count }

    mutating func add(_ number: UInt64, _ answer: Answer) {
        if let last = new.last, last.epoch == answer.epoch, last.first &+ UInt64(last.count) == number,
            last.tag + last.count == answer.tag
        {
            new[new.count - 1].count += 1
        } else {
            new.append(Run(first: number, tag: answer.tag, epoch: answer.epoch, count: 1))
        }
    }

    /// What became of an operation; `nil` when it was not acknowledged before the last commit.
    func answer(to number: UInt64) -> Answer? {
        // The last run that begins at the number or before it.
        var (low, high) = (0, saved.count)
        while low < high {
            let middle = (low + high) / 2
            if saved[middle].first <= number { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let run = saved[low - 1]
        let step = number - run.first
        guard step < UInt64(run.count) else { return nil }
        return Answer(tag: run.tag + Int64(step), epoch: run.epoch)
    }

    /// Takes what is new as saved.
    mutating func commit() {
        if new.isEmpty { return }
        saved = (saved + new).sorted { $0.first < $1.first }
        new = []
    }

    /// Forgets everything, once the records themselves say it.
    mutating func fold() { self = Acknowledgements() }
}
