/// What a JSON text has that has no certain meaning, and was read all the same.
public struct JSONRepairs: Sendable {
    /// Keys of an object beyond the first of each.
    private var repeats = 0
    private var firstRepeat: (key: String, position: TextPosition)?
    /// Halves of characters.
    private var halves = 0
    private var firstHalf: TextPosition?
    /// The first byte that is no UTF-8.
    private var firstByte: TextPosition?
    /// The fault behind which nothing was read.
    private var damage: JSONFault?
    /// Faults behind which reading went on, each with the line in which it did.
    private var gaps: [(fault: JSONFault, line: Int)] = []
    /// Words and commas of other notations.
    private var foreign = 0
    private var firstForeign: TextPosition?
    /// Numbers that floating point does not hold.
    private var huge = 0
    private var firstHuge: (text: String, position: TextPosition)?
    /// Values that follow each other, if there are several.
    private var values = 0

    /// How the text is encoded, where that had to be found out; `nil` for what it says itself.
    var encoding: String?

    /// Why nothing more of the text was read; `nil` if it was read to its end.
    public var fault: JSONFault? { damage }

    /// Faults that are said.
    private static let mostGaps = 5

    mutating func isNotUTF8(from position: TextPosition) { firstByte = position }
    mutating func isCut(_ fault: JSONFault) { damage = fault }

    var gapCount: Int { gaps.count }

    mutating func goesOn(behind fault: JSONFault, in line: Int) {
        gaps.append((fault, line))
        damage = nil
    }
    mutating func isSequence(of count: Int) { values = count }

    mutating func addForeign(at position: () -> TextPosition) {
        foreign += 1
        if firstForeign == nil { firstForeign = position() }
    }

    mutating func addHuge(_ number: String, at position: () -> TextPosition) {
        huge += 1
        if firstHuge == nil { firstHuge = (number, position()) }
    }

    mutating func addRepeat(_ key: String, at position: () -> TextPosition) {
        repeats += 1
        if firstRepeat == nil { firstRepeat = (key, position()) }
    }

    mutating func addHalf(at position: () -> TextPosition) {
        halves += 1
        if firstHalf == nil { firstHalf = position() }
    }

    /// What is said of them.
    public var words: [String] {
        var words: [String] = []
        if let damage {
            let place = damage.position.map { "line \($0.line), column \($0.column)" }
            words.append(SalvagedFile.words(at: place, damage.message))
        }
        for gap in gaps.prefix(Self.mostGaps) {
            let line = gap.fault.position?.line ?? gap.line
            words.append(
                line == gap.line
                    ? "a part of line \(line) could not be read (\(gap.fault.message))"
                    : "lines \(line) to \(gap.line) could not be read in part (\(gap.fault.message))")
        }
        if gaps.count > Self.mostGaps {
            words.append("\(gaps.count - Self.mostGaps) more parts could not be read")
        }
        if let encoding { words.append("texts \(encoding)") }
        if values > 1 { words.append("\(values) texts of JSON one after the other, read as one") }
        if let firstForeign {
            words.append(
                "words, commas and signs that JSON does not have, such as `NaN`, read as in other notations: \(foreign) "
                    + "(first in line \(firstForeign.line))")
        }
        if let firstHuge {
            words.append(
                "numbers beyond the range of 64 bits, read as null: \(huge) "
                    + "(first `\(firstHuge.text.prefix(JSONSettings.longestKey))` in line \(firstHuge.position.line))"
            )
        }
        if let firstByte {
            words.append("bytes that are no UTF-8, replaced by \u{FFFD} (first in line \(firstByte.line))")
        }
        if let firstRepeat {
            let key = firstRepeat.key.prefix(JSONSettings.longestKey)
            words.append(
                "keys that repeat in an object, of which the last value is used: \(repeats) "
                    + "(first `\(key)` in line \(firstRepeat.position.line))")
        }
        if let firstHalf {
            words.append(
                "halves of characters in texts, as where a text was cut, replaced by \u{FFFD}: \(halves) "
                    + "(first in line \(firstHalf.line))")
        }
        return words
    }
}
