/// Pairs expected with actual lines when not all match.
struct LineAlignment {
    /// One step of the alignment.
    enum Step: Equatable {
        case match(expected: Int, actual: Int)
        /// An expected line that was replaced by another.
        case replace(expected: Int, actual: Int)
        case missing(expected: Int)
        case surplus(actual: Int)
        /// A line matched by `...`.
        case absorbed(expected: Int, actual: Int)
        /// `...` that matches no (further) line.
        case gapEnd(expected: Int)
    }

    let steps: [Step]

    /// Aligns an output with what was expected; above the limit of line pairs, only common prefix and suffix are kept.
    init(_ pattern: OutputPattern, _ actual: [String], _ bindings: [String: String], largest: Int) {
        let expected = pattern.lines
        func equal(_ e: Int, _ a: Int) -> Bool {
            return !expected[e].isGap && expected[e].matches(actual[a], bindings)
        }
        var head = 0
        while head < expected.count, head < actual.count, equal(head, head) { head += 1 }
        var tail = 0
        while tail < expected.count - head, tail < actual.count - head,
            equal(expected.count - 1 - tail, actual.count - 1 - tail)
        { tail += 1 }
        let e = head..<(expected.count - tail)
        let a = head..<(actual.count - tail)
        var steps = (0..<head).map { Step.match(expected: $0, actual: $0) }
        if Self.work(e, a, expected) <= largest {
            steps += AlignmentTable(expected: expected, e: e, a: a, equal: equal).steps()
        } else {
            steps += e.map { expected[$0].isGap ? .gapEnd(expected: $0) : .missing(expected: $0) }
            steps += a.map { .surplus(actual: $0) }
        }
        steps += (0..<tail).map { .match(expected: e.upperBound + $0, actual: a.upperBound + $0) }
        self.steps = steps
    }

    /// The cost of the comparison; a pattern costs about twenty plain lines.
    private static func work(_ e: Range<Int>, _ a: Range<Int>, _ expected: [OutputPattern.Line]) -> Int {
        (e.count + 20 * expected[e].count(where: \.isPattern)) * a.count
    }
}
