/// Reads regular expressions: `.` `[a-z]` `\d \w \s \D \W \S \b \B`, `^ $`, groups, `|`, `* + ? {2} {2,}
/// {2,5}`, `\t \n \r \x1B \u{1F600}`, and any punctuation behind a backslash.
struct RegexParser {
    /// Why an expression cannot be read.
    struct Problem: Error { let message: String }

    /// What an expression is made of.
    indirect enum Node {
        case empty
        case take(ScalarSet)
        case require(RegexProgram.Place)
        case sequence([Node])
        case choice([Node])
        case times(Node, Int, Int?)
    }

    static let largestProgram = 5000
    static let deepestNesting = 40
    static let largestCount = 1000
    static let mostMarks = 3

    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var depth = 0

    private init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// The program of an expression.
    static func program(of text: String) throws(Problem) -> RegexProgram {
        var parser = RegexParser(text)
        let node = try parser.choice()
        guard parser.peek == nil else { throw Problem(message: "there is a `)` without a `(`") }
        var compiler = RegexCompiler()
        try compiler.append(node)
        return RegexProgram(instructions: compiler.instructions + [.accept])
    }

    private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func next() -> Unicode.Scalar? {
        guard let scalar = peek else { return nil }
        index += 1
        return scalar
    }

    private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        index += 1
        return true
    }

    private mutating func choice() throws(Problem) -> Node {
        var branches = [try sequence()]
        while skip("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws(Problem) -> Node {
        var parts: [Node] = []
        while let scalar = peek, scalar != "|", scalar != ")" {
            parts.append(try repeated(try atom()))
        }
        return parts.isEmpty ? .empty : .sequence(parts)
    }

    private mutating func repeated(_ node: Node) throws(Problem) -> Node {
        var node = node
        var marks = 0
        while let scalar = peek {
            guard marks <= Self.mostMarks else {
                throw Problem(message: "too many repetitions follow each other")
            }
            marks += 1
            switch scalar {
            case "*": node = .times(node, 0, nil)
            case "+": node = .times(node, 1, nil)
            case "?": node = .times(node, 0, 1)
            case "{":
                guard let (low, high) = try counts() else { return node }
                node = .times(node, low, high)
                continue
            default: return node
            }
            index += 1
            _ = skip("?")  // a lazy mark changes nothing about whether a line matches
        }
        return node
    }

    /// `{2}`, `{2,}`, `{2,5}`; anything else after a brace is the brace itself.
    private mutating func counts() throws(Problem) -> (Int, Int?)? {
        let start = index
        index += 1
        let low = count()
        let hasComma = skip(",")
        let high = hasComma ? count() : low
        guard let low, skip("}") else {
            index = start
            return nil
        }
        _ = skip("?")
        guard max(low, high ?? 0) <= Self.largestCount, low <= high ?? low else {
            throw Problem(
                message:
                    "the count {\(low),\(high.map(String.init) ?? "")} is not from 0 to \(Self.largestCount)")
        }
        return (low, high)
    }

    private mutating func count() -> Int? {
        var digits = ""
        while let scalar = peek, ("0"..."9").contains(scalar), digits.utf8.count < 6 {
            digits.unicodeScalars.append(scalar)
            index += 1
        }
        return Int(digits)
    }

    private mutating func atom() throws(Problem) -> Node {
        switch next() {
        case nil: return .empty
        case "(": return try group()
        case "[": return .take(try bracket())
        case ".": return .take(.of(.any))
        case "^": return .require(.start)
        case "$": return .require(.end)
        case "\\": return try escape()
        case let scalar? where ["*", "+", "?"].contains(scalar):
            throw Problem(message: "there is nothing before `\(scalar)` to repeat")
        case let scalar?:
            // A brace that counts nothing stands for itself, and so is not read as a count again.
            return .take(.one(scalar))
        }
    }

    private mutating func group() throws(Problem) -> Node {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepestNesting else { throw Problem(message: "it nests too deep") }
        if skip("?"), !skip(":") { throw Problem(message: "`(?` can only be followed by `:` here") }
        let node = try choice()
        guard skip(")") else { throw Problem(message: "a `(` is never closed") }
        return node
    }

    private mutating func escape() throws(Problem) -> Node {
        if peek == "b" || peek == "B" {
            return .require(next() == "b" ? .wordBoundary : .noWordBoundary)
        }
        return .take(try escapedSet())
    }

    private mutating func escapedSet() throws(Problem) -> ScalarSet {
        switch next() {
        case nil: throw Problem(message: "it ends in a backslash")
        case "d": return .of(.digit)
        case "D": return .of(.digit, negated: true)
        case "w": return .of(.word)
        case "W": return .of(.word, negated: true)
        case "s": return .of(.space)
        case "S": return .of(.space, negated: true)
        case "t": return .one("\t")
        case "n": return .one("\n")
        case "r": return .one("\r")
        case "x": return .one(try hexadecimal(length: 2))
        case "u": return .one(try braced())
        case let scalar?
        where scalar.isASCII && !scalar.properties.isAlphabetic && !("0"..."9").contains(scalar):
            return .one(scalar)
        case let scalar?: throw Problem(message: "`\\\(scalar)` means nothing")
        }
    }

    private mutating func braced() throws(Problem) -> Unicode.Scalar {
        guard skip("{") else { throw Problem(message: "`\\u` is written `\\u{1F600}`") }
        let end = scalars[index...].firstIndex(of: "}") ?? index
        let scalar = try hexadecimal(length: min(end - index, 6))
        guard skip("}") else { throw Problem(message: "`\\u{` is never closed") }
        return scalar
    }

    private mutating func hexadecimal(length: Int) throws(Problem) -> Unicode.Scalar {
        var digits = ""
        while digits.utf8.count < length, let scalar = next() { digits.unicodeScalars.append(scalar) }
        guard digits.utf8.count == length, let value = UInt32(digits, radix: 16),
            let scalar = Unicode.Scalar(value)
        else { throw Problem(message: "`\(digits)` is no hexadecimal number of a character") }
        return scalar
    }

    private mutating func bracket() throws(Problem) -> ScalarSet {
        var set = ScalarSet()
        set.isNegated = skip("^")
        var isFirst = true
        while let scalar = next() {
            if scalar == "]", !isFirst { return set }
            isFirst = false
            let low = scalar == "\\" ? try escapedSet() : .one(scalar)
            guard let from = low.ranges.first?.lowerBound else {
                set.named += low.named
                continue
            }
            guard peek == "-", index + 1 < scalars.count, scalars[index + 1] != "]" else {
                set.ranges.append(from...from)
                continue
            }
            index += 1
            let end = next() ?? "]"
            let high = end == "\\" ? try escapedSet() : .one(end)
            guard let to = high.ranges.first?.lowerBound, from <= to else {
                throw Problem(message: "a range in `[…]` ends before it begins")
            }
            set.ranges.append(from...to)
        }
        throw Problem(message: "a `[` is never closed")
    }
}

/// Lays an expression out as instructions.
struct RegexCompiler {
    private(set) var instructions: [RegexProgram.Instruction] = []

    mutating func append(_ node: RegexParser.Node) throws(RegexParser.Problem) {
        guard instructions.count <= RegexParser.largestProgram else {
            throw RegexParser.Problem(message: "it is too large when its counts are written out")
        }
        switch node {
        case .empty: break
        case .take(let set): instructions.append(.take(set))
        case .require(let place): instructions.append(.require(place))
        case .sequence(let parts): for part in parts { try append(part) }
        case .choice(let branches): try append(choice: branches)
        case .times(let node, let low, let high):
            for _ in 0..<low {
                let before = instructions.count
                try append(node)
                if instructions.count == before { break }
            }
            if let high {
                for _ in low..<high { try append(optional: node) }
            } else {
                try append(loop: node)
            }
        }
    }

    private mutating func append(choice branches: [RegexParser.Node]) throws(RegexParser.Problem) {
        var jumps: [Int] = []
        for (number, branch) in branches.enumerated() {
            let fork = instructions.count
            let isLast = number == branches.count - 1
            if !isLast { instructions.append(.accept) }
            try append(branch)
            guard !isLast else { break }
            jumps.append(instructions.count)
            instructions.append(.accept)
            instructions[fork] = .fork(fork + 1, instructions.count)
        }
        for jump in jumps { instructions[jump] = .jump(instructions.count) }
    }

    private mutating func append(optional node: RegexParser.Node) throws(RegexParser.Problem) {
        let fork = instructions.count
        instructions.append(.accept)
        try append(node)
        instructions[fork] = .fork(fork + 1, instructions.count)
    }

    private mutating func append(loop node: RegexParser.Node) throws(RegexParser.Problem) {
        let fork = instructions.count
        instructions.append(.accept)
        try append(node)
        instructions.append(.jump(fork))
        instructions[fork] = .fork(fork + 1, instructions.count)
    }
}
