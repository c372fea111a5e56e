import CivilTime
import Foundation
import PluginKit
import Synchronization

/// Functions of dates. Parts of a date are computed in the session's time zone.
enum DateFunctions {
    static let all = [
        part("year", "return the year", "2026") { $0.date.year },
        part("month", "return the month, 1 to 12", "2") { $0.date.month },
        part("day", "return the day of the month", "6") { $0.date.day },
        part("hour", "return the hour, 0 to 23", "8") { $0.millisecondsOfDay / 3_600_000 },
        part("weekday", "return the day of the week, 1 for Monday to 7 (ISO 8601)", "5") {
            $0.date.isoWeekday
        },
        Function(
            "date", "x", "return the start of a date's day", 1...1,
            ("date(2026-02-06T08:15)", "2026-02-06T00:00:00Z")
        ) { values, context throws(RutterError) in
            let moment = try moment(values[0], "date", context)
            return .date(
                context.time.local(days: context.time.civil(moment).date.daysSinceEpoch, milliseconds: 0))
        },
        Function(
            "format", "date, pattern", "format a date with a Unicode pattern (UTS #35)", 2...2,
            ("format(2026-02-06T08:15, 'EEEE d MMMM')", "Friday 6 February"),
            ("format(2026-02-06T08:15, 'HH:mm')", "08:15")
        ) { values, context throws(RutterError) in
            let moment = try moment(values[0], "format", context)
            let pattern = try Argument.text(values[1], "format")
            return .text(DateFormatters.shared.text(moment, pattern, context.time.timeZone))
        },
        Function(
            "parse", "text, pattern", "parse a date: ISO 8601, or a Unicode pattern (UTS #35)",
            1...2,
            ("parse('2026-02-06 08:15')", "2026-02-06T08:15:00Z"),
            ("parse('6/2/26', 'd/M/yy')", "2026-02-06T00:00:00Z")
        ) { values, context throws(RutterError) in
            let text = try Argument.text(values[0], "parse")
            guard values.count == 2 else { return .date(try isoMoment(text, context)) }
            let pattern = try Argument.text(values[1], "parse")
            guard let moment = DateFormatters.shared.moment(text, pattern, context.time.timeZone) else {
                throw FunctionErrors.argument(
                    "`\(text.prefix(60))` does not match the date pattern `\(pattern)`")
            }
            return .date(moment)
        },
    ]

    private static func part(
        _ name: String, _ summary: String, _ gives: String,
        _ read: @escaping @Sendable (CivilDateTime) -> Int
    ) -> Function {
        Function(name, "date", summary, 1...1, ("\(name)(2026-02-06T08:15)", gives)) {
            values, context throws(RutterError) in
            .integer(read(context.time.civil(try moment(values[0], name, context))))
        }
    }

    /// A date, or ISO 8601 text, as in JSON.
    private static func moment(
        _ value: Value, _ name: String, _ context: Function.Context
    ) throws(RutterError) -> Timestamp {
        if case .text(let text) = value { return try isoMoment(text, context) }
        return try Argument.date(value, name)
    }

    private static func isoMoment(_ text: String, _ context: Function.Context) throws(RutterError)
        -> Timestamp
    {
        guard let parts = ISO8601.parts(text.trimmingCharacters(in: .whitespaces)) else {
            throw FunctionErrors.argument(
                "`\(text.prefix(60))` is not a date in ISO 8601",
                fix: "pass a pattern: parse(text, 'd.M.yyyy')")
        }
        let time = parts.millisecondsOfDay ?? 0
        guard let offset = parts.offsetSeconds else {
            return context.time.local(days: parts.date.daysSinceEpoch, milliseconds: time)
        }
        let seconds = Int64(parts.date.daysSinceEpoch) * 86_400 - Int64(offset)
        return Timestamp(milliseconds: seconds * 1000 + Int64(time))
    }
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

    func text(_ moment: Timestamp, _ pattern: String, _ zone: TimeZone) -> String {
        with(pattern, zone) { $0.string(from: Date(timeIntervalSince1970: moment.seconds)) }
    }

    func moment(_ text: String, _ pattern: String, _ zone: TimeZone) -> Timestamp? {
        with(pattern, zone) { $0.date(from: text) }.flatMap { Timestamp(seconds: $0.timeIntervalSince1970) }
    }

    private func with<T: Sendable>(_ pattern: String, _ zone: TimeZone, _ body: (DateFormatter) -> T) -> T {
        known.withLock { known in
            let key = Key(pattern: pattern, zone: zone.identifier)
            if let formatter = known[key] { return body(formatter) }
            if known.count >= Self.most { known = [:] }
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.calendar = Calendar(identifier: .gregorian)
            formatter.timeZone = zone
            formatter.isLenient = false
            formatter.dateFormat = pattern
            known[key] = formatter
            return body(formatter)
        }
    }
}
