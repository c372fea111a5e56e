import Core

/// One part of an expected line.
struct PatternToken: Sendable {
    /// The kind of part.
    enum Kind: Sendable {
        case literal([Unicode.Scalar])
        /// A run of blanks of any length, at least one except at the start of a line (`approx`).
        case blanks(atStart: Bool)
        /// A number near another (`approx`).
        case near(Double, within: Double)
        case any, int, number, uuid, time, path
        case quantity(Tolerance)
        case regex(BoundedRegex)
        /// A value captured by an earlier entry.
        case bound(String)
    }

    let kind: Kind
    /// The variable that receives the match.
    var capture: String?

    init(_ kind: Kind, capture: String? = nil) {
        self.kind = kind
        self.capture = capture
    }

    /// The patterns that are one word.
    static let words: [(word: String, kind: Kind)] = [
        ("*", .any), ("int", .int), ("number", .number), ("uuid", .uuid), ("time", .time), ("path", .path),
    ]
}

extension PatternToken {
    /// The offsets where the part can end, given those where it can begin. For a regular expression only the
    /// wanted ends are tested, because each test is a separate search.
    func ends(
        in scanner: ScalarScanner, from starts: [Bool], wanted: (Int) -> Bool, _ bindings: [String: String]
    ) -> [Bool] {
        switch kind {
        case .literal(let text): return literal(text, scanner, starts)
        case .bound(let name): return literal(Array((bindings[name] ?? "").unicodeScalars), scanner, starts)
        case .blanks(let atStart):
            return spread(starts, includingStarts: atStart) {
                scanner.line[$0] == " " || scanner.line[$0] == "\t"
            }
        case .any: return spread(starts, includingStarts: true) { _ in true }
        case .path:
            return spread(starts, includingStarts: false) { !scanner.line[$0].properties.isWhitespace }
        case .regex(let regex):
            return RegexSearch(regex, scanner.line).ends(from: starts, wanted: wanted)
        case .int: return single(starts, scanner.int)
        case .uuid: return single(starts, scanner.uuid)
        case .time: return single(starts, scanner.time)
        case .number: return single(starts, scanner.number)
        case .near(let value, let margin): return single(starts) { near(value, margin, scanner, $0) }
        case .quantity(let tolerance):
            return single(starts) { start in
                guard let (quantity, end) = WrittenQuantity.scan(scanner, at: start) else { return nil }
                return tolerance.contains(quantity) ? end : nil
            }
        }
    }

    private func literal(_ text: [Unicode.Scalar], _ scanner: ScalarScanner, _ starts: [Bool]) -> [Bool] {
        var ends = Array(repeating: false, count: starts.count)
        guard text.count < starts.count else { return ends }
        for start in 0..<(starts.count - text.count) where starts[start] {
            ends[start + text.count] = scanner.line[start..<(start + text.count)].elementsEqual(text)
        }
        return ends
    }

    private func single(_ starts: [Bool], _ end: (Int) -> Int?) -> [Bool] {
        var ends = Array(repeating: false, count: starts.count)
        for start in starts.indices where starts[start] {
            if let end = end(start) { ends[end] = true }
        }
        return ends
    }

    /// Extends each start while the scalars are of a class.
    private func spread(_ starts: [Bool], includingStarts: Bool, _ isMember: (Int) -> Bool) -> [Bool] {
        var ends = Array(repeating: false, count: starts.count)
        for index in starts.indices {
            let goesOn = index > 0 && (ends[index - 1] || starts[index - 1]) && isMember(index - 1)
            ends[index] = goesOn || (includingStarts && starts[index])
        }
        return ends
    }

    private func near(_ value: Double, _ margin: Double, _ scanner: ScalarScanner, _ start: Int) -> Int? {
        guard let end = scanner.number(at: start),
            let actual = WrittenNumber(Array(scanner.text(start..<end).utf8))?.amount
        else {
            return nil
        }
        return abs(actual - value) <= margin + 1e-9 * max(abs(value), margin) ? end : nil
    }
}
