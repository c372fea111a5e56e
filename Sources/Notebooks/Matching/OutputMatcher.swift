/// Matches expected lines with actual lines.
struct OutputMatcher {
    /// An expected line and the actual one it matches.
    struct Pair { let expected: Int, actual: Int }

    let expected: [OutputPattern.Line]
    let actual: [String]
    let bindings: [String: String]

    /// Ordered matching. Each section between two gaps is searched from the top and its first match is used;
    /// since a gap matches anything, a later match could not do better. No backtracking.
    func ordered() -> [Pair]? {
        let segments = expected.indices.split(omittingEmptySubsequences: false) { isGap($0) }
        guard let first = segments.first, let last = segments.last else { return nil }
        if segments.count == 1 {
            return actual.count == expected.count ? pairs(first, at: 0) : nil
        }
        let tail = actual.count - last.count
        guard first.count <= tail, var pairs = pairs(first, at: 0), let end = self.pairs(last, at: tail)
        else {
            return nil
        }
        var position = first.count
        for segment in segments.dropFirst().dropLast() {
            guard let found = firstMatch(of: segment, from: position, to: tail) else { return nil }
            pairs += found
            position = (found.last?.actual ?? position - 1) + 1
        }
        return pairs + end
    }

    private func isGap(_ index: Int) -> Bool { expected[index].isGap }

    private func pairs(_ segment: Range<Int>, at position: Int) -> [Pair]? {
        guard position >= 0, position + segment.count <= actual.count else { return nil }
        var pairs: [Pair] = []
        for (offset, index) in segment.enumerated() {
            guard expected[index].matches(actual[position + offset], bindings) else { return nil }
            pairs.append(Pair(expected: index, actual: position + offset))
        }
        return pairs
    }

    private func firstMatch(of segment: Range<Int>, from start: Int, to end: Int) -> [Pair]? {
        guard !segment.isEmpty else { return [] }
        var position = start
        while position + segment.count <= end {
            if let found = pairs(segment, at: position) { return found }
            position += 1
        }
        return nil
    }

    /// Unordered matching, each line used once; unmatched lines are allowed only if `...` is expected.
    func unordered() -> [Pair]? {
        let (pairs, missing, left) = assignment()
        guard missing.isEmpty else { return nil }
        return left.isEmpty || expected.indices.contains(where: isGap) ? pairs : nil
    }

    /// The maximum unordered matching, and the unmatched lines of both sides.
    func assignment() -> (pairs: [Pair], missing: [Int], left: [Int]) {
        var positions = Dictionary(grouping: actual.indices.reversed()) { Array(actual[$0].utf8) }
        var pairs: [Pair] = []
        var patterns: [Int] = []
        var missing: [Int] = []
        for index in expected.indices {
            switch expected[index] {
            case .gap: continue
            case .pattern: patterns.append(index)
            case .exact(let text):
                // Equal lines are interchangeable, so any choice is optimal.
                guard let position = positions[Array(text.utf8)]?.popLast() else {
                    missing.append(index)
                    continue
                }
                pairs.append(Pair(expected: index, actual: position))
            }
        }
        let taken = Set(pairs.map(\.actual))
        let free = actual.indices.filter { !taken.contains($0) }
        // Patterns that match any line use the remaining lines and need no search.
        let choosy = patterns.filter { !expected[$0].takesAnything }
        let found = BipartiteMatching(left: choosy.count, right: free.count) {
            expected[choosy[$0]].matches(actual[free[$1]], bindings)
        }.pairs()
        pairs += found.map { Pair(expected: choosy[$0.left], actual: free[$0.right]) }
        let chosen = Set(pairs.map(\.actual))
        let rest = free.filter { !chosen.contains($0) }
        pairs += zip(patterns.filter { expected[$0].takesAnything }, rest).map {
            Pair(expected: $0, actual: $1)
        }
        let pairedExpected = Set(pairs.map(\.expected))
        let pairedActual = Set(pairs.map(\.actual))
        missing += patterns.filter { !pairedExpected.contains($0) }
        return (
            pairs.sorted { $0.expected < $1.expected }, missing.sorted(),
            actual.indices.filter { !pairedActual.contains($0) }
        )
    }
}

/// A maximum bipartite matching by augmenting paths.
struct BipartiteMatching {
    private let leftCount: Int
    private let rightCount: Int
    private let neighbours: [[Int]]

    init(left: Int, right: Int, areCompatible: (Int, Int) -> Bool) {
        leftCount = left
        rightCount = right
        neighbours = (0..<left).map { l in (0..<right).filter { areCompatible(l, $0) } }
    }

    func pairs() -> [(left: Int, right: Int)] {
        var partner: [Int?] = Array(repeating: nil, count: rightCount)
        for left in 0..<leftCount { augment(from: left, &partner) }
        return partner.enumerated().compactMap { right, left in left.map { ($0, right) } }
    }

    /// Breadth-first search from an unmatched line to a free partner; then the path's edges are flipped.
    private func augment(from start: Int, _ partner: inout [Int?]) {
        var cameFrom: [Int?] = Array(repeating: nil, count: rightCount)
        var seen = Array(repeating: false, count: rightCount)
        var queue = [start]
        var head = 0
        while head < queue.count {
            let left = queue[head]
            head += 1
            for right in neighbours[left] where !seen[right] {
                seen[right] = true
                cameFrom[right] = left
                if let next = partner[right] {
                    queue.append(next)
                } else {
                    return exchange(endingAt: right, start, cameFrom, &partner)
                }
            }
        }
    }

    private func exchange(endingAt last: Int, _ start: Int, _ cameFrom: [Int?], _ partner: inout [Int?]) {
        var right = last
        while let left = cameFrom[right] {
            let previous = partner.firstIndex(of: left)
            partner[right] = left
            guard left != start, let previous else { return }
            right = previous
        }
    }
}
