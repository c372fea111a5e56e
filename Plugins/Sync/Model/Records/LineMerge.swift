/// The three-way merge of a text by lines: a line that only one side changed keeps that change. Both devices come to the
/// same text, whichever merges.
enum LineMerge {
    /// A merged text.
    struct Outcome: Hashable {
        let text: String
        /// Whether both sides changed the same lines: there the winner's stand.
        let hasConflict: Bool
    }

    /// Cells of the table of common lines; longer texts are conflicts as a whole.
    static let largestTable = 4_000_000

    /// A stretch of the ancestor and what replaces it.
    private struct Change: Hashable {
        let range: Range<Int>
        let lines: [Substring]
    }

    /// How the lines of a text end.
    private enum LineEnd {
        /// There is one line only.
        case none
        case lineFeed
        case carriageReturn
        case mixed

        init(_ text: String) {
            var last: Unicode.Scalar?
            var (feeds, returns) = (0, 0)
            for scalar in text.unicodeScalars {
                if scalar == "\n" {
                    feeds += 1
                    if last == "\r" { returns += 1 }
                }
                last = scalar
            }
            self =
                feeds == 0 ? .none : returns == 0 ? .lineFeed : returns == feeds ? .carriageReturn : .mixed
        }
    }

    /// Merges two changes of a text; `nil` if it has one line only or is too long. A side that rewrote the ends of all lines
    /// changed no line by that: the other side's lines stand, with the new ends.
    static func merge(base: String, winner: String, other: String) -> Outcome? {
        let ends = [winner, other, base].map(LineEnd.init)
        guard ends.contains(.carriageReturn), ends.contains(.lineFeed), !ends.contains(.mixed) else {
            return mergeLines(base: base, winner: winner, other: other)
        }
        let (plain, end) = (
            [base, winner, other].map(withLineFeeds), ends.first { $0 != .none && $0 != ends[2] }
        )
        guard let merged = mergeLines(base: plain[0], winner: plain[1], other: plain[2]) else { return nil }
        if end != .carriageReturn { return merged }
        return Outcome(
            text: lines(merged.text).joined(separator: "\r\n"), hasConflict: merged.hasConflict)
    }

    private static func withLineFeeds(_ text: String) -> String {
        lines(text).map { line in
            var line = line.unicodeScalars
            if line.last == "\r" { line.removeLast() }
            return String(line)
        }.joined(separator: "\n")
    }

    private static func mergeLines(base: String, winner: String, other: String) -> Outcome? {
        let (old, left, right) = (lines(base), lines(winner), lines(other))
        if max(old.count, left.count, right.count) < 2 { return nil }
        guard let mine = changes(old, left), let theirs = changes(old, right) else { return nil }
        var merged: [Substring] = []
        var hasConflict = false
        var position = 0
        var (m, t) = (0, 0)
        while m < mine.count || t < theirs.count {
            let group = nextGroup(mine, &m, theirs, &t)
            merged += old[position..<group.range.lowerBound]
            position = group.range.upperBound
            if group.theirs.isEmpty || group.mine == group.theirs {
                merged += applied(group.mine, old, group.range)
            } else if group.mine.isEmpty {
                merged += applied(group.theirs, old, group.range)
            } else {
                let (ours, others) = (
                    applied(group.mine, old, group.range), applied(group.theirs, old, group.range)
                )
                merged += ours
                if ours != others { hasConflict = true }
            }
        }
        merged += old[position...]
        return Outcome(text: merged.joined(separator: "\n"), hasConflict: hasConflict)
    }

    /// The lines; the separator is the line feed alone, so that a carriage return stays part of its line.
    private static func lines(_ text: String) -> [Substring] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// The next changes of both sides that touch each other, and the stretch they cover.
    private static func nextGroup(
        _ mine: [Change], _ m: inout Int, _ theirs: [Change], _ t: inout Int
    ) -> (range: Range<Int>, mine: [Change], theirs: [Change]) {
        let first = [mine.dropFirst(m).first, theirs.dropFirst(t).first].compactMap { $0 }
            .min { $0.range.lowerBound < $1.range.lowerBound }
        var range = first?.range ?? 0..<0
        var group: (mine: [Change], theirs: [Change]) = ([], [])
        func touches(_ change: Change) -> Bool {
            change.range.lowerBound <= range.upperBound
                && (change.range.lowerBound < range.upperBound || change.range.isEmpty || range.isEmpty
                    || change.range == range)
        }
        var grows = true
        while grows {
            grows = false
            while m < mine.count, touches(mine[m]) {
                group.mine.append(mine[m])
                range = range.lowerBound..<max(range.upperBound, mine[m].range.upperBound)
                m += 1
                grows = true
            }
            while t < theirs.count, touches(theirs[t]) {
                group.theirs.append(theirs[t])
                range = range.lowerBound..<max(range.upperBound, theirs[t].range.upperBound)
                t += 1
                grows = true
            }
        }
        return (range, group.mine, group.theirs)
    }

    /// A stretch of the ancestor with some changes.
    private static func applied(_ changes: [Change], _ old: [Substring], _ range: Range<Int>) -> [Substring] {
        var lines: [Substring] = []
        var position = range.lowerBound
        for change in changes {
            lines += old[position..<change.range.lowerBound] + change.lines
            position = change.range.upperBound
        }
        return lines + old[position..<range.upperBound]
    }

    /// The changes from one text to another, by a longest common subsequence of lines; `nil` if the texts are too long.
    private static func changes(_ old: [Substring], _ new: [Substring]) -> [Change]? {
        var start = 0
        while start < min(old.count, new.count), isSame(old[start], new[start]) { start += 1 }
        var end = 0
        while end < min(old.count, new.count) - start,
            isSame(old[old.count - 1 - end], new[new.count - 1 - end])
        {
            end += 1
        }
        let (rows, columns) = (old.count - start - end, new.count - start - end)
        if rows == 0 && columns == 0 { return [] }
        guard (rows + 1) * (columns + 1) <= largestTable else { return nil }
        // Lengths of the longest common subsequences of the rests.
        let width = columns + 1
        var lengths = [Int32](repeating: 0, count: (rows + 1) * width)
        for i in stride(from: rows - 1, through: 0, by: -1) {
            for j in stride(from: columns - 1, through: 0, by: -1) {
                lengths[i * width + j] =
                    isSame(old[start + i], new[start + j])
                    ? lengths[(i + 1) * width + j + 1] + 1
                    : max(lengths[(i + 1) * width + j], lengths[i * width + j + 1])
            }
        }
        var changes: [Change] = []
        var (i, j) = (0, 0)
        while i < rows || j < columns {
            let (fromRow, fromColumn) = (i, j)
            while i < rows || j < columns {
                if i < rows, j < columns, isSame(old[start + i], new[start + j]) { break }
                if j >= columns || (i < rows && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) {
                    i += 1
                } else {
                    j += 1
                }
            }
            if i > fromRow || j > fromColumn {
                changes.append(
                    Change(
                        range: start + fromRow..<start + i, lines: Array(new[start + fromColumn..<start + j]))
                )
            }
            while i < rows, j < columns, isSame(old[start + i], new[start + j]) {
                i += 1
                j += 1
            }
        }
        return changes
    }

    /// Compares the characters as they are stored: composed and decomposed letters are different texts.
    private static func isSame(_ left: Substring, _ right: Substring) -> Bool {
        left.unicodeScalars.elementsEqual(right.unicodeScalars)
    }
}
