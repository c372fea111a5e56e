/// Reads JSON strictly by RFC 8259. If a key repeats, its last value is used, at the position of the first. A
/// byte order mark is skipped (section 8.1). Numbers beyond 64-bit floating point (section 6), unpaired surrogates
/// (section 8.2) and what follows a fault are rejected; for a reader that says so, they are null, replaced and left out.
struct JSONParser {
    let bytes: UnsafeBufferPointer<UInt8>
    private let check: () throws -> Void
    var position = 0
    private var depth = 0
    var count = 0
    /// The error thrown by `check`.
    private(set) var stop: (any Error)?
    /// The fault behind which nothing is read any more; what was read before it is kept.
    private var damage: JSONFault?
    /// What was read although it has no certain meaning.
    var repairs = JSONRepairs()
    /// Whether half a character is replaced instead of rejected, words and commas of other notations are read, and a number beyond
    /// floating point is unknown.
    let isSalvaging: Bool
    /// Whether what stands before a fault is kept, and bytes that are no UTF-8 are replaced.
    let keepsDamaged: Bool
    /// Whether several values may follow each other, as in JSON lines and text sequences (RFC 8142); they are read as a list.
    private let isSequence: Bool
    /// Whether a list that begins with objects has nothing else: asked of a text that ends before its end.
    private var takesOnlyObjects = false

    init(
        _ bytes: UnsafeBufferPointer<UInt8>, isSalvaging: Bool = false, keepsDamaged: Bool = false,
        isSequence: Bool = false, check: @escaping () throws -> Void = {}
    ) {
        self.bytes = bytes
        self.isSalvaging = isSalvaging
        self.keepsDamaged = keepsDamaged
        self.isSequence = isSequence
        self.check = check
    }

    mutating func document() throws(JSONFault) -> JSONTree {
        guard bytes.count <= JSONSettings.longest else {
            throw JSONFault(.size, "the text has \(bytes.count) bytes, more than \(JSONSettings.longest)")
        }
        if let invalid = UTF8Check.firstInvalid(bytes) {
            let position = TextPosition(of: invalid, in: bytes)
            guard keepsDamaged else { throw JSONFault(.encoding, "not UTF-8", position) }
            repairs.isNotUTF8(from: position)
        }
        begin()
        var tree = try value()
        skipBlanks()
        if isSequence { tree = try followed(tree) }
        if position < bytes.count, damage == nil {
            let fault = fault("unexpected text after the value")
            guard keepsDamaged else { throw fault }
            if let whole = try wholeDocument() { return whole }
            repairs.isCut(fault)
        }
        return tree
    }

    /// The text to its end, if what ended it too early was a rest of an item between the objects of a list; `nil` if it was not.
    private mutating func wholeDocument() throws(JSONFault) -> JSONTree? {
        guard !takesOnlyObjects else { return nil }
        var parser = JSONParser(
            bytes, isSalvaging: isSalvaging, keepsDamaged: keepsDamaged, isSequence: isSequence, check: check)
        parser.takesOnlyObjects = true
        let tree = try? parser.document()
        if let stopped = parser.stop {
            stop = stopped
            throw fault("stopped", .stopped)
        }
        guard let tree, parser.repairs.fault == nil else { return nil }
        repairs = parser.repairs
        return tree
    }

    /// A value with those that follow it, as a list; the value itself if none does.
    private mutating func followed(_ first: JSONTree) throws(JSONFault) -> JSONTree {
        guard case .object = first else { return first }
        var values = [first]
        while damage == nil, peek == UInt8(ascii: "{") {
            do throws(JSONFault) {
                values.append(try value())
            } catch {
                guard isKept(error, false) else { throw error }
            }
            skipBlanks()
        }
        guard values.count > 1 else { return first }
        repairs.isSequence(of: values.count)
        return .list(values)
    }

    private mutating func begin() {
        position = bytes.starts(with: UTF8Check.byteOrderMark) ? 3 : 0
        skipBlanks()
    }

    /// The offset of the value at a path in a well-formed text; or that of the innermost existing value on
    /// the path.
    mutating func offset(of path: [JSONFault.Step]) -> Int {
        begin()
        for step in path { guard enter(step) else { break } }
        return position
    }

    /// Moves from a value to one inside it; stays and returns `false` if there is none.
    private mutating func enter(_ step: JSONFault.Step) -> Bool {
        let start = position
        var found: Int?
        var index = 0
        position += 1
        skipBlanks()
        // Every error ends the search: the text was parsed before.
        while position < bytes.count, bytes[position] != UInt8(ascii: "]"),
            bytes[position] != UInt8(ascii: "}")
        {
            if case .key(let wanted) = step {
                guard let key = try? key() else { break }
                if key == wanted { found = position }
            } else if step == .index(index) {
                found = position
                break
            }
            guard (try? value()) != nil else { break }
            index += 1
            skipBlanks()
            if skip(",") { skipBlanks() }
        }
        position = found ?? start
        return found != nil
    }

    // MARK: Values

    private mutating func value(inObject: Bool = false) throws(JSONFault) -> JSONTree {
        switch peek {
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try list(inObject: inObject)
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default:
            if isSalvaging, let value = foreignWord() { return value }
            throw position < bytes.count ? misplaced("expected a value") : fault("unexpected end of the text")
        }
    }

    /// Words of other notations, and what JSON has instead.
    private static let foreignWords = [
        ("NaN", "null"), ("nan", "null"), ("Infinity", "null"), ("None", "null"), ("undefined", "null"),
        ("NULL", "null"),
        ("True", "true"), ("TRUE", "true"), ("False", "false"), ("FALSE", "false"),
    ]

    /// The value of a word of another notation, which is skipped; `nil` if none is here.
    private mutating func foreignWord() -> JSONTree? {
        let sign = peek == UInt8(ascii: "-") ? 1 : 0
        let rest = bytes[(position + sign)...]
        guard let (word, right) = Self.foreignWords.first(where: { rest.starts(with: $0.0.utf8) }),
            sign == 0 || word == "Infinity"
        else { return nil }
        repairs.addForeign { [position, bytes] in TextPosition(of: position, in: bytes) }
        position += sign + word.utf8.count
        return right == "null" ? .null : .boolean(right == "true")
    }

    /// Skips a comma before the bracket that ends a list or an object.
    private mutating func skipLastComma(before bracket: Unicode.Scalar) -> Bool {
        guard isSalvaging, peek == UInt8(ascii: bracket) else { return false }
        repairs.addForeign { [position, bytes] in TextPosition(of: position, in: bytes) }
        position += 1
        return true
    }

    /// Behind a fault within an item of a list, goes to the next item, or behind the bracket that ends the list. `false` without a
    /// next item.
    private mutating func goOn(with items: JSONItemPattern, from start: Int, _ inObject: Bool) -> Bool {
        // A quote or bracket too many may have swallowed what follows the item.
        let from = items.isNested ? position : start + 1
        guard let damage, repairs.gapCount < JSONSettings.mostGaps,
            let found = items.next(
                in: bytes, from: from, isEnd: { !inObject || isEndOfMember(behind: $0 + 1) })
        else { return false }
        position = found.place
        repairs.goesOn(behind: damage, in: TextPosition(of: position, in: bytes).line)
        self.damage = nil
        if !found.isItem { position += 1 }
        return found.isItem
    }

    /// A fault where a value or a key must stand, with what other notations have there.
    private func misplaced(_ message: String) -> JSONFault {
        let rest = bytes[position...]
        if let (word, right) = Self.foreignWords.first(where: { rest.starts(with: $0.0.utf8) }) {
            return fault(message, fix: "JSON has no `\(word)`: write \(right)")
        }
        switch rest.first {
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            let before = bytes[..<position].last { $0 > 0x20 }
            guard before == UInt8(ascii: ",") else { break }
            return fault(message, fix: "remove the comma before the bracket")
        case UInt8(ascii: "'"): return fault(message, fix: "texts and keys stand in double quotes")
        case UInt8(ascii: "/"), UInt8(ascii: "#"):
            return fault(message, fix: "JSON has no comments: remove them")
        case UInt8(ascii: "<"): return fault(message, fix: "this is a page or XML, not JSON")
        default: break
        }
        return fault(message)
    }

    /// Whether what stands before a fault is kept: for a reader that says so, and if there is something.
    private mutating func isKept(_ fault: JSONFault, _ isEmpty: Bool) -> Bool {
        guard keepsDamaged, fault.kind == .syntax, !isEmpty else { return false }
        if damage == nil {
            damage = fault
            repairs.isCut(fault)
        }
        return true
    }

    private mutating func open() throws(JSONFault) {
        depth += 1
        guard depth <= JSONSettings.deepest else {
            throw fault("values are nested more than \(JSONSettings.deepest) deep", .depth)
        }
        position += 1
        skipBlanks()
    }

    private mutating func list(inObject: Bool = false) throws(JSONFault) -> JSONTree {
        try open()
        defer { depth -= 1 }
        var items: [JSONTree] = []
        if skip("]") { return .list(items) }
        var pattern = JSONItemPattern()
        while true {
            let start = position
            var isLost = false
            if keepsDamaged { pattern.begin(in: bytes, at: start, after: items.last) }
            do throws(JSONFault) {
                try checkItem(of: pattern, after: items.last)
                items.append(try value())
            } catch {
                guard isKept(error, items.isEmpty && !pattern.isKnown) else {
                    throw error.inside(.index(items.count))
                }
                isLost = true
            }
            if damage != nil {
                let goesOn = goOn(with: pattern, from: start, inObject)
                // Other lists may go by the numbers of the items.
                if isLost, damage == nil { items.append(.null) }
                if goesOn { continue }
                return .list(items)
            }
            if keepsDamaged { pattern.end(in: bytes, start..<position) }
            try countValue()
            skipBlanks()
            let end = position
            if skip("]") {
                guard keepsDamaged, inObject, !isEndOfMember(behind: position) else { return .list(items) }
                position = end
            }
            guard skip(",") else {
                let fault = fault("expected `,` or `]`")
                guard isKept(fault, false) else { throw fault }
                if goOn(with: pattern, from: start, inObject) { continue }
                // Digits of a number at the cut may be missing.
                if position == bytes.count, case .number? = items.last { items.removeLast() }
                return .list(items)
            }
            skipBlanks()
            if peek == UInt8(ascii: "]"), keepsDamaged, inObject, !isEndOfMember(behind: position + 1) {
                let fault = fault("expected a value")
                guard isKept(fault, false) else { throw fault }
                if goOn(with: pattern, from: position, inObject) { continue }
                return .list(items)
            }
            if skipLastComma(before: "]") { return .list(items) }
        }
    }

    /// Where damage is kept, a list behind a number is the next position of a line, and the bracket of the one before is missing.
    /// A number among lists is the rest of a position.
    private func checkItem(of items: JSONItemPattern, after last: JSONTree?) throws(JSONFault) {
        guard keepsDamaged else { return }
        let isNumber = peek == UInt8(ascii: "-") || (48...57).contains(peek)
        if items.isOfLists, isNumber { throw fault("expected a list") }
        if takesOnlyObjects, items.isOfObjects, peek != UInt8(ascii: "{") {
            throw fault("expected an object")
        }
        guard peek == UInt8(ascii: "["), case .number? = last else { return }
        throw fault("expected a number or `]`")
    }

    /// Whether what follows a value of an object can follow it: the end of the object or of the text, or the key of another member.
    private func isEndOfMember(behind place: Int) -> Bool {
        func blank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
        var rest = bytes[place...].drop(while: blank)
        guard rest.first == UInt8(ascii: ",") else { return rest.isEmpty || rest.first == UInt8(ascii: "}") }
        rest = rest.dropFirst().drop(while: blank)
        guard let first = rest.first else { return true }
        return first == UInt8(ascii: "\"") || first == UInt8(ascii: "}")
    }

    private mutating func object() throws(JSONFault) -> JSONTree {
        try open()
        defer { depth -= 1 }
        var members: [JSONTree.Member] = []
        var indexes: [String: Int] = [:]
        if skip("}") { return .object(members) }
        while true {
            let start = position
            let key: String
            do throws(JSONFault) {
                key = try self.key()
            } catch {
                guard isKept(error, members.isEmpty) else { throw error }
                return .object(members)
            }
            let value: JSONTree
            do throws(JSONFault) {
                value = try self.value(inObject: true)
            } catch {
                guard isKept(error, members.isEmpty) else { throw error.inside(.key(key)) }
                return .object(members)
            }
            let isFew = members.count <= JSONSettings.fewMembers
            if !isFew, indexes.isEmpty {
                for (index, member) in members.enumerated() { indexes[member.key] = index }
            }
            if let index = isFew ? members.firstIndex(where: { $0.key == key }) : indexes[key] {
                members[index].value = value
                repairs.addRepeat(key) { TextPosition(of: start, in: bytes) }
            } else {
                if !isFew { indexes[key] = members.count }
                members.append(JSONTree.Member(key, value))
            }
            if damage != nil { return .object(members) }
            try countValue()
            skipBlanks()
            if skip("}") { return .object(members) }
            guard skip(",") else {
                let fault = fault("expected `,` or `}`")
                guard isKept(fault, false) else { throw fault }
                if position == bytes.count, case .number = value { members.removeAll { $0.key == key } }
                return .object(members)
            }
            skipBlanks()
            if skipLastComma(before: "}") { return .object(members) }
        }
    }

    /// A key and the colon after it.
    private mutating func key() throws(JSONFault) -> String {
        guard peek == UInt8(ascii: "\"") else { throw misplaced("expected a key in double quotes") }
        let key = try string()
        skipBlanks()
        guard skip(":") else { throw fault("expected `:`") }
        skipBlanks()
        return key
    }

    private mutating func word(_ word: StaticString, _ value: JSONTree) throws(JSONFault) -> JSONTree {
        let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes[position...].starts(with: expected) else {
            if isSalvaging, let value = foreignWord() { return value }
            throw fault("expected a value")
        }
        position += expected.count
        return value
    }

    private mutating func number() throws(JSONFault) -> JSONTree {
        let start = position
        guard let end = JSONNumber.end(bytes, start) else {
            if isSalvaging, let value = foreignWord() { return value }
            throw fault("invalid number")
        }
        position = end.index
        let text = string(start..<position)
        // Short numbers without an exponent are always in range.
        if !end.isWhole || text.utf8.count > JSONNumber.surelyFinite {
            guard let number = Double(text), number.isFinite else {
                guard isSalvaging else {
                    position = start
                    throw fault("the number is too large")
                }
                repairs.addHuge(text) { TextPosition(of: start, in: bytes) }
                return .null
            }
        }
        return .number(text)
    }

    // MARK: Bytes

    var peek: UInt8 { position < bytes.count ? bytes[position] : 0 }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            // Begins a text of a sequence.
            case 0x1E where isSequence: position += 1
            default: return
            }
        }
    }

    private mutating func countValue() throws(JSONFault) {
        count += 1
        guard count.isMultiple(of: JSONSettings.checkInterval) else { return }
        do {
            try check()
        } catch {
            stop = error
            throw fault("stopped", .stopped)
        }
    }

    func fault(
        _ message: String, _ kind: JSONFault.Kind = .syntax, fix: String? = nil
    ) -> JSONFault {
        JSONFault(kind, message, TextPosition(of: position, in: bytes), fix: fix)
    }
}
