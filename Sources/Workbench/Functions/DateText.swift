import CivilTime
import Foundation

/// Dates as people write them, other than in ISO 8601.
enum DateText {
    /// The patterns of dates, the usual first; a time may follow.
    private static let days = [
        "d/M/yyyy", "M/d/yyyy", "d.M.yyyy", "d-M-yyyy", "M-d-yyyy", "d/M/yy", "M/d/yy", "d.M.yy", "yyyy/M/d",
        "d MMM yyyy", "MMM d, yyyy", "MMM d yyyy", "EEE d MMM yyyy", "EEE, d MMM yyyy", "d-MMM-yyyy",
        "d-MMM-yy",
        "yyyy-M-d", "d MMMM yyyy", "MMMM d, yyyy", "MMMM d yyyy", "d. MMMM yyyy",
    ]
    /// The patterns of months, which no time follows. `Mar 12` is as well a day of an unknown year.
    private static let monthsOfYears = [
        "MMM yyyy", "MMM-yyyy", "MMM-yy", "MMM/yy", "MMMM yyyy", "MMMM-yyyy",
    ]
    private static let clocks = ["HH:mm", "HH:mm:ss", "h:mm a", "h:mm:ss a", "H:mm", "H:mm:ss"]
    /// A time may follow the day behind a blank, or a comma and a blank.
    private static let times = [""] + clocks.map { " " + $0 } + clocks.map { ", " + $0 }
    private static let months = Set(CalendarNames.monthKeys)
    /// Characters of a date with a weekday and a time.
    private static let longest = 40
    private static let shortest = 6

    /// Whether a text is a date whose order is not that of its letters: its day or the name of its month comes before its
    /// year.
    static func isDate(_ text: String) -> Bool {
        let size = text.utf8.count
        guard (shortest...longest).contains(size), text.utf8.contains(where: { (48...57).contains($0) })
        else {
            return false
        }
        let words = text.split { !$0.isLetter && !$0.isWholeNumber }
        if words.count == 2, isMonth(words[0]) || isMonth(words[1]) { return !patterns(of: text).isEmpty }
        guard words.count >= 3 else { return false }
        if words.prefix(4).contains(where: isMonth) {
            return !patterns(of: text).isEmpty
        }
        // With the year first and two digits each for the others, letters have the order of time; not with an hour of one digit, nor
        // with those of twelve.
        let clock = words.dropFirst(3)
        let isOrdered =
            words[0].count == 4 && words[1].count == 2 && words[2].count == 2
            && (clock.first.map { $0.count == 2 || !text.contains(":") } ?? true)
            && !clock.contains { ["am", "pm"].contains($0.lowercased()) }
        guard !isOrdered, words.prefix(3).allSatisfy({ $0.count <= 4 }),
            text.contains(where: { "/.-".contains($0) })
        else { return false }
        return !patterns(of: text).isEmpty
    }

    private static func isMonth(_ word: Substring) -> Bool {
        word.count >= 3 && word.allSatisfy(\.isLetter) && months.contains(word.prefix(3).lowercased())
    }

    /// The patterns that read a text.
    static func patterns(of text: String) -> [String] {
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        // Four digits are a year; a pattern of two digits would take them, too.
        let hasLongYear = trimmed.split { !$0.isWholeNumber }.contains { $0.count == 4 }
        let ofMonths = monthsOfYears.filter {
            $0.contains("yyyy") == hasLongYear && DatePattern.reads(trimmed, $0)
        }
        if !ofMonths.isEmpty { return ofMonths }
        return times.flatMap { time in
            days.compactMap { day in
                guard day.contains("yyyy") == hasLongYear, time.isEmpty != trimmed.contains(":"),
                    DatePattern.reads(trimmed, day + time)
                else { return nil }
                return day + time
            }
        }
    }
}
