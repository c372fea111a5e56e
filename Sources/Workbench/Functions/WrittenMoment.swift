import CivilTime
import Foundation
import PluginKit

/// Reads forms of dates that files have beside the usual one of ISO 8601: week dates, ordinal dates, the basic format, the end
/// of a day, zones by name (RFC 9557), and dates of mails (RFC 5322).
enum WrittenMoment {
    /// The instant of a text; `nil` for anything else, for impossible dates, and for texts that contradict themselves.
    static func read(_ text: String, in zone: TimeZone) -> Timestamp? {
        if text.hasSuffix("]") { return bracketed(text) }
        if let mail = mail(text) { return mail }
        for (name, offset) in [(" UTC", "Z"), (" GMT", "Z"), (" Z", "Z")] where text.hasSuffix(name) {
            return moment(text.dropLast(name.count) + offset, zone)
        }
        return moment(text[...], zone)
    }

    // MARK: Days

    /// A day in any form of ISO 8601, with or without a time.
    private static func moment(_ text: Substring, _ zone: TimeZone) -> Timestamp? {
        let end = text.firstIndex { $0 == "T" || $0 == "t" || $0 == " " } ?? text.endIndex
        guard var date = day(text[..<end]) else { return nil }
        var time = String(text[end...])
        if time.isEmpty { return instant(date, "", zone) }
        time = "T" + extended(time.dropFirst())
        if time.hasPrefix("T24:00") {
            // The end of the day is the beginning of the next one.
            let rest = time.dropFirst("T24:00".count)
            guard !rest.hasPrefix(":") || rest.hasPrefix(":00") else { return nil }
            date = CivilDate(daysSinceEpoch: date.daysSinceEpoch + 1)
            time = "T00:00" + rest
        }
        return instant(date, time, zone)
    }

    private static func instant(_ date: CivilDate, _ time: String, _ zone: TimeZone) -> Timestamp? {
        let (year, month, day) = (digits(date.year, 4), digits(date.month, 2), digits(date.day, 2))
        guard let parts = ISO8601.parts("\(year)-\(month)-\(day)\(time)") else { return nil }
        return CellTime(zone: zone).moment(parts)
    }

    /// `2026-03-01`, `20260301`, `2026-060`, `2026060`, `2026-W09-7` and `2026W097`.
    private static func day(_ text: Substring) -> CivilDate? {
        let compact = text.filter { $0 != "-" }
        let hyphens = text.count - compact.count
        guard text.utf8.allSatisfy({ $0 < 128 }), let year = Int(text.prefix(4)),
            text.first?.isWholeNumber == true
        else { return nil }
        let rest = compact.dropFirst(4)
        if rest.first == "W" || rest.first == "w" {
            guard
                hyphens == 0 || hyphens == 2 && text.dropFirst(4).first == "-" && text.dropLast().last == "-",
                rest.count == 4, let week = Int(rest.dropFirst().prefix(2)), let weekday = Int(rest.suffix(1))
            else { return nil }
            return weekDate(year, week, weekday)
        }
        guard rest.allSatisfy(\.isWholeNumber) else { return nil }
        switch (rest.count, hyphens) {
        case (4, 0), (4, 2):
            guard hyphens == 0 || text.dropFirst(4).first == "-" && text.dropFirst(7).first == "-",
                let month = Int(rest.prefix(2)), let day = Int(rest.suffix(2))
            else { return nil }
            return CivilDate(year: year, month: month, day: day)
        case (3, 0), (3, 1):
            guard hyphens == 0 || text.dropFirst(4).first == "-",
                let first = CivilDate(year: year, month: 1, day: 1),
                let number = Int(rest), number > 0
            else { return nil }
            let date = CivilDate(daysSinceEpoch: first.daysSinceEpoch + number - 1)
            return date.year == year ? date : nil
        default: return nil
        }
    }

    /// The first week of a year is the one of 4 January.
    private static func weekDate(_ year: Int, _ week: Int, _ weekday: Int) -> CivilDate? {
        let daysOfWeek = 7
        guard (1...53).contains(week), (1...daysOfWeek).contains(weekday),
            let fourth = CivilDate(year: year, month: 1, day: 4)
        else { return nil }
        let monday = fourth.daysSinceEpoch - (fourth.isoWeekday - 1) + (week - 1) * daysOfWeek
        // The year of a week is that of its Thursday: years of 52 weeks have no week 53.
        guard CivilDate(daysSinceEpoch: monday + 3).year == year else { return nil }
        return CivilDate(daysSinceEpoch: monday + weekday - 1)
    }

    /// A time of the basic format, `101530Z` or `101530+0100`, in the extended one.
    private static func extended(_ time: Substring) -> String {
        let figures = time.prefix(while: \.isWholeNumber)
        guard figures.count == 4 || figures.count == 6 else { return String(time) }
        var parts = [figures.prefix(2), figures.dropFirst(2).prefix(2)]
        if figures.count == 6 { parts.append(figures.suffix(2)) }
        return parts.joined(separator: ":") + time[figures.endIndex...]
    }

    // MARK: Zones

    /// `2026-03-01T10:15:30+01:00[Europe/Zurich]`; the offset must be the one of the zone.
    private static func bracketed(_ text: String) -> Timestamp? {
        guard let open = text.firstIndex(of: "["), let close = text[open...].firstIndex(of: "]") else {
            return nil
        }
        let name = text[text.index(after: open)..<close].drop { $0 == "!" }
        // Calendars and other annotations may follow; a calendar other than the Gregorian one is refused.
        let others = text[text.index(after: close)...]
        guard others.isEmpty || others == "[u-ca=iso8601]" || others == "[u-ca=gregory]",
            let zone = TimeZone(databaseName: String(name)), let parts = ISO8601.parts(text[..<open])
        else { return nil }
        let moment = CellTime(zone: zone).moment(parts)
        guard let offset = parts.offsetSeconds, text[..<open].last.map({ $0 != "Z" && $0 != "z" }) ?? false
        else {
            return moment
        }
        return zone.offset(at: moment) == offset ? moment : nil
    }

    // MARK: Mails

    /// `Sun, 01 Mar 2026 10:15:30 GMT`; the weekday, if written, must be right.
    private static func mail(_ text: String) -> Timestamp? {
        var words = text.split(separator: " ")[...]
        let weekday = words.first?.last == "," ? words.removeFirst().dropLast() : nil
        guard words.count == 4 || words.count == 5 else { return nil }
        let fields = Array(words)
        guard let day = Int(fields[0]),
            let month = CalendarNames.shortMonths.firstIndex(of: String(fields[1])),
            fields[2].count == 4,
            let year = Int(fields[2]), let date = CivilDate(year: year, month: month + 1, day: day),
            weekday.map({ $0 == CalendarNames.shortWeekdays[date.isoWeekday - 1] }) ?? true
        else { return nil }
        // A time without its zone is not the form of mails.
        guard fields.count == 5 else { return nil }
        let offset = ["GMT", "UT", "UTC", "Z"].contains(fields[4]) ? "Z" : String(fields[4])
        guard offset == "Z" || offset.first == "+" || offset.first == "-" else { return nil }
        return instant(date, "T" + fields[3] + offset, .gmt)
    }

    private static func digits(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}
