import CivilTime
import Foundation

/// Service days and instants.
///
/// Times of a timetable count from noon minus twelve hours of the service day, in the agency's zone (GTFS Schedule,
/// field type Time). That is midnight except on the two days a year with a clock change.
enum ServiceDay {
    /// The reference instant of a day's times, in seconds since 1970.
    static func reference(_ day: CivilDate, in zone: TimeZone) -> Int {
        let noon = day.daysSinceEpoch * 86_400 + 43_200
        // The offset at noon is looked up at an estimate of noon; the second iteration corrects it.
        var moment = noon - offset(at: noon, in: zone)
        moment = noon - offset(at: moment, in: zone)
        return moment - 43_200
    }

    /// The calendar day of an instant in the zone.
    static func date(of moment: Int, in zone: TimeZone) -> CivilDate {
        local(moment, zone).date
    }

    /// The local time in the zone: `08:15`.
    static func clock(_ moment: Int, in zone: TimeZone) -> String {
        let minutes = local(moment, zone).minutesOfDay
        return twoDigits(minutes / 60) + ":" + twoDigits(minutes % 60)
    }

    /// The local time in the zone, preceded by the day if it is another than the given one:
    /// `2026-02-07 00:15`.
    static func clock(_ moment: Int, in zone: TimeZone, unless day: CivilDate?) -> String {
        let own = date(of: moment, in: zone)
        return (day.map { $0 != own } ?? false ? own.text + " " : "") + clock(moment, in: zone)
    }

    /// A time of a timetable: `27:35:00`.
    static func scheduled(_ seconds: Int) -> String {
        twoDigits(seconds / 3600) + ":" + twoDigits(seconds / 60 % 60) + ":" + twoDigits(seconds % 60)
    }

    private static func offset(at moment: Int, in zone: TimeZone) -> Int {
        zone.offset(at: Timestamp(milliseconds: Int64(moment) * 1000))
    }

    private static func local(_ moment: Int, _ zone: TimeZone) -> CivilDateTime {
        Timestamp(milliseconds: Int64(moment) * 1000).civil(in: zone)
    }

    /// The service days whose departures can be between two instants, earliest first; the latest departure time of a
    /// service day, in seconds, determines how many days back.
    static func days(from: Int, until end: Int, latest: Int, in zone: TimeZone) -> [CivilDate] {
        var days: [CivilDate] = []
        // A day's times can begin before its midnight when clocks go forward.
        var day = date(of: end, in: zone).advanced(by: 1)
        while true {
            let reference = reference(day, in: zone)
            if reference + latest < from { break }
            if reference < end { days.append(day) }
            day = day.advanced(by: -1)
        }
        return days.reversed()
    }

    /// A file's seconds, clamped so that sums cannot overflow.
    static func clamped(_ value: Int64) -> Int {
        Int(max(-Int64(TransitSettings.latestTime), min(value, Int64(TransitSettings.latestTime))))
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension CivilDate {
    /// 0 for Monday … 6 for Sunday.
    var weekday: Int { isoWeekday - 1 }

    /// The name of the day of the week.
    var weekdayName: String { CalendarNames.weekdays[weekday] }

    /// A day in the format of the tables: `2026-02-06`, or as in a feed `20260206`; `nil` for anything
    /// else.
    init?(text: String) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        guard digits.count == 8, text.utf8.count == 8 || text.utf8.count == 10,
            let date = digits.withUnsafeBufferPointer({ FieldParser.date($0) })
        else { return nil }
        self = date
    }
}
