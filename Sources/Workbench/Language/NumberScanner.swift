import PluginKit

/// Finds the ends of literals in expressions, where operators need no blanks around them.
enum NumberScanner {
    static func isDigit(_ byte: UInt8) -> Bool { WrittenNumber.isDigit(byte) }
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 32) >= 97 && (byte | 32) <= 122 }
    static func isWordByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || isLetter(byte) || byte == UInt8(ascii: "_") || byte >= 128
    }

    /// The end of a bare name after `@`: letters, digits and hyphens, and colons between them.
    static func referenceEnd(_ bytes: [UInt8], from start: Int) -> Int {
        func isName(_ index: Int) -> Bool {
            index < bytes.count && (isWordByte(bytes[index]) || bytes[index] == UInt8(ascii: "-"))
        }
        var end = start
        while isName(end)
            || (end > start && end < bytes.count && bytes[end] == UInt8(ascii: ":") && isName(end + 1))
        {
            end += 1
        }
        return end
    }

    /// Whether bytes begin with `dddd-dd-dd`.
    static func looksLikeDate(_ bytes: some Collection<UInt8>) -> Bool {
        let head = Array(bytes.prefix(10))
        guard head.count == 10 else { return false }
        return head.enumerated().allSatisfy { index, byte in
            index == 4 || index == 7 ? byte == UInt8(ascii: "-") : isDigit(byte)
        }
    }

    /// The end of the literal that starts at `start` in an expression.
    static func literalEnd(_ bytes: [UInt8], from start: Int) -> Int {
        if looksLikeDate(bytes[start...].prefix(10)) { return dateEnd(bytes, from: start) }
        if let end = carelessDateEnd(bytes, from: start) { return end }
        if let end = paceEnd(bytes, from: start) { return end }
        if start + 4 < bytes.count, isDigit(bytes[start]), isDigit(bytes[start + 1]),
            bytes[start + 2] == UInt8(ascii: ":"), isDigit(bytes[start + 3])
        {
            return run(bytes, from: start) {
                isDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
            }
        }
        var end = componentEnd(bytes, from: start)
        while end + 1 < bytes.count, bytes[end] == UInt8(ascii: ","), startsNumber(bytes, at: end + 1) {
            end = componentEnd(bytes, from: end + 1)
        }
        return end
    }

    /// The end of a pace, `5:30/km`.
    private static func paceEnd(_ bytes: [UInt8], from start: Int) -> Int? {
        guard let minutes = WrittenNumber(bytes, from: start), minutes.whole != nil else { return nil }
        return Quantity.paceEnd(bytes, after: minutes.end)
    }

    /// The end of `2026-2-6`, which is neither a date nor likely to be meant as a subtraction.
    private static func carelessDateEnd(_ bytes: [UInt8], from start: Int) -> Int? {
        var end = start
        for (digits, isLast) in [(4...4, false), (1...2, false), (1...2, true)] {
            let partEnd = run(bytes, from: end, isDigit)
            guard digits.contains(partEnd - end) else { return nil }
            end = partEnd
            if isLast { break }
            guard end < bytes.count, bytes[end] == UInt8(ascii: "-") else { return nil }
            end += 1
        }
        return run(bytes, from: end, isWordByte)
    }

    /// Whether a number begins here: a digit, or a sign or point before one.
    static func startsNumber(_ bytes: [UInt8], at index: Int) -> Bool {
        guard index < bytes.count else { return false }
        if isDigit(bytes[index]) { return true }
        guard [UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ".")].contains(bytes[index]) else {
            return false
        }
        guard index + 1 < bytes.count else { return false }
        return isDigit(bytes[index + 1])
            || (bytes[index] != UInt8(ascii: ".") && bytes[index + 1] == UInt8(ascii: ".")
                && index + 2 < bytes.count && isDigit(bytes[index + 2]))
    }

    /// A number, its unit, and further parts of a duration.
    private static func componentEnd(_ bytes: [UInt8], from start: Int) -> Int {
        var position = start
        while true {
            let (end, goesOn) = partEnd(bytes, from: position)
            if !goesOn { return end }
            position = end
        }
    }

    /// A number and its unit, and whether a further part of a duration follows.
    private static func partEnd(_ bytes: [UInt8], from start: Int) -> (end: Int, goesOn: Bool) {
        guard let number = WrittenNumber(bytes, from: start) else { return (start + 1, false) }
        let end = number.end
        if end < bytes.count, bytes[end] == UInt8(ascii: "%") {
            return (followsOperand(bytes, at: end + 1) ? end : end + 1, false)
        }
        let lettersEnd = run(bytes, from: end) { isLetter($0) || $0 == UInt8(ascii: "_") || $0 >= 128 }
        guard lettersEnd > end else { return (end, false) }
        let letters = String(decoding: bytes[end..<lettersEnd], as: UTF8.self)
        // `km/h` is one unit, `10km/2` a division.
        if lettersEnd + 1 < bytes.count, bytes[lettersEnd] == UInt8(ascii: "/"),
            isLetter(bytes[lettersEnd + 1])
        {
            let divisorEnd = run(bytes, from: lettersEnd + 1, isLetter)
            let whole = letters + "/" + String(decoding: bytes[(lettersEnd + 1)..<divisorEnd], as: UTF8.self)
            if MeasureUnit.named(whole) != nil { return (divisorEnd, false) }
        }
        if lettersEnd < bytes.count, isDigit(bytes[lettersEnd]),
            MeasureUnit.named(letters)?.dimension == .duration
        {
            return (lettersEnd, true)
        }
        return (run(bytes, from: lettersEnd, isWordByte), false)
    }

    /// `7%2` is a remainder, `7% ` a percentage: the divisor of a remainder must follow directly.
    private static func followsOperand(_ bytes: [UInt8], at index: Int) -> Bool {
        guard index < bytes.count else { return false }
        return isWordByte(bytes[index]) || "$([.@'\"".utf8.contains(bytes[index])
    }

    private static func dateEnd(_ bytes: [UInt8], from start: Int) -> Int {
        var end = start + 10
        guard end < bytes.count, bytes[end] == UInt8(ascii: "T"), end + 1 < bytes.count,
            isDigit(bytes[end + 1])
        else {
            return run(bytes, from: end, isWordByte)
        }
        end = run(bytes, from: end + 1) { isDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
        if end < bytes.count, bytes[end] == UInt8(ascii: "Z") { return end + 1 }
        let zone = Array(bytes[end...].prefix(6))
        if zone.count == 6, zone[0] == UInt8(ascii: "+") || zone[0] == UInt8(ascii: "-"),
            zone[3] == UInt8(ascii: ":")
        {
            // Offsets before standard time have seconds.
            let seconds = Array(bytes[(end + 6)...].prefix(3))
            if seconds.count == 3, seconds[0] == UInt8(ascii: ":"), isDigit(seconds[1]), isDigit(seconds[2]) {
                return end + 9
            }
            return end + 6
        }
        return run(bytes, from: end, isWordByte)
    }

    private static func run(_ bytes: [UInt8], from start: Int, _ matches: (UInt8) -> Bool) -> Int {
        var end = start
        while end < bytes.count, matches(bytes[end]) { end += 1 }
        return end
    }
}

extension WrittenNumber {
    /// An integer if it is written as one.
    var value: Value { whole.map { .integer($0) } ?? .number(amount) }
}
