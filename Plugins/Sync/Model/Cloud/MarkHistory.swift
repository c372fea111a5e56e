import Core

/// The marks of a zone's history, lowest number first: one for each request that saved something.
package struct MarkHistory: Hashable, Sendable {
    package private(set) var marks: [HistoryMark] = []

    package init(_ marks: [HistoryMark] = []) { self.marks = marks }

    /// The newest mark.
    package var last: HistoryMark? { marks.last }

    package mutating func append(_ mark: HistoryMark) { marks.append(mark) }

    /// Whether a device with this witness has read the same history.
    package func knows(_ witness: HistoryMark?) -> Bool {
        guard let witness else { return true }
        let index = firstIndex(from: witness.number)
        return index < marks.count && marks[index] == witness
    }

    /// The newest of the given marks (newest first) that is known here.
    package func common(_ others: [HistoryMark]) -> HistoryMark? { others.first(where: knows) }

    /// The marks after a number, up to the one at another number or the first after it.
    package func passed(after start: Int64, upTo end: Int64) -> [HistoryMark] {
        if start >= end { return [] }
        let first = firstIndex(from: start + 1)
        let last = firstIndex(from: end)
        return Array(marks[first..<max(first, min(last + 1, marks.count))])
    }

    /// The index of the first mark at a number or after it.
    private func firstIndex(from number: Int64) -> Int {
        marks.partitionIndex { $0.number >= number }
    }
}
