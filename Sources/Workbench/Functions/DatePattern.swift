import CivilTime
import Foundation
import PluginKit
import Synchronization

/// Reads and writes dates by Unicode patterns (UTS #35), in the proleptic Gregorian calendar of ISO 8601 and by the session's rule
/// for clock changes.
///
/// The library's formatters change to the Julian calendar before October 1582, accept a weekday that is wrong, and invent a
/// year that is not written. So they see wall-clock times in GMT and years after 1582, and what they read is written again
/// and compared.
enum DatePattern {
    /// Writes a time. Throws `E-FUNCTION-KIND` for a pattern whose letters mean another thing than they seem to.
    static func written(
        _ moment: Timestamp, _ pattern: String, _ time: TimeContext
    ) throws(RutterError) -> String {
        try requireUnicode(pattern)
        let letters = Set(fields(pattern).map(\.letter))
        // Minutes alone can be written, and the year of the week; beside a month or a day they are a mistake.
        if !letters.isDisjoint(with: "MLdD") { try requireMeant(letters) }
        try requirePlace(fields(pattern).map(\.letter))
        try requireHalf(letters, pattern)
        return text(moment, pattern, time)
    }

    private static func text(_ moment: Timestamp, _ pattern: String, _ time: TimeContext) -> String {
        let pattern = withFraction(moment, pattern)
        let civil = time.civil(moment)
        guard civil.date.daysSinceEpoch < firstDay else {
            return DateFormatters.shared.text(moment.seconds, pattern, time.timeZone)
        }
        // The calendar repeats after 400 years, with its weekdays; the year itself is written here.
        let cycles = (firstDay - civil.date.daysSinceEpoch) / cycle + 1
        let later = Timestamp(milliseconds: moment.milliseconds + Int64(cycles * cycle) * 86_400_000)
        let zone = TimeZone(secondsFromGMT: time.timeZone.offset(at: moment)) ?? .gmt
        return DateFormatters.shared.text(later.seconds, withYear(civil.date.year, pattern), zone)
    }

    /// Reads a time. Throws `E-FUNCTION-KIND` for a text that the pattern does not describe, or that has no year.
    static func moment(
        _ text: String, _ pattern: String, _ time: TimeContext
    ) throws(RutterError) -> Timestamp {
        try requireUnicode(pattern)
        if let exact = try fractional(text, pattern, time) { return exact }
        let letters = Set(fields(pattern).map(\.letter))
        try requireMeant(letters)
        try requirePlace(fields(pattern).map(\.letter))
        try requireHalf(letters, pattern)
        guard !letters.isDisjoint(with: "yYur") else {
            throw FunctionErrors.argument(
                "the date pattern `\(pattern)` has no year",
                fix: letters.isDisjoint(with: "MLdDw")
                    ? "add the day: parse('2026-02-06 ' + text, 'yyyy-MM-dd \(pattern)')"
                    : "add the year: parse(text + ' 2026', '\(pattern) yyyy')")
        }
        let zoned = !letters.isDisjoint(with: "zZOvVXx")
        guard let read = DateFormatters.shared.components(text, pattern, .gmt),
            let date = CivilDate(year: read.year, month: read.month, day: read.day)
        else { throw DateRefusal.mismatch(text, pattern, fields(pattern).map(\.letter)) }
        let days = date.daysSinceEpoch
        let inGMT = Timestamp(milliseconds: Int64(days) * 86_400_000 + Int64(read.milliseconds))
        let plain = TimeContext(clock: time.clock, timeZone: .gmt)
        // A wrong weekday, or a year of two digits for a pattern of four, does not come back.
        guard hasWholeYear(text, pattern, read.year),
            zoned || same(self.text(inGMT, pattern, plain), text)
        else {
            throw DateRefusal.weekday(text, date)
                ?? DateRefusal.mismatch(text, pattern, fields(pattern).map(\.letter))
        }
        return zoned ? inGMT : time.local(days: days, milliseconds: read.milliseconds)
    }

    /// Reads a text whose pattern has more than three digits of a second; `nil` for other patterns. The library's calendar knows
    /// milliseconds alone, so the further digits are read here.
    private static func fractional(
        _ text: String, _ pattern: String, _ time: TimeContext
    ) throws(RutterError) -> Timestamp? {
        guard let field = fields(pattern).first(where: { $0.letter == "S" }) else { return nil }
        let width = pattern.distance(from: field.range.lowerBound, to: field.range.upperBound)
        guard width > milliDigits, width <= nanoDigits, field.range.lowerBound > pattern.startIndex else {
            return nil
        }
        // The digits follow the sign that stands before them in the pattern.
        let sign = pattern[pattern.index(before: field.range.lowerBound)]
        guard !sign.isNumber, !sign.isLetter else { return nil }
        let pieces = text.split(separator: sign, omittingEmptySubsequences: false)
        let fits = pieces.indices.dropFirst().filter { pieces[$0].prefix(while: \.isNumber).count == width }
        // Where the pattern ends with the digits, they are the last; a year may stand behind the same sign.
        let last: Int? = field.range.upperBound == pattern.endIndex || fits.count == 1 ? fits.last : nil
        guard let place = last, let digits = Int32(pieces[place].prefix(width).dropFirst(milliDigits)) else {
            return nil
        }
        var shorter = pieces.map(String.init)
        shorter[place] = String(pieces[place].prefix(milliDigits) + pieces[place].dropFirst(width))
        var moment = try moment(
            shorter.joined(separator: String(sign)),
            pattern.replacingCharacters(in: field.range, with: String(repeating: "S", count: milliDigits)),
            time)
        moment.nanoseconds = (width..<nanoDigits).reduce(digits) { all, _ in all * 10 }
        return moment
    }

    /// Digits of milliseconds, and of nanoseconds.
    private static let (milliDigits, nanoDigits) = (3, 9)

    /// The pattern with the digits of the second in place of their letters, which the library knows to the millisecond.
    private static func withFraction(_ moment: Timestamp, _ pattern: String) -> String {
        var result = pattern
        for (letter, range) in fields(pattern).reversed() where letter == "S" {
            let width = pattern.distance(from: range.lowerBound, to: range.upperBound)
            guard width > milliDigits else { continue }
            let thousand: Int64 = 1000
            let milliseconds = (moment.milliseconds % thousand + thousand) % thousand
            let digits = String(Int(milliseconds) * 1_000_000 + Int(moment.nanoseconds))
            let all = String(repeating: "0", count: nanoDigits - digits.count) + digits
            let shown = all.prefix(width) + String(repeating: "0", count: max(0, width - nanoDigits))
            result.replaceSubrange(range, with: shown)
        }
        return result
    }

    /// Refuses a pattern of C and Python, with its like.
    private static func requireUnicode(_ pattern: String) throws(RutterError) {
        guard pattern.contains("%") else { return }
        var written = ""
        // Letters outside of signs, which are fields unless they are quoted.
        var letters = ""
        var (isSign, isShort) = (false, false)
        for character in pattern {
            if isSign {
                // `%-d` has no zero before it.
                if character == "-" {
                    isShort = true
                    continue
                }
                guard let meant = strftime[character] else { return }
                written += isShort && "mdHIMS".contains(character) ? String(meant.prefix(1)) : meant
                (isSign, isShort) = (false, false)
                continue
            }
            if character.isLetter {
                letters.append(character)
                continue
            }
            if !letters.isEmpty { written += "'\(letters)'" }
            letters = ""
            if character == "%" { isSign = true } else { written.append(character) }
        }
        guard !isSign else { return }
        // The Z of ISO 8601 is a zone.
        if !letters.isEmpty { written += letters == "Z" ? "XX" : "'\(letters)'" }
        throw FunctionErrors.argument(
            "date patterns are those of Unicode (UTS #35), not `\(pattern)`",
            fix: "write " + (written.contains("'") ? Literal.quoted(written) : "'\(written)'"))
    }

    /// The letters of C's patterns in Unicode's.
    private static let strftime: [Character: String] = [
        "Y": "yyyy", "y": "yy", "m": "MM", "d": "dd", "e": "d", "j": "DDD", "H": "HH", "I": "hh", "M": "mm",
        "S": "ss",
        "f": "SSSSSS", "p": "a", "b": "MMM", "B": "MMMM", "a": "EEE", "A": "EEEE", "z": "xx", "Z": "zzz",
        "F": "yyyy-MM-dd", "T": "HH:mm:ss", "R": "HH:mm",
    ]

    /// Whether a pattern reads a text.
    static func reads(_ text: String, _ pattern: String) -> Bool {
        let time = TimeContext(clock: SessionClock(standingAt: Timestamp(milliseconds: 0)), timeZone: .gmt)
        return (try? moment(text, pattern, time)) != nil
    }

    /// Refuses letters that are taken for others: the year of the week, minutes, and the day of the year.
    private static func requireMeant(_ letters: Set<Character>) throws(RutterError) {
        func refusal(_ written: String, _ is: String, _ meant: String) -> RutterError {
            FunctionErrors.argument("`\(written)` in a date pattern is \(`is`)", fix: meant)
        }
        if letters.contains("Y"), !letters.contains("w") {
            throw refusal(
                "Y", "the year of the week, which differs around New Year", "write yyyy for the year")
        }
        if letters.contains("m"), letters.isDisjoint(with: "HhKk") {
            throw refusal("m", "minutes", "write MM for the month; minutes need hours: HH:mm")
        }
        if letters.contains("D"), !letters.isDisjoint(with: "MLdm") {
            throw refusal("D", "the day of the year", "write dd for the day of the month")
        }
    }

    /// Refuses minutes in the place of the month, and the month in that of minutes: `yyyy-mm-dd`, `HH:MM`.
    private static func requirePlace(_ letters: [Character]) throws(RutterError) {
        for (index, letter) in letters.enumerated() {
            let before: Character? = index > 0 ? letters[index - 1] : nil
            let after: Character? = index + 1 < letters.count ? letters[index + 1] : nil
            let sides = [before, after].compactMap(\.self)
            if letter == "m", !sides.isEmpty, sides.allSatisfy("yYudDEMLc".contains) {
                throw FunctionErrors.argument(
                    "`m` in a date pattern is minutes, here in the place of the month",
                    fix: "write MM for the month")
            }
            if letter == "M", before.map("HhKk".contains) == true || after == "s" {
                throw FunctionErrors.argument(
                    "`M` in a date pattern is the month, here in the place of minutes",
                    fix: "write mm for minutes")
            }
        }
    }

    /// Refuses hours to 12 of which nothing says whether they are before noon.
    private static func requireHalf(_ letters: Set<Character>, _ pattern: String) throws(RutterError) {
        guard !letters.isDisjoint(with: "hK"), letters.isDisjoint(with: "abB") else { return }
        throw FunctionErrors.argument(
            "the date pattern `\(pattern)` has hours to 12 without AM or PM",
            fix: "write HH for hours to 24, or add a for AM and PM")
    }

    /// The first day on which the library's calendar is the Gregorian one, 1582-10-15, counted from 1970-01-01.
    private static let firstDay = -141_427
    /// Days of 400 years.
    private static let cycle = 146_097

    /// The runs of letters outside of quotes.
    private static func fields(_ pattern: String) -> [(letter: Character, range: Range<String.Index>)] {
        var found: [(letter: Character, range: Range<String.Index>)] = []
        var isQuoted = false
        var index = pattern.startIndex
        while index < pattern.endIndex {
            let letter = pattern[index]
            var end = pattern.index(after: index)
            if letter == "'" {
                isQuoted.toggle()
            } else if !isQuoted, letter.isASCII, letter.isLetter {
                while end < pattern.endIndex, pattern[end] == letter { end = pattern.index(after: end) }
                found.append((letter, index..<end))
            }
            index = end
        }
        return found
    }

    /// The pattern with the year in place of its letters.
    private static func withYear(_ year: Int, _ pattern: String) -> String {
        var result = pattern
        for (letter, range) in fields(pattern).reversed() where "yYu".contains(letter) {
            let width = pattern.distance(from: range.lowerBound, to: range.upperBound)
            let digits = String(width == 2 ? abs(year) % 100 : abs(year))
            let padded = String(repeating: "0", count: max(0, width - digits.count)) + digits
            result.replaceSubrange(range, with: "'\(year < 0 ? "-" : "")\(padded)'")
        }
        return result
    }

    /// Whether a year that the pattern writes with four digits or more is written so.
    private static func hasWholeYear(_ text: String, _ pattern: String, _ year: Int) -> Bool {
        guard year < 1000, let field = fields(pattern).first(where: { "yYu".contains($0.letter) }) else {
            return true
        }
        let width = pattern.distance(from: field.range.lowerBound, to: field.range.upperBound)
        let digits = String(year)
        return width < 3
            || text.contains(String(repeating: "0", count: max(0, width - digits.count)) + digits)
    }

    /// Whether two texts are the same but for leading zeros, case and blanks.
    private static func same(_ a: String, _ b: String) -> Bool { plain(a) == plain(b) }

    private static func plain(_ text: String) -> String {
        var result = ""
        for character in text.lowercased() where !character.isWhitespace {
            if character.isNumber, result.last == "0", result.dropLast().last?.isNumber != true {
                result.removeLast()
            }
            result.append(character)
        }
        return result
    }
}

/// What a formatter has read, as the calendar's fields.
struct WrittenDate: Sendable {
    let year: Int
    let month: Int
    let day: Int
    let milliseconds: Int
}

/// Formatters by pattern and zone: creating one takes longer than using it a hundred times.
final class DateFormatters: Sendable {
    static let shared = DateFormatters()

    private struct Key: Hashable {
        let pattern: String
        let zone: String
    }

    /// Maximum number of cached patterns; patterns computed from data must not fill the memory.
    private static let most = 64
    private let known = Mutex<[Key: DateFormatter]>([:])

    func text(_ seconds: Double, _ pattern: String, _ zone: TimeZone) -> String {
        with(pattern, zone) { $0.string(from: Date(timeIntervalSince1970: seconds)) }
    }

    /// The fields of the date that is read, by the formatter's own calendar.
    func components(_ text: String, _ pattern: String, _ zone: TimeZone) -> WrittenDate? {
        with(pattern, zone) { formatter in
            guard let date = formatter.date(from: text) else { return nil }
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = zone
            let parts = calendar.dateComponents([.era, .year, .month, .day], from: date)
            guard let year = parts.year, let month = parts.month, let day = parts.day, parts.era != 0 else {
                return nil
            }
            let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
            let ofDay = milliseconds - (milliseconds / 86_400_000).rounded(.down) * 86_400_000
            return WrittenDate(year: year, month: month, day: day, milliseconds: Int(ofDay))
        }
    }

    private func with<T: Sendable>(_ pattern: String, _ zone: TimeZone, _ body: (DateFormatter) -> T) -> T {
        known.withLock { known in
            let key = Key(pattern: pattern, zone: zone.identifier)
            if let formatter = known[key] { return body(formatter) }
            if known.count >= Self.most { known = [:] }
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            // Weeks are those of ISO 8601: they begin on Monday, and the first has at least four days.
            formatter.calendar = Calendar(identifier: .iso8601)
            formatter.timeZone = zone
            formatter.isLenient = false
            formatter.dateFormat = pattern
            known[key] = formatter
            return body(formatter)
        }
    }
}
