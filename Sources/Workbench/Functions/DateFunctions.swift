import CivilTime
import Foundation
import PluginKit

/// Functions of dates. Parts of a date are computed in the session's time zone.
enum DateFunctions {
    static let all = [
        part("year", "return the year", "2026", searchTerms: ["year of a date"]) { $0.date.year },
        part("month", "return the month, 1 to 12", "2", searchTerms: ["month of a date"]) { $0.date.month },
        part("day", "return the day of the month", "6", searchTerms: ["day of a date"]) { $0.date.day },
        part("hour", "return the hour, 0 to 23", "8", searchTerms: ["hour of a time"]) {
            $0.millisecondsOfDay / 3_600_000
        },
        part(
            "weekday", "return the day of the week, 1 for Monday to 7 (ISO 8601)", "5",
            searchTerms: ["day of the week", "which weekday"]
        ) {
            $0.date.isoWeekday
        },
        Function(
            "date", "x  or  text, pattern", "return the start of a date's day, or parse a date by a pattern",
            1...2,
            ("date(2026-02-06T08:15)", "2026-02-06"), ("date('2/6/26', 'd/M/yy')", "2026-06-02"),
            searchTerms: [
                "text to date", "difference between two dates", "how old",
                "years since", "age",
            ]
        ) { values, context throws(RutterError) in
            if values.count == 2 { return try parsed(values, context) }
            let moment = try moment(values[0], "date", context)
            return .date(
                context.time.local(days: context.time.civil(moment).date.daysSinceEpoch, milliseconds: 0))
        },
        Function(
            "days", "from, to", "count the days of the calendar from one date to another", 2...2,
            ("days(2026-02-06, 2026-03-01T18:00)", "23"), ("days(2026-03-01, 2026-02-28)", "-1"),
            searchTerms: [
                "days between two dates", "difference between two dates", "number of days", "nights between",
            ]
        ) { values, context throws(RutterError) in
            let (from, to) = (
                try moment(values[0], "days", context), try moment(values[1], "days", context)
            )
            return .integer(
                context.time.civil(to).date.daysSinceEpoch - context.time.civil(from).date.daysSinceEpoch)
        },
        Function(
            "format", "date, pattern", "format a date with a Unicode pattern (UTS #35)", 2...2,
            ("format(2026-02-06T08:15, 'EEEE d MMMM')", "Friday 6 February"),
            ("format(2026-02-06T08:15, 'HH:mm')", "08:15"), searchTerms: ["date format", "write a date"]
        ) { values, context throws(RutterError) in
            let moment = try moment(values[0], "format", context)
            let pattern = try Argument.text(values[1], "format")
            return .text(try DatePattern.written(moment, pattern, context.time))
        },
        Function(
            "parse", "text, pattern",
            "parse a date: ISO 8601, as in mails, or a Unicode pattern (UTS #35)",
            1...2,
            ("parse('2026-02-06 08:15')", "2026-02-06T08:15:00Z"),
            ("parse('6/2/26', 'd/M/yy')", "2026-02-06"),
            searchTerms: ["text to date", "read a date", "date from text"]
        ) { values, context throws(RutterError) in
            try parsed(values, context)
        },
    ]

    private static func parsed(
        _ values: [Value], _ context: Function.Context
    ) throws(RutterError) -> Value {
        // A column of dates in a file is one of dates already.
        if case .date = values[0], values.count == 1 { return values[0] }
        let text = try Argument.text(values[0], "parse")
        guard values.count == 2 else { return .date(try isoMoment(text, context)) }
        return .date(try DatePattern.moment(text, try Argument.text(values[1], "parse"), context.time))
    }

    private static func part(
        _ name: String, _ summary: String, _ gives: String, searchTerms: [String],
        _ read: @escaping @Sendable (CivilDateTime) -> Int
    ) -> Function {
        Function(name, "date", summary, 1...1, ("\(name)(2026-02-06T08:15)", gives), searchTerms: searchTerms)
        {
            values, context throws(RutterError) in
            .integer(read(context.time.civil(try moment(values[0], name, context))))
        }
    }

    /// A date, or ISO 8601 text, as in JSON.
    private static func moment(
        _ value: Value, _ name: String, _ context: Function.Context
    ) throws(RutterError) -> Timestamp {
        if case .text(let text) = value { return try isoMoment(text, context) }
        return try Argument.date(value, name, context)
    }

    private static func isoMoment(_ text: String, _ context: Function.Context) throws(RutterError)
        -> Timestamp
    {
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        if let parts = ISO8601.parts(trimmed) { return CellTime(zone: context.time.timeZone).moment(parts) }
        if let moment = WrittenMoment.read(trimmed, in: context.time.timeZone) { return moment }
        // Times of systems: seconds, or milliseconds, since 1970.
        if (9...10).contains(trimmed.count) || [13, 16, 19].contains(trimmed.count),
            trimmed.allSatisfy({ $0.isASCII && $0.isNumber })
        {
            let unit = trimmed.count > 10 ? "ms" : "s"
            // There is no shorter unit than a millisecond.
            let parts = [16: " / 1000", 19: " / 1000000"][trimmed.count] ?? ""
            throw FunctionErrors.argument(
                "`\(trimmed)` is not a date in ISO 8601",
                fix:
                    "times since 1970 are added: 1970-01-01T00:00Z + 1\(unit) * number(\(context.argument))\(parts)"
            )
        }
        if NumberInText.hasDateShape(trimmed), ISO8601.parts(String(trimmed.prefix(10))) == nil {
            throw FunctionErrors.argument(
                "`\(trimmed.prefix(10))` is no day of the calendar",
                fix: "write a day that its month has, as YYYY-MM-DD")
        }
        if let refusal = DateRefusal.written(trimmed, in: context.time.timeZone) { throw refusal }
        let patterns = DateText.patterns(of: trimmed).map { "parse(\(context.argument), '\($0)')" }
        throw FunctionErrors.argument(
            "`\(text.prefix(60))` is not a date in ISO 8601",
            fix: patterns.isEmpty
                ? "pass a pattern, as in parse('6.2.2026', 'd.M.yyyy')"
                : "pass its pattern: " + patterns.prefix(2).joined(separator: " or "))
    }
}
