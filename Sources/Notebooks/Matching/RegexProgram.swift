/// The programs of `<<re:…>>`: an automaton without backtracking, so that no notebook can make matching
/// take more than (length of the line) × (size of the expression) steps. It knows what regular expressions
/// have in common; look-around and back references it cannot have.
struct RegexProgram: Sendable {
    /// What one instruction does.
    enum Instruction: Sendable {
        /// Takes one scalar of a set.
        case take(ScalarSet)
        /// Goes on only where this holds.
        case require(Place)
        /// Goes on in both places.
        case fork(Int, Int)
        case jump(Int)
        case accept
    }

    /// A condition on a place in a line.
    enum Place: Sendable { case start, end, wordBoundary, noWordBoundary }

    let instructions: [Instruction]

    /// The places where a match can end that began at one of the given places.
    func ends(in scanner: ScalarScanner, from starts: [Bool]) -> [Bool] {
        let count = scanner.line.count
        var ends = Array(repeating: false, count: count + 1)
        var now = ThreadList(capacity: instructions.count)
        var next = ThreadList(capacity: instructions.count)
        for index in 0...count {
            if starts[index] { add(0, to: &now, at: index, scanner) }
            guard !now.threads.isEmpty else {
                now.clear()
                continue
            }
            ends[index] = now.accepts
            next.clear()
            if index < count {
                for thread in now.threads {
                    guard case .take(let set) = instructions[thread], set.contains(scanner.line[index]) else {
                        continue
                    }
                    add(thread + 1, to: &next, at: index + 1, scanner)
                }
            }
            swap(&now, &next)
        }
        return ends
    }

    /// Adds a place of the program and all that it leads to without taking a scalar.
    private func add(_ start: Int, to list: inout ThreadList, at index: Int, _ scanner: ScalarScanner) {
        var pending = [start]
        while let place = pending.popLast() {
            guard list.insert(place) else { continue }
            switch instructions[place] {
            case .take: list.threads.append(place)
            case .accept:
                list.accepts = true
                list.threads.append(place)
            case .jump(let target): pending.append(target)
            case .fork(let first, let second):
                pending.append(second)
                pending.append(first)
            case .require(let condition):
                if holds(condition, at: index, scanner) { pending.append(place + 1) }
            }
        }
    }

    private func holds(_ place: Place, at index: Int, _ scanner: ScalarScanner) -> Bool {
        switch place {
        case .start: index == 0
        case .end: index == scanner.line.count
        case .wordBoundary: scanner.isWord(index - 1) != scanner.isWord(index)
        case .noWordBoundary: scanner.isWord(index - 1) == scanner.isWord(index)
        }
    }
}

/// The places of a program that are active at once, each listed once.
private struct ThreadList {
    var threads: [Int] = []
    var accepts = false
    private var seen: [UInt32]
    private var round: UInt32 = 1

    init(capacity: Int) { seen = Array(repeating: 0, count: capacity) }

    mutating func insert(_ place: Int) -> Bool {
        guard seen[place] != round else { return false }
        seen[place] = round
        return true
    }

    mutating func clear() {
        threads.removeAll(keepingCapacity: true)
        accepts = false
        round &+= 1
    }
}

/// A set of scalars: what a letter, `.`, `\d` or `[…]` takes.
struct ScalarSet: Sendable {
    /// Sets that have a name.
    enum Named: Sendable { case any, digit, word, space }

    var ranges: [ClosedRange<Unicode.Scalar>] = []
    var named: [(set: Named, isNegated: Bool)] = []
    var isNegated = false

    static func one(_ scalar: Unicode.Scalar) -> ScalarSet { ScalarSet(ranges: [scalar...scalar]) }
    static func of(_ named: Named, negated: Bool = false) -> ScalarSet {
        ScalarSet(named: [(named, negated)])
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        let isMember =
            ranges.contains { $0.contains(scalar) }
            || named.contains { Self.holds($0.set, scalar) != $0.isNegated }
        return isMember != isNegated
    }

    private static func holds(_ set: Named, _ scalar: Unicode.Scalar) -> Bool {
        switch set {
        case .any: true
        case .digit: ("0"..."9").contains(scalar)
        case .word: ("0"..."9").contains(scalar) || scalar == "_" || scalar.properties.isAlphabetic
        case .space: scalar.properties.isWhitespace
        }
    }
}
