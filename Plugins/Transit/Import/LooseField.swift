import CivilTime
import Formats

/// Values that are not written as GTFS requires and can mean one thing only: spreadsheets, data frames and planning programs write
/// them. What may mean two things is not read.
enum LooseField {
    /// Characters that a value may have at most.
    private static let longest = 40
    private static let day = 86_400

    private static func text(_ field: FieldBytes) -> String? {
        guard field.count <= longest else { return nil }
        return String(decoding: field, as: UTF8.self).lowercased()
    }

    /// `8:00`, `8:5:0`, `08:00:00.500`, `8 : 00`, `8h30`, `08.30.00`, `8:00 AM`, `8:00p`, `0 days 08:00:00`, `1 day, 0:30:00`.
    static func time(_ field: FieldBytes) -> Int? {
        guard var rest = text(field).map({ $0[...] }) else { return nil }
        let days = takeDays(&rest)
        let half = takeHalf(&rest)
        guard days == 0 || half == nil, let parts = parts(rest), (2...3).contains(parts.count),
            parts.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        var hours = parts[0]
        if let half {
            // `13:00 PM` and `00:30 PM` contradict themselves.
            guard half.isAfternoon ? (1...12).contains(hours) : hours <= 12 else { return nil }
            hours = hours % 12 + (half.isAfternoon ? 12 : 0)
        }
        let seconds = days * day + hours * 3600 + parts[1] * 60 + (parts.count > 2 ? parts[2] : 0)
        return seconds <= TransitSettings.latestTime ? seconds : nil
    }

    /// The days of a duration: `1 days 00:30:00`, `1 day, 0:30:00`.
    private static func takeDays(_ rest: inout Substring) -> Int {
        let words = rest.split(separator: " ", maxSplits: 2)
        guard words.count == 3, ["day", "days", "day,", "days,"].contains(words[1]), words[0].count <= 2,
            let days = whole(words[0])
        else { return 0 }
        rest = words[2]
        return days
    }

    private static let halves: [(sign: String, isAfternoon: Bool)] = [
        ("a.m.", false), ("p.m.", true), ("am", false), ("pm", true), ("a", false), ("p", true),
    ]

    private static func takeHalf(_ rest: inout Substring) -> (sign: String, isAfternoon: Bool)? {
        guard let half = halves.first(where: { rest.hasSuffix($0.sign) }) else { return nil }
        rest = rest.dropLast(half.sign.count)
        return half
    }

    /// The numbers of a time; `nil` if it is none.
    private static func parts(_ text: Substring) -> [Int]? {
        var rest = trimmed(text)
        // The fraction of a second is cut off, as vehicles do not leave before the second is full; behind minutes
        // alone it may be one of a minute.
        if rest.contains(":"), let point = rest.lastIndex(of: ".") {
            let fraction = rest[rest.index(after: point)...]
            guard !fraction.isEmpty, whole(fraction) != nil,
                fraction.allSatisfy({ $0 == "0" }) || rest.count(where: { $0 == ":" }) == 2
            else { return nil }
            rest = rest[..<point]
        }
        let separator: Character = rest.contains(":") ? ":" : rest.contains("h") ? "h" : "."
        // A blank within a number stays: `1 00:30:00` may be a day and half an hour.
        let parts = rest.split(separator: separator, omittingEmptySubsequences: false).map(trimmed)
        // `8.30` may be a number of hours.
        guard separator != "." || parts.count == 3, parts.allSatisfy({ (1...3).contains($0.count) }),
            separator != "h" || parts.count == 2 && parts[1].count == 2
        else { return nil }
        // `8:5` may be five minutes or fifty.
        guard parts.count == 3 || parts.last?.count == 2 else { return nil }
        let numbers = parts.compactMap(whole)
        return numbers.count == parts.count ? numbers : nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let rest = text.drop { $0 == " " }
        return rest.prefix(rest.count - rest.reversed().prefix { $0 == " " }.count)
    }

    private static func whole(_ text: Substring) -> Int? {
        text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
    }

    /// `2026-03-10`, `2026/3/10`, `2026.03.10`, each also with midnight behind it, `20260310.0`.
    static func date(_ field: FieldBytes) -> CivilDate? {
        guard var rest = text(field).map({ $0[...] }) else { return nil }
        if let end = rest.firstIndex(where: { $0 == " " || $0 == "t" }) {
            let clock = rest[rest.index(after: end)...]
            guard clock.allSatisfy({ "0:.z".contains($0) }) else { return nil }
            rest = rest[..<end]
        }
        if rest.hasSuffix(".0"), rest.count == 10 {
            return Array(rest.dropLast(2).utf8).withUnsafeBufferPointer { FieldParser.date($0) }
        }
        guard let separator = rest.first(where: { "-/.".contains($0) }) else { return nil }
        let parts = rest.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4,
            parts.dropFirst().allSatisfy({ (1...2).contains($0.count) }),
            let year = whole(parts[0]), let month = whole(parts[1]), let day = whole(parts[2])
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    /// `3.0`, as data frames write whole numbers of a column with gaps, and `+3`.
    static func integer(_ field: FieldBytes) -> Int? {
        guard var rest = text(field).map({ $0[...] }) else { return nil }
        if rest.hasPrefix("+") { rest = rest.dropFirst() }
        if let point = rest.firstIndex(of: ".") {
            guard rest[rest.index(after: point)...].allSatisfy({ $0 == "0" }) else { return nil }
            rest = rest[..<point]
        }
        guard (1...9).contains(rest.count) else { return nil }
        return whole(rest)
    }

    /// What databases and data frames write for a value that is missing; `None`, `Null` and `Nan` are names of towns.
    private static let missing: Set<String> = ["NULL", "null", "nan", "NaN", "N/A", "n/a", "<NA>", "\\N"]

    private static let firstOfMissing = Array("Nn<\\".utf8)

    /// Whether a text stands for none.
    static func isMissing(_ field: FieldBytes) -> Bool {
        guard (2...4).contains(field.count), firstOfMissing.contains(field[0]) else { return false }
        return missing.contains(String(decoding: field, as: UTF8.self))
    }

    private static let flags = [
        "1.0": true, "0.0": false, "true": true, "false": false, "yes": true, "no": false, "y": true,
        "n": false,
        "t": true, "f": false,
    ]

    /// `true`, `no`, `1.0`.
    static func flag(_ field: FieldBytes) -> Bool? { text(field).flatMap { flags[$0] } }

    /// A price with a comma for the point, `2,50`. `1,250` may be thousands, and currencies with three decimals are rare.
    static func price(_ field: FieldBytes) -> String? {
        guard let text = text(field), !text.contains("."), let comma = text.firstIndex(of: ","),
            (1...2).contains(text[text.index(after: comma)...].count)
        else { return nil }
        let sign = text.hasPrefix("-") ? "-" : ""
        let parts = text.dropFirst(sign.count).split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && whole($0) != nil }) else { return nil }
        return sign + parts.joined(separator: ".")
    }

    /// A latitude or longitude with a comma for the point: with one for thousands it would be no such angle.
    static func angle(_ field: FieldBytes) -> Double? {
        guard let text = text(field), text.count(where: { $0 == "," }) == 1, !text.contains(".") else {
            return nil
        }
        return Array(text.replacing(",", with: ".").utf8).withUnsafeBufferPointer { FieldParser.number($0) }
    }
}

extension TableReader {
    /// A time in seconds of the service day. A lenient import reads also what can mean one time only.
    @inline(__always)
    func time(_ column: Int) -> Int? {
        let field = self[column]
        return FieldParser.time(field) ?? loose(column, field, "HH:MM:SS", .invalidTime, LooseField.time)
    }

    /// A day.
    func date(_ column: Int) -> CivilDate? {
        let field = self[column]
        return FieldParser.date(field) ?? loose(column, field, "YYYYMMDD", .invalidDate, LooseField.date)
    }

    /// A whole number.
    @inline(__always)
    func integer(_ column: Int) -> Int? {
        let field = self[column]
        return FieldParser.integer(field)
            ?? loose(column, field, "a whole number", .invalidInteger, LooseField.integer)
    }

    /// Whether a day is one of service.
    func flag(_ column: Int) -> Bool? {
        let field = self[column]
        switch FieldParser.integer(field) {
        case 0: return false
        case 1: return true
        case nil: return loose(column, field, "0 or 1", .invalidInteger, LooseField.flag)
        default: return nil
        }
    }

    /// A latitude or longitude in degrees.
    @inline(__always)
    func angle(_ column: Int) -> Double? {
        let field = self[column]
        return FieldParser.number(field)
            ?? loose(column, field, "a number with a point", .invalidFloat, LooseField.angle)
    }

    /// A text for riders; empty for a word that stands for a missing one.
    @inline(__always)
    func label(_ column: Int) -> FieldBytes {
        let field = self[column]
        guard repairs.isLenient, LooseField.isMissing(field) else { return field }
        repairs.noteLoose(
            column, String(decoding: field, as: UTF8.self), "an empty value", nil, line: reader.line)
        return FieldBytes(start: nil, count: 0)
    }

    /// The same as text; `nil` if empty.
    func optionalLabel(_ column: Int) -> String? {
        let bytes = label(column)
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// The number of an identifier in the table where it is defined. A lenient import also finds the only one there whose letters
    /// are the same in another Unicode form (NFC, NFD), as programs and disks change it.
    @inline(__always)
    func find(_ column: Int, in table: KeyTable) -> Int? {
        let field = self[column]
        return table.find(field) ?? otherForm(column, field, table)
    }

    private func otherForm(_ column: Int, _ field: FieldBytes, _ table: KeyTable) -> Int? {
        guard repairs.isLenient, field.contains(where: { $0 >= 0x80 }) else { return nil }
        let text = String(decoding: field, as: UTF8.self)
        guard let number = repairs.otherForm(of: text, column, in: table) else { return nil }
        repairs.noteLoose(
            column, text, "where it is defined, but in another Unicode form,", .foreignKeyViolation,
            line: reader.line)
        return number
    }

    /// Notes a name whose letters were lost before the table was written; it stays as it stands.
    func noteLostLetters(_ column: Int) {
        let field = self[column]
        guard repairs.isLenient, field.contains(where: { $0 >= 0x80 }) else { return }
        let name = String(decoding: field, as: UTF8.self)
        if name.contains("\u{FFFD}") {
            repairs.noteLoose(
                column, name, "it was: � stands for letters that were lost,", .invalidCharacter,
                line: reader.line)
        } else if name.split(whereSeparator: \.isWhitespace).contains(where: {
            TwiceEncodedText.original($0) != nil
        }) {
            repairs.noteLoose(
                column, name, "UTF-8, but as UTF-8 that was encoded twice,", nil,
                line: reader.line)
        }
    }

    /// A price with a comma for the point in the form of the format; `nil` for any other value.
    func price(_ column: Int) -> String? {
        let field = self[column]
        return FieldParser.number(field) == nil
            ? loose(column, field, "a number with a point", .invalidFloat, LooseField.price) : nil
    }

    private func loose<T>(
        _ column: Int, _ field: FieldBytes, _ form: String, _ rule: FeedRule, _ read: (FieldBytes) -> T?
    )
        -> T?
    {
        guard !field.isEmpty, repairs.isLenient, let value = read(field) else { return nil }
        repairs.noteLoose(column, String(decoding: field, as: UTF8.self), form, rule, line: reader.line)
        return value
    }
}
