/// Finds the cheapest alignment of two sequences of lines by dynamic programming over suffixes.
struct AlignmentTable {
    // A replacement is cheaper than a removal next to a line matched by a gap, so that a changed line after
    // `...` is reported as changed; a line matched by a gap is cheaper than an addition.
    private static let replaceCost: Int32 = 4
    private static let oneSideCost: Int32 = 3
    private static let absorbCost: Int32 = 2

    private typealias Choice = (cost: Int32, step: LineAlignment.Step, next: (Int, Int))

    let expected: [OutputPattern.Line]
    /// The expected and the actual lines to align.
    let e: Range<Int>
    let a: Range<Int>
    let equal: (Int, Int) -> Bool

    /// The steps from the first pair of indexes to the last.
    func steps() -> [LineAlignment.Step] {
        var costs = Array(repeating: Int32(0), count: (e.count + 1) * width)
        for i in (0...e.count).reversed() {
            for j in (0...a.count).reversed() where i < e.count || j < a.count {
                costs[i * width + j] = best(i, j, costs).cost
            }
        }
        var steps: [LineAlignment.Step] = []
        var pair = (0, 0)
        while pair.0 < e.count || pair.1 < a.count {
            let choice = best(pair.0, pair.1, costs)
            steps.append(choice.step)
            pair = choice.next
        }
        return steps
    }

    private var width: Int { a.count + 1 }

    /// The cheapest step from a pair of indexes, of which not both are the last.
    private func best(_ i: Int, _ j: Int, _ costs: [Int32]) -> Choice {
        let index = i * width + j
        let ei = e.lowerBound + i
        let aj = a.lowerBound + j
        func surplus() -> Choice { (costs[index + 1] + Self.oneSideCost, .surplus(actual: aj), (i, j + 1)) }
        guard i < e.count else { return surplus() }
        if expected[ei].isGap {
            let end: Choice = (costs[index + width], .gapEnd(expected: ei), (i + 1, j))
            guard j < a.count, costs[index + 1] + Self.absorbCost < end.cost else { return end }
            return (costs[index + 1] + Self.absorbCost, .absorbed(expected: ei, actual: aj), (i, j + 1))
        }
        let missing: Choice = (costs[index + width] + Self.oneSideCost, .missing(expected: ei), (i + 1, j))
        guard j < a.count else { return missing }
        let both = costs[index + width + 1]
        if equal(ei, aj) { return (both, .match(expected: ei, actual: aj), (i + 1, j + 1)) }
        let replace: Choice = (both + Self.replaceCost, .replace(expected: ei, actual: aj), (i + 1, j + 1))
        return [missing, surplus()].reduce(replace) { $1.cost < $0.cost ? $1 : $0 }
    }
}
