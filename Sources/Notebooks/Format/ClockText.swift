import Foundation

/// Parses and formats the `clock` of a front matter.
enum ClockText {
    /// A time such as `2026-02-06T08:00:00Z`; without a zone it is read in `timeZone`.
    static func date(_ text: String, timezone: String) -> Date? {
        let normal = text.replacingOccurrences(of: " ", with: "T")
        if let date = instant(normal) { return date }
        return local(normal, TimeZone(identifier: timezone) ?? .gmt)
    }

    /// A time in UTC, with milliseconds if not zero.
    static func text(_ date: Date) -> String {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        let style = Date.ISO8601FormatStyle(
            includingFractionalSeconds: milliseconds.remainder(dividingBy: 1000) != 0)
        return Date(timeIntervalSince1970: milliseconds / 1000).formatted(style)
    }

    private static func instant(_ text: String) -> Date? {
        for fraction in [false, true] {
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: fraction)
            // Throws for text of the other form.
            if let date = try? style.parse(text), isWhole(text, fraction: fraction) { return date }
        }
        return nil
    }

    private static func local(_ text: String, _ zone: TimeZone) -> Date? {
        let offset = TimeZone.gmt
        guard let asUTC = instant(text + "Z") ?? instant(text + ":00Z") ?? instant(text + "T00:00:00Z") else {
            return nil
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = offset
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second, .nanosecond], from: asUTC)
        calendar.timeZone = zone
        return calendar.date(from: parts)
    }

    /// Foundation's parser accepts trailing text; this does not.
    private static func isWhole(_ text: String, fraction: Bool) -> Bool {
        let scalars = Array(text.unicodeScalars)
        return ScalarScanner(scalars).time(at: 0) == scalars.count
            && scalars.contains(".") == fraction
    }
}
