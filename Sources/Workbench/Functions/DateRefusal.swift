import CivilTime
import Foundation
import PluginKit

/// Why a text is no date: the reason that helps, rather than that it does not match.
enum DateRefusal {
    /// A text that a pattern does not describe, whose fields have these letters.
    static func mismatch(_ text: String, _ pattern: String, _ letters: [Character]) -> RutterError {
        let shown = text.prefix(longest)
        let unknown = Set(letters).subtracting(known)
        if !unknown.isEmpty {
            let quoted = pattern.reduce(into: "") { $0 += unknown.contains($1) ? "'\($1)'" : String($1) }
            return FunctionErrors.argument(
                "`\(String(unknown.sorted()))` is no letter of date patterns",
                fix: "letters that stand for themselves are quoted: \"\(quoted)\"")
        }
        if let day = day(text, letters), CivilDate(year: day[0], month: day[1], day: day[2]) == nil {
            return FunctionErrors.argument("`\(shown)` is no day of the calendar")
        }
        return FunctionErrors.argument("`\(shown)` does not match the date pattern `\(pattern)`")
    }

    /// A text that names another weekday than the one of its date; `nil` if it names none or the right one.
    static func weekday(_ text: String, _ date: CivilDate) -> RutterError? {
        let right = CalendarNames.weekdays[date.isoWeekday - 1]
        let words = text.lowercased().split { !$0.isLetter }
        let written = words.first { word in
            CalendarNames.weekdayKeys.contains(String(word))
                || CalendarNames.weekdays.contains { $0.lowercased() == word }
        }
        guard let written, !right.lowercased().hasPrefix(written) else { return nil }
        return FunctionErrors.argument(
            "`\(text.prefix(longest))` contradicts itself: \(date.text) is a \(right)",
            fix: "correct the weekday or the date, or leave the weekday out of both the text and the pattern")
    }

    /// The same of a date as in mails, and a week that its year does not have; `nil` for other texts.
    static func written(_ text: String, in zone: TimeZone) -> RutterError? {
        if let comma = text.firstIndex(of: ","),
            let moment = WrittenMoment.read(
                text[comma...].dropFirst().trimmingCharacters(in: .whitespaces), in: zone)
        {
            // The date of a mail is that of its own offset: of it only the day's number can differ from that in GMT.
            let days = Int((moment.seconds / 86_400).rounded(.down))
            let own = text.split { !$0.isNumber }.first.flatMap { Int($0) }
            return [0, 1, -1].map { CivilDate(daysSinceEpoch: days + $0) }.first { $0.day == own }
                .flatMap { weekday(text, $0) }
        }
        let week = text.prefix(8)
        guard week.count == 8, week.hasSuffix("-W53"), week.prefix(4).allSatisfy(\.isWholeNumber) else {
            return nil
        }
        return FunctionErrors.argument("`\(text.prefix(longest))`: \(week.prefix(4)) has no week 53")
    }

    /// Year, month and day of a text whose runs of digits are the fields of a pattern, each of digits.
    private static func day(_ text: String, _ letters: [Character]) -> [Int]? {
        let numbers = text.split { !$0.isASCII || !$0.isNumber }
        guard numbers.count == letters.count, !text.contains(where: \.isLetter) else { return nil }
        let found = [["y", "u"], ["M", "L"], ["d"]].map { (names: [Character]) in
            letters.firstIndex { names.contains($0) }.flatMap { Int(numbers[$0]) }
        }
        let known = found.compactMap { $0 }
        return known.count == found.count ? known : nil
    }

    /// Characters of a text that an error repeats.
    private static let longest = 60
    /// The letters that have a meaning in patterns (UTS #35).
    private static let known = Set("GyYuUrQqMLlwWdDFgEecabBhHKkjJCmsSAzZOvVXx")
}
